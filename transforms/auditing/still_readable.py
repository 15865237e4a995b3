"""Findings of a first look that stay readable after replacement, at their new places."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import islice

from transforms.schema.finding import Finding
from transforms.schema.token import TOKEN


def still_readable(unsure: Sequence[Finding], replaced: Sequence[Finding], new_text: str) -> list[Finding]:
    """The parts of findings that no replaced one covers, as findings in the replaced text.

    Args:
        unsure: findings that were not replaced, in the original text of a cell.
        replaced: the findings that were, disjoint and sorted by start.
        new_text: the cell with a token in place of each of them.

    Raises:
        ValueError: no token stands where one of ``replaced`` was.
    """
    if not unsure:
        return []
    # Runs of original text that are still there: start, end, and how far they have moved.
    runs: list[tuple[int, int, int]] = []
    position = moved = 0
    for finding in replaced:
        runs.append((position, finding.start, moved))
        token = TOKEN.match(new_text, finding.start + moved)
        if token is None:
            raise ValueError("the text does not have the tokens of these findings")
        position, moved = finding.end, token.end() - finding.end
    runs.append((position, len(new_text) - moved, moved))
    ends = [end for _, end, _ in runs]
    left: list[Finding] = []
    for finding in sorted(unsure):
        for start, end, shift in islice(runs, bisect_right(ends, finding.start), None):
            if start >= finding.end:
                break
            first, last = max(start, finding.start) + shift, min(end, finding.end) + shift
            if first < last and any(map(str.isalnum, new_text[first:last])):
                left.append(finding._replace(start=first, end=last))
    return left
