"""Run detectors over a batch: its texts and labels, what is left of the replaced text, and other names."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain, compress
from typing import NamedTuple

from tacenda.models.detection import detect_all, error_class
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.pipelines.chain.passes import Findings
from tacenda.transforms.auditing.residuals import cuts_a_word, second_look_residuals, still_readable
from tacenda.transforms.auditing.swapping import found_again, sampled, swap
from tacenda.transforms.detecting.correcting.marks import Marks, Protected, divided
from tacenda.transforms.detecting.detector import Detector, Place, TwoLookDetector
from tacenda.transforms.detecting.overlaps import apart_from, merge_overlapping
from tacenda.transforms.language.coverage import Languages
from tacenda.transforms.linking.linked import LinkedConversation
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


@dataclass(slots=True)
class Work:
    """A batch between the steps of its chain; ``failed`` grows, and each step leaves out those in it.

    ``kept`` and ``kept_labels`` stay readable by request: disjoint findings by cell, and speaker labels by
    infoType. ``audit`` is the audit text, ``linked`` has the conversations with replacements, and
    ``residuals`` are the components of each risk; their positions are in the audit text, or those of
    annotations in the original.
    """

    outcome: Outcome
    found: Found
    languages: Languages | None
    speaker_types: dict[str, str]
    marks: Marks
    audit: list[str]
    kept: dict[int, list[Finding]] = field(default_factory=dict)
    kept_labels: dict[str, str] = field(default_factory=dict)
    linked: dict[int, LinkedConversation] = field(default_factory=dict)
    residuals: dict[int, list[Residual]] = field(default_factory=dict)

    @property
    def batch(self) -> ConversationBatch:
        """The conversations as they were read."""
        return self.outcome.batch

    @property
    def failed(self) -> dict[int, tuple[Stage, str]]:
        """The conversations to reject, with the stage and error class."""
        return self.found.failed

    def attempt(self, i: int, stage: Stage, step: Callable[[int], None]) -> None:
        """Take a step with a conversation, which must not get out if the step fails."""
        if i not in self.failed:
            try:
                step(i)
            except Exception as error:  # noqa: BLE001 - whatever fails, this conversation must not get out
                self.failed[i] = (stage, error_class(error))

    def protect(self, cell: int, places: Sequence[tuple[Finding, Protected]]) -> None:
        """Mark findings of a cell that stay readable, each by a mark, and count them."""
        counts = self.marks.counts.setdefault(cell, Counter())
        for finding, by in places:
            place = by._replace(start=finding.start, end=finding.end)
            self.marks.protected.setdefault(cell, []).append(place)
            counts[f"{by.why}/{finding.info_type}"] += 1


def look_again(
    work: Work,
    detectors: Sequence[Detector],
    where_cut: Sequence[TwoLookDetector],
    rank: Mapping[str, int],
    of_speakers: frozenset[str],
) -> dict[int, list[Residual]]:
    """What detectors at their lowest likelihood still find in the replaced text of a batch.

    It lists what to read first, in each conversation without complete annotations. It sees what detectors
    found before any pass, so it shares no filter with them. Conversations that fail are added to the work's.

    Args:
        work: the replaced batch.
        detectors: those that read all of it again, at their lowest likelihood.
        where_cut: those of the chain that did in the first look what they would do in a second, except for
            conversations in which a token replaced a part of a word.
        rank: infoType to rank, for overlapping findings.
        of_speakers: infoTypes that score more for the speaker's own data.
    """
    batch, failed, replaced, audit = work.batch, work.failed, work.outcome.findings, work.audit
    found, protected = work.found, work.marks.protected
    looked_at = [i for i, one in enumerate(batch.annotations) if i not in failed and not one.is_whole]
    seen: list[list[Finding]] = [[]] * len(batch.texts)
    for cell in chain.from_iterable(map(batch.cells, looked_at)):
        unsure = found.unsure[cell]
        if found.sure[cell]:
            # What passes dropped counts if none of it was replaced or kept.
            unsure = [*unsure, *apart_from(found.sure[cell], [*replaced[cell], *protected.get(cell, ())])]
        if unsure:
            seen[cell] = still_readable(unsure, replaced[cell], audit[cell])
    cut = [i for i in looked_at if where_cut and _is_cut(work.outcome, i)]
    for several, conversations in ((detectors, looked_at), (where_cut, cut)):
        if not several or not conversations:
            continue
        owned = list(map(batch.cells, conversations))
        cells = list(chain.from_iterable(owned))
        texts, parts = [audit[c] for c in cells], [batch.parts[c] for c in cells]
        again = find(several, column_of(texts, parts, [0, *accumulate(map(len, owned))]), twice=True)
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
            left = [merge_overlapping(cell, rank) if cell else cell for cell in seen[own]]
            residuals[i] = second_look_residuals(audit[own], left, of_speakers)
    return residuals


def _is_cut(outcome: Outcome, i: int) -> bool:
    """Whether a token replaced a part of a word anywhere in a conversation."""
    own = outcome.batch.own(i)
    cells = zip(outcome.batch.texts[own], outcome.findings[own], strict=True)
    return any(cuts_a_word(text, findings) for text, findings in cells if findings)


def swap_counts(
    work: Work,
    rate: float,
    detectors: Sequence[Detector],
    passed: Callable[[Sequence[str], Sequence[str | None], Findings], Findings],
    doubts: Mapping[str, float],
) -> Counter[str]:
    """The counts of the swap test (``auditing.swapping``): what is found again of other names.

    Args:
        work: the replaced batch; conversations that failed are not tested.
        rate: the share of conversations that are.
        detectors: read the text with other names.
        passed: what passes leave of findings, of texts with the paths of those that are values of JSON; what
            they drop is missed as well.
        doubts: as for ``find``.
    """
    batch, counts = work.batch, Counter[str]()
    languages = [""] * len(batch) if work.languages is None else work.languages.main
    hashes = batch_hashes(batch, batch.texts, batch.speakers)
    tested = [i for i in sampled(hashes, rate) if i not in work.failed]
    owned = list(map(batch.own, tested))
    swapped = [
        swap(batch.texts[own], work.outcome.findings[own], bytes.fromhex(hashes[i]), languages[i])
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
