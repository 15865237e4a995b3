"""The second look: what detectors at their lowest likelihood still find in the replaced text of a batch.

It lists what to read first. It sees what detectors found before any pass, so it shares no filter with them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain

from tacenda.pipelines.chain.detecting import Found, column_of, find
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.transforms.auditing.residuals import cuts_a_word, second_look_residuals, still_readable
from tacenda.transforms.detecting.correcting.marks import Protected, divided
from tacenda.transforms.detecting.detector import Detector, TwoLookDetector
from tacenda.transforms.detecting.faint import not_faint
from tacenda.transforms.detecting.overlaps import Range, apart_from, merge_overlapping
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.schema.residual import Residual


@dataclass(frozen=True, slots=True)
class SecondLook:
    """How replaced text is searched.

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
        batch, failed = outcome.batch, found.failed
        looked_at = [i for i, one in enumerate(batch.annotations) if i not in failed and not one.is_whole]
        seen: list[list[Finding]] = [[]] * len(batch.texts)
        for cell in chain.from_iterable(map(batch.cells, looked_at)):
            unsure = found.unsure[cell]
            if found.sure[cell]:
                # What passes dropped counts if none of it was replaced or kept.
                decided: list[Range] = [*outcome.findings[cell], *protected.get(cell, ())]
                unsure = [*unsure, *apart_from(found.sure[cell], decided)]
            if unsure:
                seen[cell] = still_readable(unsure, outcome.findings[cell], audit[cell])
        _read_again(outcome, audit, looked_at, self.detectors, seen, failed)
        _read_again(
            outcome, audit, [i for i in looked_at if _is_cut(outcome, i)], self.where_cut, seen, failed
        )
        for cell, places in protected.items():
            if seen[cell] and batch.conversation_of(cell) not in failed:
                seen[cell] = _not_protected(seen[cell], places, outcome.findings[cell], audit[cell])
        residuals: dict[int, list[Residual]] = {}
        for i in looked_at:
            own = batch.own(i)
            if i not in failed and any(seen[own]):
                left = [merge_overlapping(not_faint(cell), self.rank) if cell else cell for cell in seen[own]]
                residuals[i] = second_look_residuals(audit[own], left, self.of_speakers)
        return residuals


def _read_again(
    outcome: Outcome,
    audit: Sequence[str],
    conversations: Sequence[int],
    detectors: Sequence[Detector],
    seen: list[list[Finding]],
    failed: dict[int, tuple[Stage, str]],
) -> None:
    """Add to ``seen`` all findings, however unlikely, in the replaced text of some conversations."""
    if not detectors or not conversations:
        return
    owned = list(map(outcome.batch.cells, conversations))
    cells = list(chain.from_iterable(owned))
    texts, parts = [audit[c] for c in cells], [outcome.batch.parts[c] for c in cells]
    again = find(detectors, column_of(texts, parts, [0, *accumulate(map(len, owned))]), twice=True)
    for k, cell in enumerate(cells):
        if again.sure[k] or again.unsure[k]:
            seen[cell] = [*seen[cell], *again.sure[k], *again.unsure[k]]
    failed.update((conversations[k], error) for k, error in again.failed.items())


def _not_protected(
    found: Sequence[Finding], protected: Sequence[Protected], replaced: Sequence[Finding], text: str
) -> list[Finding]:
    """Findings of a second look that are outside of protected ranges, at their new positions."""
    for one in protected:
        place = Finding(one.start, one.end, "", Likelihood.POSSIBLE, "")
        for now in still_readable([place], replaced, text):
            found, _ = divided(text, found, [one._replace(start=now.start, end=now.end)])
    return list(found)


def _is_cut(outcome: Outcome, i: int) -> bool:
    """Whether a token replaced a part of a word anywhere in a conversation."""
    own = outcome.batch.own(i)
    cells = zip(outcome.batch.texts[own], outcome.findings[own], strict=True)
    return any(cuts_a_word(text, findings) for text, findings in cells if findings)
