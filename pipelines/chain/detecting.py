"""Run detectors over texts, conversation by conversation where one fails."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import compress
from types import MappingProxyType
from typing import NamedTuple

from tacenda.models.detection import detect_all
from tacenda.transforms.detecting.detector import Detector, Place
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.shapes.json_text import lead_of
from tacenda.transforms.text.column import TextColumn


class Found(NamedTuple):
    """The findings of all detectors, by cell, those for a second look only, and the conversations that failed.

    The lists must not be modified: several cells, or a detector, may share one.
    """

    sure: list[list[Finding]]
    unsure: list[list[Finding]]
    failed: dict[int, tuple[Stage, str]]


def column_of(texts: Sequence[str], parts: Sequence[str | None], first_cell: Sequence[int]) -> TextColumn:
    """Texts as detectors read them: networks read a value of JSON behind its key, as in "service: S3"."""
    leads = list(map(lead_of, parts, texts)) if any(parts) else ()
    return TextColumn(texts, first_cell, leads if any(leads) else ())


def find(
    detectors: Sequence[Detector],
    column: TextColumn,
    twice: bool = False,
    counts: Counter[str] | None = None,
    doubts: Mapping[str, float] = MappingProxyType({}),
) -> Found:
    """Run all detectors on a batch; one that fails is retried conversation by conversation.

    A detector that cannot be called at all stops the run: no conversation is at fault.

    Args:
        detectors: their findings are put together.
        column: the texts.
        twice: also return findings for the second look.
        counts: is added to.
        doubts: findings of these infoTypes by lists and rules are left to the second look where no model
            gives personal data of any kind that probability.
    """
    plausible: list[Sequence[Sequence[Place]]] = []
    found = Found([[]] * len(column), [[]] * len(column), {})
    for result in detect_all(detectors, column, twice):
        if counts is not None:
            counts.update(result.counts)
        for whole, part in ((found.sure, result.findings), (found.unsure, result.unsure)):
            for cell in compress(range(len(part)), part):
                whole[cell] = whole[cell] + part[cell]
        found.failed.update((i, (Stage.DETECT, error)) for i, error in result.failed.items())
        if result.plausible:
            plausible.append(result.plausible)
    if doubts and plausible:
        for i, several in enumerate(found.sure):
            places = [place for model in plausible for place in model[i]] if several else []
            if implausible := {f for f in several if _is_implausible(f, places, doubts)}:
                found.sure[i] = [f for f in several if f not in implausible]
                found.unsure[i] = found.unsure[i] + [f for f in several if f in implausible]
    return found


_DOUBTED = frozenset(("gazetteer", "rules", "spoken"))


def _is_implausible(finding: Finding, places: Sequence[Place], doubts: Mapping[str, float]) -> bool:
    """Whether no model thinks it possible that a finding of lists or rules is personal data."""
    least = doubts.get(finding.info_type)
    return (
        least is not None
        and finding.detector in _DOUBTED
        and not any(s < finding.end and finding.start < e and p >= least for s, e, p in places)
    )
