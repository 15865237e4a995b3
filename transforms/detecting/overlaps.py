"""Merge or resolve overlapping findings so that nothing any detector covered is lost."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

UNRANKED = 50
"""Rank of an infoType that is not in the catalogue (a user's or a model's own)."""

_HEARD_AFTER = {"model": 1, "gazetteer": 2}
"""Precedence of detectors for infoTypes of equal rank (a name may be a person's, a place's or a firm's):
first rules and the user's dictionaries, then models, which see the context, then lists of names."""


def merge_overlapping(findings: Sequence[Finding], rank: Mapping[str, int]) -> list[Finding]:
    """Merge the findings of one cell into disjoint ones, sorted by start.

    Findings that overlap, directly or through others, become ONE finding over the union of their ranges. It
    takes infoType, likelihood and detector from the best of them: by rank of the infoType (``rank``, higher
    is better, ``UNRANKED`` if missing), then detector, likelihood, length, earliest start, and name. So a
    catch-all such as NUMERIC only ever widens a better finding. Adjacent ranges are not merged.
    """
    return [_merged(group, rank) for group in overlapping(findings)]


def overlapping(findings: Iterable[Finding]) -> Iterator[list[Finding]]:
    """Groups of findings that overlap, directly or through others, sorted by start; empty ones are left out."""
    group: list[Finding] = []
    reach = -1
    for finding in sorted(f for f in findings if f.start < f.end):
        if group and finding.start >= reach:
            yield group
            group = []
        reach = max(reach, finding.end) if group else finding.end
        group.append(finding)
    if group:
        yield group


def not_within(findings: Sequence[Finding], others: Sequence[Finding]) -> list[Finding]:
    """The findings that are not entirely within one of ``others``; both are disjoint and sorted by start."""
    starts = [other.start for other in others]
    before = [bisect_right(starts, finding.start) - 1 for finding in findings]
    return [f for f, k in zip(findings, before, strict=True) if k < 0 or others[k].end < f.end]


def apart_from(findings: Sequence[Finding], others: Sequence[tuple[Any, ...]]) -> list[Finding]:
    """The findings that touch none of ``others``, whose first two items are their start and end."""
    ordered = sorted(one[:2] for one in others)
    starts = [start for start, _ in ordered]
    reached = list(accumulate((end for _, end in ordered), max))
    before = [bisect_left(starts, f.end) for f in findings]
    return [f for f, k in zip(findings, before, strict=True) if not k or reached[k - 1] <= f.start]


def _merged(group: list[Finding], rank: Mapping[str, int]) -> Finding:
    best = min(group, key=lambda f: _order(f, rank))
    return best._replace(start=group[0].start, end=max(f.end for f in group))


def _order(f: Finding, rank: Mapping[str, int]) -> tuple[object, ...]:
    """Sort key, the best first: rank, detector, likelihood, length, position, name."""
    return (
        -rank.get(f.info_type, UNRANKED),
        _HEARD_AFTER.get(f.detector, 0),
        -f.likelihood,
        f.start - f.end,
        f.start,
        f.info_type,
        f.detector,
    )


_ADDRESS, _NETWORK, _SPEECH = "STREET_ADDRESS", "model", "spoken"
_NAMES = frozenset(("PERSON_NAME", "LOCATION", "ORGANIZATION_NAME"))
_BESIDE_STREETS = _NAMES | {"ZIP_CODE", "US_STATE", "CITY", "COUNTRY", "PHONE_NUMBER"}
_SPELLED = "SPELLED_WORD"
CATCH_ALL = frozenset(("NUMERIC", _SPELLED))
"""InfoTypes that say nothing of what a value is."""
_WITH_WORDS = frozenset((_ADDRESS, "DATE", "DATE_OF_BIRTH", "TIME", "AGE", "USER_NAME", "PASSWORD"))
"""InfoTypes that contain words other than names."""
_EDGED = _NAMES | {"EMAIL_ADDRESS"}
"""InfoTypes that, lying over another, are not just an extension of it: a person may precede an address."""
_LETTER = re.compile(r"[^\W\d_]")
_SHORT = 5
"""Most characters of a name that is a part of a spelled value, as "n. c."."""
_MOST = 200  # most findings in one overlapping group; more are merged into one
_Range = tuple[int, int]


def resolve(text: str, findings: Sequence[Finding], rank: Mapping[str, int]) -> list[Finding]:
    """Resolve the findings of a cell into disjoint ones, sorted by start: the only place that decides overlaps.

    Where detectors disagree, the better finding keeps its edges, and text covered only by others goes to the
    finding it belongs to. Every covered letter and digit stays covered, except words that lead to a number.

    Args:
        text: the cell.
        findings: in any order; they may overlap.
        rank: of each infoType, higher is better; ``UNRANKED`` if missing.
    """
    resolved: list[Finding] = []
    for group in overlapping(findings):
        if len(group) == 1:
            resolved += group
        elif len(group) > _MOST:
            resolved.append(_merged(group, rank))
        else:
            resolved += _resolved(text, _with_cut_addresses(text, _said_whole(text, group, rank)), rank)
    return resolved


def _said_whole(text: str, group: Sequence[Finding], rank: Mapping[str, int]) -> Sequence[Finding]:
    """Findings in which a value said aloud takes in its parts, and the infoType of the best of them."""
    for whole in [f for f in group if f.detector == _SPEECH and _LETTER.search(text, f.start, f.end)]:
        outranked = CATCH_ALL if whole.info_type == _SPELLED else _NAMES | CATCH_ALL
        parts = [f for f in group if _within(f, whole) and f.info_type not in outranked and f != whole]
        best = min(
            parts, key=lambda f: (f.detector == _SPEECH, f.start - f.end, _order(f, rank)), default=whole
        )
        group = [f for f in group if not _within(f, whole)]
        group.append(best._replace(start=whole.start, end=whole.end, detector=_SPEECH))
    return group


def _resolved(text: str, group: Sequence[Finding], rank: Mapping[str, int]) -> list[Finding]:
    best, *others = _by_preference(group, rank)
    if all(_within(one, best) for one in others):
        return [best]
    chosen, passed = [best], list[Finding]()
    for finding in others:
        over = [c for c in chosen if c.start < finding.end and finding.start < c.end]
        if not over:
            chosen.append(finding)
        elif finding.info_type not in _EDGED and all(c.info_type == finding.info_type for c in over):
            start, end = min(c.start for c in over), max(c.end for c in over)
            if finding.start < start and _belongs(text, [finding], finding.start, start):
                start = finding.start
            if finding.end > end and _belongs(text, [finding], end, finding.end):
                end = finding.end
            chosen = [*(c for c in chosen if c not in over), over[0]._replace(start=start, end=end)]
        else:
            passed.append(finding)
    taken = [(c.start, c.end) for c in chosen]
    left = sorted({rest for one in passed for rest in _rest(text, one[:2], taken)})
    for start, end in _united(left):
        owners = [f for f in passed if f.start < end and start < f.end]
        if _belongs(text, owners, start, end):
            _give(text, start, end, owners, chosen)
    return sorted(chosen)


def _by_preference(group: Sequence[Finding], rank: Mapping[str, int]) -> list[Finding]:
    """Overlapping findings, the best first.

    In order: the user's own infoType, unless less likely; what is no mere part of a likely value;
    what is no weakly introduced name; rank, detector, likelihood, length, position, name.
    """
    surest = max(f.likelihood for f in group)
    values = [f for f in group if f.info_type not in _NAMES | CATCH_ALL]
    likely = [f for f in values if f.likelihood >= Likelihood.LIKELY and f.detector != _NETWORK]
    seen = [f for f in group if f.detector == _NETWORK and (f.info_type == _ADDRESS or f in values)]

    def is_part(f: Finding) -> bool:
        """Whether it is a part of a likely value, or weakly found within a value of the network."""
        is_name = f.info_type in _NAMES
        alone = not is_name or f.end - f.start <= _SHORT
        weak = f.detector != _NETWORK and f.likelihood <= Likelihood.POSSIBLE + is_name
        wholes = [*(w for w in likely if alone and f[:2] != w[:2]), *(seen if weak else ())]
        return any(_within(f, w) for w in wholes)

    def key(f: Finding) -> tuple[object, ...]:
        by_rules = f.detector == "rules"
        is_own = by_rules and f.info_type not in rank and f.likelihood >= surest
        # "name" may precede the name of a person, a city or a company.
        weak_name = by_rules and f.info_type in _NAMES and f.likelihood <= Likelihood.POSSIBLE
        return not is_own, is_part(f), weak_name, *_order(f, rank)

    return sorted(group, key=key)


def _within(part: Finding, whole: Finding) -> bool:
    return whole.start <= part.start and part.end <= whole.end


def _with_cut_addresses(text: str, group: Sequence[Finding]) -> list[Finding]:
    """Cut what the network found beside the street from addresses found by rules, which match generously."""
    streets = [f for f in group if f.info_type == _ADDRESS and f.detector == _NETWORK]
    if not streets:
        return list(group)
    beside = [(f.start, f.end) for f in group if f.detector == _NETWORK and f.info_type in _BESIDE_STREETS]
    cut: list[Finding] = []
    for finding in group:
        if finding.info_type != _ADDRESS or finding.detector == _NETWORK:
            cut.append(finding)
            continue
        breaks = (finding.start + m.start() for m in re.finditer("\n", text[finding.start : finding.end]))
        apart = [(at, at + 1) for at in breaks if not any(s.start < at < s.end for s in streets)]
        rest = _rest(text, finding[:2], [*beside, *apart])
        cut += (finding._replace(start=start, end=end) for start, end in rest)
    return cut


def _give(text: str, start: int, end: int, owners: Sequence[Finding], chosen: list[Finding]) -> None:
    """Extend the chosen finding beside some text over it, or make the text a finding of its owner."""
    before = max((c for c in chosen if c.end <= start), default=None)
    behind = min((c for c in chosen if c.start >= end), default=None)
    whole = next((f for f in owners if f.start <= start and end <= f.end), owners[0])
    for c, gap in (
        (before, text[before.end : start] if before else ""),
        (behind, text[end : behind.start] if behind else ""),
    ):
        if c is None or any(map(str.isalnum, gap)):
            continue
        same = (c.info_type in _NAMES) == (whole.info_type in _NAMES) or whole.info_type in CATCH_ALL
        if not gap or (same and any(f.start < c.end and c.start < f.end for f in owners)):
            wider = c._replace(start=min(c.start, start), end=max(c.end, end))
            chosen[chosen.index(c)] = wider
            return
    chosen.append(whole._replace(start=start, end=end))


def _belongs(text: str, owners: Sequence[Finding], start: int, end: int) -> bool:
    """Whether a part of findings is more than words that lead to a number."""
    return any(f.info_type in _NAMES | _WITH_WORDS for f in owners) or not all(
        len(word) > 1 and word.lower() in word_list("not_names") for word in text[start:end].split()
    )


def _rest(text: str, whole: _Range, taken: Sequence[_Range]) -> Iterator[_Range]:
    """The parts of a range that are not taken, from letter or digit to letter or digit."""
    start = whole[0]
    for first, last in [*sorted(taken), (whole[1], whole[1])]:
        if first <= whole[1] and last >= start:
            inside = [i for i in range(start, first) if text[i].isalnum()]
            if inside:
                yield inside[0], inside[-1] + 1
            start = max(start, last)


def _united(ranges: Sequence[_Range]) -> list[_Range]:
    """The unions of overlapping ranges; both are sorted."""
    united: list[_Range] = []
    for start, end in ranges:
        if united and start < united[-1][1]:
            united[-1] = united[-1][0], max(end, united[-1][1])
        else:
            united.append((start, end))
    return united
