"""Run detectors over a batch: its texts and labels, what is left of the replaced text, and other names."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, compress
from typing import NamedTuple

from tacenda.models.detection import detect_all
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.pipelines.chain.passes import Findings
from tacenda.transforms.auditing.residuals import cuts_a_word, second_look_residuals, still_readable
from tacenda.transforms.auditing.swapping import found_again, sampled, swap
from tacenda.transforms.detecting.correcting.marks import Protected, divided
from tacenda.transforms.detecting.detector import Detector, Place, TwoLookDetector
from tacenda.transforms.detecting.overlaps import apart_from, merge_overlapping
from tacenda.transforms.linking.speakers import named_speakers
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.shapes.json_text import lead_of
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.writing.columns import batch_hashes

_NONE: Mapping[str, float] = {}

_LABELS = 1 << 16
"""Labels whose infoTypes are remembered at most."""


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
    doubts: Mapping[str, float] = _NONE,
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


def speaker_types(
    detectors: Sequence[Detector],
    batch: ConversationBatch,
    rank: Mapping[str, int],
    told: dict[str, str],
) -> dict[str, str]:
    """The infoType of each label that is personal data: of a finding over all of it, else a name.

    ``told`` has those of earlier batches, and is added to: a label has the same in any batch.
    """
    labels = named_speakers(batch.speakers)
    types = {label: kind for label in labels if (kind := told.get(label))}
    new = [label for label in labels if label not in types]
    found = find(detectors if new else (), TextColumn(new))
    for i, label in enumerate(new):
        least = len(label.strip())
        whole = () if i in found.failed else [f for f in found.sure[i] if f.end - f.start >= least]
        best = merge_overlapping(whole, rank)
        types[label] = best[0].info_type if best else "PERSON_NAME"
    if len(told) > _LABELS:
        told.clear()
    told.update(types)
    return {label: types[label] for label in labels}


@dataclass(frozen=True, slots=True)
class SecondLook:
    """What detectors at their lowest likelihood still find in the replaced text of a batch.

    It lists what to read first. It sees what detectors found before any pass, so it shares no filter with
    them.

    Attributes:
        detectors: those that read all of it again, at their lowest likelihood.
        where_cut: those of the chain that did in the first look what they would do in a second, except for
            conversations in which a token replaced a part of a word.
        rank: infoType to rank, for overlapping findings.
        of_speakers: infoTypes that score more for the speaker's own data.
    """

    detectors: Sequence[Detector]
    where_cut: Sequence[TwoLookDetector]
    rank: Mapping[str, int]
    of_speakers: frozenset[str]

    def residuals(
        self,
        outcome: Outcome,
        audit: Sequence[str],
        found: Found,
        protected: Mapping[int, Sequence[Protected]],
    ) -> dict[int, list[Residual]]:
        """What is seen in each conversation without complete annotations; adds those that fail to ``found``.

        Args:
            outcome: the replaced batch.
            audit: its cells with tokens for what was replaced.
            found: the findings of the first look, before any pass.
            protected: where text stays readable by request, by cell.
        """
        batch, failed, replaced = outcome.batch, found.failed, outcome.findings
        looked_at = [i for i, one in enumerate(batch.annotations) if i not in failed and not one.is_whole]
        seen: list[list[Finding]] = [[]] * len(batch.texts)
        for cell in chain.from_iterable(map(batch.cells, looked_at)):
            unsure = found.unsure[cell]
            if found.sure[cell]:
                # What passes dropped counts if none of it was replaced or kept.
                decided = [*replaced[cell], *protected.get(cell, ())]
                unsure = [*unsure, *apart_from(found.sure[cell], decided)]
            if unsure:
                seen[cell] = still_readable(unsure, replaced[cell], audit[cell])
        cut = [i for i in looked_at if self.where_cut and _is_cut(outcome, i)]
        for detectors, conversations in ((self.detectors, looked_at), (self.where_cut, cut)):
            if not detectors or not conversations:
                continue
            owned = list(map(batch.cells, conversations))
            cells = list(chain.from_iterable(owned))
            texts, parts = [audit[c] for c in cells], [batch.parts[c] for c in cells]
            again = find(detectors, column_of(texts, parts, [0, *accumulate(map(len, owned))]), twice=True)
            for k, cell in enumerate(cells):
                if again.sure[k] or again.unsure[k]:
                    seen[cell] = [*seen[cell], *again.sure[k], *again.unsure[k]]
            failed.update((conversations[k], error) for k, error in again.failed.items())
        for cell, places in protected.items():
            if seen[cell] and batch.conversation_of(cell) not in failed:
                for one in places:
                    place = Finding(one.start, one.end, "", Likelihood.POSSIBLE, "")
                    for now in still_readable([place], replaced[cell], audit[cell]):
                        moved = one._replace(start=now.start, end=now.end)
                        seen[cell], _ = divided(audit[cell], seen[cell], [moved])
        residuals: dict[int, list[Residual]] = {}
        for i in looked_at:
            own = batch.own(i)
            if i not in failed and any(seen[own]):
                left = [merge_overlapping(cell, self.rank) if cell else cell for cell in seen[own]]
                residuals[i] = second_look_residuals(audit[own], left, self.of_speakers)
        return residuals


def _is_cut(outcome: Outcome, i: int) -> bool:
    """Whether a token replaced a part of a word anywhere in a conversation."""
    own = outcome.batch.own(i)
    cells = zip(outcome.batch.texts[own], outcome.findings[own], strict=True)
    return any(cuts_a_word(text, findings) for text, findings in cells if findings)


def swap_counts(
    outcome: Outcome,
    failed: Collection[int],
    rate: float,
    languages: Sequence[str],
    detectors: Sequence[Detector],
    passed: Callable[[Sequence[str], Sequence[str | None], Findings], Findings],
    doubts: Mapping[str, float],
) -> Counter[str]:
    """The counts of the swap test (``auditing.swapping``): what is found again of other names.

    Args:
        outcome: the replaced batch.
        failed: conversations that are not tested.
        rate: the share of conversations that are.
        languages: that of each conversation; empty strings if unknown.
        detectors: read the text with other names.
        passed: what passes leave of findings, of texts with the paths of those that are values of JSON.
        doubts: as for ``find``.
    """
    batch, counts = outcome.batch, Counter[str]()
    hashes = batch_hashes(batch, batch.texts, batch.speakers)
    tested = [i for i in sampled(hashes, rate) if i not in failed]
    owned = list(map(batch.own, tested))
    swapped = [
        swap(batch.texts[own], outcome.findings[own], bytes.fromhex(hashes[i]), languages[i])
        for i, own in zip(tested, owned, strict=True)
    ]
    texts = [text for one in swapped for text in one.texts]
    parts = [part for own in owned for part in batch.parts[own]]
    column = column_of(texts, parts, [0, *accumulate(len(one.texts) for one in swapped)])
    found = find(detectors, column, doubts=doubts)
    for k, (i, own, one) in enumerate(zip(tested, owned, swapped, strict=True)):
        if k not in found.failed:
            again = found.sure[column.first_cell[k] : column.first_cell[k + 1]]
            again = passed(one.texts, batch.parts[own], again)
            counts.update(found_again(one, again, batch.contexts[i], languages[i]))
    return counts
