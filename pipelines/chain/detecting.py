"""Run detectors over a batch: its texts, and its speaker labels."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple

from tacenda.models.detection import DetectedBefore, DetectionRequest, DetectionResult, detect_all
from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.linking.speakers import named_speakers
from tacenda.transforms.schema.conversation import Annotation, ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.shapes.json_text import lead_of
from tacenda.transforms.text.column import TextColumn

_LABELS = 1 << 16
"""Labels whose infoTypes are remembered at most."""


class ModelRequests(NamedTuple):
    """The requests to a model for a batch, before its chain runs: texts, and labels that may name speakers."""

    texts: DetectionRequest
    labels: DetectionRequest


class ModelResults(NamedTuple):
    """One model's findings, in response to the requests of a batch."""

    texts: DetectionResult
    labels: DetectionResult


class Found(NamedTuple):
    """The findings of all detectors, by cell, those for a second look only, and the conversations that failed.

    The lists must not be modified: several cells, or a detector, may share one.
    """

    sure: list[list[Finding]]
    unsure: list[list[Finding]]
    failed: dict[int, tuple[Stage, str]]


def model_requests(batch: ConversationBatch, scored: bool) -> ModelRequests:
    """The requests of a chain to each model; ``scored``: the chain scores the remaining risk."""
    labels = named_speakers(batch.speakers)
    twice = scored and Annotation.NONE in batch.annotations
    return ModelRequests(
        DetectionRequest("", column_of(batch.texts, batch.parts, batch.first_cell), twice),
        DetectionRequest("", TextColumn(labels)),
    )


def column_of(texts: Sequence[str], parts: Sequence[str | None], first_cell: Sequence[int]) -> TextColumn:
    """Texts as detectors read them: networks read a value of JSON behind its key, as in "service: S3"."""
    leads = list(map(lead_of, parts, texts)) if any(parts) else ()
    return TextColumn(texts, first_cell, leads if any(leads) else ())


def find(
    detectors: Sequence[Detector],
    column: TextColumn,
    twice: bool = False,
    counts: Counter[str] | None = None,
    known: Sequence[DetectionResult] = (),
) -> Found:
    """Run all detectors on a batch; one that fails is retried conversation by conversation.

    A detector that cannot be called at all stops the run: no conversation is at fault.

    Args:
        detectors: their findings are put together.
        column: the texts.
        twice: also return findings for the second look.
        counts: is added to.
        known: results of detectors that ran earlier (``DetectedBefore``), by their numbers.
    """
    found = Found([[]] * len(column), [[]] * len(column), {})
    waiting = [d for d in detectors if not (known and isinstance(d, DetectedBefore))]
    asked = iter(detect_all(waiting, DetectionRequest("", column, twice)))
    for detector in detectors:
        result = known[detector.number] if known and isinstance(detector, DetectedBefore) else next(asked)
        if counts is not None:
            counts.update(result.counts)
        for whole, part in ((found.sure, result.findings), (found.unsure, result.unsure)):
            for cell in compress(range(len(part)), part):
                whole[cell] = whole[cell] + part[cell]
        found.failed.update((i, (Stage.DETECT, error)) for i, error in result.failed.items())
    return found


def speaker_types(
    detectors: Sequence[Detector],
    batch: ConversationBatch,
    rank: Mapping[str, int],
    known: Sequence[DetectionResult] = (),
    told: dict[str, str] | None = None,
) -> dict[str, str]:
    """The infoType of each label that is personal data: of a finding over all of it, else a name.

    ``told`` has those of earlier batches, and is added to: a label has the same in any batch.
    """
    labels = named_speakers(batch.speakers)
    earlier = {} if told is None or known else told
    types = {label: kind for label in labels if (kind := earlier.get(label))}
    new = [label for label in labels if label not in types]
    found = find(detectors if new else (), TextColumn(new), known=known)
    for i, label in enumerate(new):
        least = len(label.strip())
        whole = () if i in found.failed else [f for f in found.sure[i] if f.end - f.start >= least]
        best = merge_overlapping(whole, rank)
        types[label] = best[0].info_type if best else "PERSON_NAME"
    if len(earlier) > _LABELS:
        earlier.clear()
    earlier.update(types)
    return {label: types[label] for label in labels}
