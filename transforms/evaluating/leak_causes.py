"""Why a gold span stays readable: the step at which it was lost.

Causes exclude each other, and the first that applies counts:

- ``gold in doubt``: its value is unmarked at least as often as marked, so it may be no personal data;
- ``repeat not swept``: its value is covered elsewhere in the conversation;
- ``lost in resolution``: a detector found all of it, and of overlapping or fitted findings only a part is left;
- ``vetoed``: a detector found some of it, and a rule of what counts dropped it;
- ``partial``: no detector found all of it;
- ``too unlikely``: detectors have nothing but candidates below their thresholds;
- ``no candidate``: nothing was ever seen there.
"""

from collections.abc import Iterable, Sequence
from typing import Any

CAUSES = (
    "no candidate",
    "too unlikely",
    "vetoed",
    "lost in resolution",
    "partial",
    "repeat not swept",
    "gold in doubt",
)

Range = tuple[int, int]


def cause(
    text: str,
    span: Range,
    left: Sequence[Any],
    found: Iterable[Any],
    unsure: Iterable[Any],
    covered_elsewhere: bool = False,
    in_doubt: bool = False,
) -> str | None:
    """The cause for one gold span; None if nothing of it is readable.

    Args:
        text: the cell.
        span: the gold span in it, half-open.
        left: the findings that are replaced.
        found: what detectors found, before anything was dropped.
        unsure: candidates of any likelihood.
        covered_elsewhere: whether its value is covered elsewhere in the conversation.
        in_doubt: whether its value is mostly unmarked elsewhere.
    """
    wanted = _letters(text, span, [(0, len(text))])
    over = _letters(text, span, _ranges(left))
    if over >= wanted:
        return None
    if in_doubt:
        return "gold in doubt"
    if covered_elsewhere:
        return "repeat not swept"
    seen = _letters(text, span, _ranges(found))
    if seen == wanted:
        return "lost in resolution" if over else "vetoed"
    if over:
        return "partial"
    if seen:
        return "vetoed"
    return "too unlikely" if _letters(text, span, _ranges(unsure)) else "no candidate"


def _ranges(findings: Iterable[Any]) -> list[Range]:
    return [(finding.start, finding.end) for finding in findings]


def _letters(text: str, span: Range, ranges: Iterable[Range]) -> int:
    """The letters and digits of a span that lie under any of the ranges."""
    under: set[int] = set()
    for start, end in ranges:
        under.update(range(max(start, span[0]), min(end, span[1])))
    return sum(text[i].isalnum() for i in under)
