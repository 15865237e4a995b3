"""Residual findings by gold spans: annotated data that findings did not cover."""

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from itertools import accumulate

from tacenda.transforms.auditing.second_look import Letters
from tacenda.transforms.auditing.speaker_cues import is_own
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.residual import Residual

_LONG_NAME = 4
"""Words of a text that is longer than a full name."""


def gold_residuals(
    texts: Sequence[str],
    spans: Sequence[Sequence[AnnotatedSpan]],
    findings: Sequence[Sequence[Finding]],
    of_speakers: Collection[str] = (),
) -> list[Residual]:
    """The parts of one conversation's gold spans that stay readable.

    A span is covered if all its letters and digits are under findings, missed if none are, and missed in part
    if some are. Punctuation and white space at the edges of a span identify nobody and do not count.

    Args:
        texts: the cells of one conversation.
        spans: the gold spans of each cell.
        findings: the disjoint findings of each cell, sorted by start.
        of_speakers: labels that score more for the speaker's own data (``speaker_cues``).
    """
    residuals: list[Residual] = []
    for cell, (text, cell_spans, cell_findings) in enumerate(zip(texts, spans, findings, strict=True)):
        if not cell_spans:
            continue
        if not cell_findings:
            for start, end, label, entity in cell_spans:
                value = text[start:end]
                if value[:1].isalnum() or any(map(str.isalnum, value)):
                    own = label in of_speakers and is_own(text, start, end)
                    residuals.append(Residual(label, value, False, own, entity, (cell, start, end)))
            continue
        letters = Letters(text)
        covered = _Covered(letters, cell_findings)
        for start, end, label, entity in cell_spans:
            whole = letters.count(start, end)
            left = whole - covered.count(start, end)
            if left:
                own = label in of_speakers and is_own(text, start, end)
                value, place = text[start:end], (cell, start, end)
                residuals.append(Residual(label, value, left < whole, own, entity, place))
    return residuals


def outside_gold(findings: Sequence[Finding], spans: Sequence[AnnotatedSpan]) -> int:
    """The number of findings in a cell, disjoint and sorted, that touch no gold span of any label."""
    starts, ends = [finding.start for finding in findings], [finding.end for finding in findings]
    touched = [0] * (len(findings) + 1)
    for span in spans:
        first, behind = bisect_right(ends, span.start), bisect_left(starts, span.end)
        if first < behind:
            touched[first] += 1
            touched[behind] -= 1
    return sum(not depth for depth in accumulate(touched[:-1]))


def same_as_gold(findings: Sequence[Finding], spans: Sequence[AnnotatedSpan]) -> int:
    """The number of findings in a cell that begin and end where a gold span does."""
    return len({finding[:2] for finding in findings} & {span[:2] for span in spans})


def cut_spans(text: str, spans: Sequence[AnnotatedSpan]) -> int:
    """The number of a cell's spans that begin or end within a word, as byte offsets do that are read as
    characters.
    """
    return sum(
        (0 < start < len(text) and text[start - 1].isalnum() and text[start].isalnum())
        or (0 < end < len(text) and text[end - 1].isalnum() and text[end].isalnum())
        for start, end, *_ in spans
    )


def joins_unlike(texts: Sequence[str], spans: Sequence[Sequence[AnnotatedSpan]]) -> bool:
    """Whether one entity id of a conversation stands for full names that share no word.

    An export that gives every span the id ``PERSON`` makes one entity of all people.
    """
    values: dict[str, set[str]] = {}
    for text, several in zip(texts, spans, strict=True):
        for start, end, _, entity in several:
            words = text[start:end].casefold().split()
            if (
                entity
                and 1 < len(words) < _LONG_NAME
                and all(len(one) > 1 and one.isalpha() for one in words)
            ):
                known = values.setdefault(entity, set(words))
                if known.isdisjoint(words):
                    return True
                known.update(words)
    return False


class _Covered:
    """Counts letters and digits under findings, which are disjoint and sorted."""

    def __init__(self, letters: Letters, findings: Sequence[Finding]) -> None:
        self._letters = letters
        self._starts = [finding.start for finding in findings]
        self._ends = [finding.end for finding in findings]
        self._before = [0, *accumulate(map(letters.count, self._starts, self._ends))]

    def count(self, start: int, end: int) -> int:
        """The number in ``text[start:end]``."""
        return self._up_to(end) - self._up_to(start)

    def _up_to(self, place: int) -> int:
        finding = bisect_left(self._starts, place)
        if not finding:
            return 0
        start, end = self._starts[finding - 1], self._ends[finding - 1]
        return self._before[finding - 1] + self._letters.count(start, min(end, place))
