"""Resolve overlapping findings of a cell into disjoint ones: the only place where overlaps are decided.

Where detectors disagree, the better finding keeps its edges, and text covered only by others goes to the
finding it belongs to. Every covered letter and digit stays covered, except words that lead to a number.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from tacenda.transforms.detecting.overlaps import (
    UNRANKED,
    detector_precedence,
    merge_overlapping,
    overlapping,
)
from tacenda.transforms.detecting.passes.edges import NAMES, words
from tacenda.transforms.detecting.word_lists import is_everyday
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.readable import line_ends_within

_ADDRESS = "STREET_ADDRESS"
_NETWORK = "model"
_OF_ADDRESSES = frozenset(("LOCATION", "ZIP_CODE", "US_STATE", "CITY", "COUNTRY"))
_BEFORE_ADDRESSES = frozenset(("PERSON_NAME", "ORGANIZATION_NAME"))

_CATCH_ALL = frozenset(("NUMERIC", "SPELLED_WORD"))
_WITH_WORDS = frozenset((_ADDRESS, "DATE", "DATE_OF_BIRTH", "TIME", "AGE", "USER_NAME", "PASSWORD"))
"""InfoTypes that contain words other than names."""

_EDGED = NAMES | {"EMAIL_ADDRESS"}
"""InfoTypes that, lying over another, are not just an extension of it: a person may precede an address."""

_GAPS_IN_NAMES = frozenset((" ", ", "))
_SHORT = 5
"""Most characters of a name that is a part of a spelled value, as "n. c."."""

_LAST = 9
"""After the position of every detector."""

_MOST = 200
"""Most findings in one overlapping group; more are merged into one."""

_Range = tuple[int, int]
_Key = Callable[[Finding], tuple[object, ...]]


def resolve(text: str, findings: Sequence[Finding], rank: Mapping[str, int]) -> list[Finding]:
    """Resolve the findings of a cell into disjoint ones, sorted by start.

    Args:
        text: the cell.
        findings: in any order; they may overlap.
        rank: of each infoType, higher is better; ``UNRANKED`` if missing.
    """
    groups = overlapping(findings)
    return [
        one for group in groups for one in (group if len(group) == 1 else _resolve_group(text, group, rank))
    ]


def _resolve_group(text: str, group: list[Finding], rank: Mapping[str, int]) -> list[Finding]:
    if len(group) > _MOST:
        return merge_overlapping(group, rank)
    group = _cut_addresses(text, group)
    key = _preference(group, rank)
    if all(f.start == group[0].start and f.end == group[0].end for f in group):
        return [min(group, key=key)]
    chosen, passed = _choose(text, group, key)
    chosen = _join_parts(text, chosen, passed)
    return _assign_leftovers(text, chosen, passed)


def _preference(group: Sequence[Finding], rank: Mapping[str, int]) -> _Key:
    """Sort key for overlapping findings: the best first.

    In order: the user's own infoType, unless less likely; what is no mere part of a likely value; rank,
    detector, likelihood, length, position, name.
    """
    surest = max(f.likelihood for f in group)
    values = [f for f in group if f.info_type not in NAMES and f.info_type not in _CATCH_ALL]
    likely = [f for f in values if f.likelihood >= Likelihood.LIKELY and f.detector != _NETWORK]
    heard = [f for f in group if f.detector == _NETWORK]

    def is_part(f: Finding) -> bool:
        """Whether it is a part of a likely value, or weakly found within what the network found."""
        is_name = f.info_type in NAMES
        if (not is_name or f.end - f.start <= _SHORT) and any(_lies_in(f, w) for w in likely):
            return True
        if f.detector == _NETWORK or f.likelihood > (Likelihood.LIKELY if is_name else Likelihood.POSSIBLE):
            return False
        around = (w for w in heard if w.start <= f.start and f.end <= w.end)
        return any(f.info_type == _ADDRESS or w in values for w in around)

    def key(f: Finding) -> tuple[object, ...]:
        return (
            not (f.info_type not in rank and f.detector == "rules" and f.likelihood >= surest),
            is_part(f),
            -rank.get(f.info_type, UNRANKED),
            _precedence(f),
            -f.likelihood,
            f.start - f.end,
            f.start,
            f.info_type,
            f.detector,
        )

    return key


def _precedence(finding: Finding) -> int:
    """A finding's position by detector; rules that found a name by a weak cue come after all others.

    "name" may precede the name of a person, a city or a company.
    """
    weak = finding.detector == "rules" and finding.likelihood <= Likelihood.POSSIBLE
    return _LAST if weak and finding.info_type in NAMES else detector_precedence(finding.detector)


def _lies_in(part: Finding, whole: Finding) -> bool:
    return whole.start <= part.start and part.end <= whole.end and part[:2] != whole[:2]


def _cut_addresses(text: str, group: list[Finding]) -> list[Finding]:
    """Cut what the network found beside the street from addresses found by rules, which match generously."""
    said = [f for f in group if f.detector == _NETWORK]
    streets = [f for f in said if f.info_type == _ADDRESS]
    if not streets or len(said) == len(group):
        return group
    cut: list[Finding] = []
    for finding in group:
        if finding.info_type != _ADDRESS or finding.detector == _NETWORK:
            cut.append(finding)
            continue
        first_street = min((s.start for s in streets if s.end > finding.start), default=finding.end)
        beside = [
            (f.start, f.end)
            for f in said
            if f.start < finding.end and finding.start < f.end and _is_beside(text, finding, f, first_street)
        ]
        rest = _rest(text, (finding.start, finding.end), [*beside, *_line_breaks(text, finding, streets)])
        cut += (finding._replace(start=start, end=end) for start, end in rest)
    return sorted(cut)


def _line_breaks(text: str, address: Finding, streets: Sequence[Finding]) -> Iterator[_Range]:
    """The line breaks in an address with a street of the network on either side and none across."""
    for line_end in re.finditer("\n", text[address.start : address.end]):
        at = address.start + line_end.start()
        if (
            any(address.start < s.end <= at for s in streets)
            and any(at < s.start < address.end for s in streets)
            and not any(s.start < at < s.end for s in streets)
        ):
            yield at, at + 1


def _is_beside(text: str, address: Finding, part: Finding, street: int) -> bool:
    """Whether a part of what rules took for an address lies beside its street, which begins at ``street``."""
    leading = text[address.start : part.start]
    if part.info_type in _OF_ADDRESSES:
        return part.start > street or not any(map(str.isalnum, leading))
    if part.info_type in _BEFORE_ADDRESSES:
        return part.end <= street and not any(map(str.isdigit, leading))
    return part.info_type == "PHONE_NUMBER" and street < part.start


def _choose(text: str, group: Sequence[Finding], key: _Key) -> tuple[list[Finding], list[Finding]]:
    """The chosen findings, disjoint and sorted, and those passed over.

    A finding that only overlaps chosen ones of its own infoType extends them.
    """
    chosen: list[Finding] = []
    passed: list[Finding] = []
    for finding in sorted(group, key=key):
        over = [c for c in chosen if c.start < finding.end and finding.start < c.end]
        if not over:
            chosen.append(finding)
        elif finding.info_type not in _EDGED and all(c.info_type == finding.info_type for c in over):
            start, end = min(c.start for c in over), max(c.end for c in over)
            start = min(start, finding.start) if _belongs(text, finding, finding.start, start) else start
            end = max(end, finding.end) if _belongs(text, finding, end, finding.end) else end
            chosen = [*(c for c in chosen if c not in over), over[0]._replace(start=start, end=end)]
        else:
            passed.append(finding)
    return sorted(chosen), passed


def _join_parts(text: str, chosen: list[Finding], passed: Sequence[Finding]) -> list[Finding]:
    """Join neighbours that another finding covers as one, if they are one name or one spelled value."""
    for whole in passed:
        parts = [c for c in chosen if c.start < whole.end and whole.start < c.end]
        if len(parts) < 2 or parts[0].start < whole.start or whole.end < parts[-1].end:
            continue
        gaps = {
            text[a.end : b.start] for a, b in pairwise(parts) if not line_ends_within(text, a.end, b.start)
        }
        same = {part.info_type for part in parts} == {whole.info_type}
        is_name = whole.info_type in NAMES and same and (whole.detector == _NETWORK or gaps <= _GAPS_IN_NAMES)
        words_of_one = gaps == {" "} and all(text[p.start].isupper() and _is_word(text, p) for p in parts)
        if whole.info_type in NAMES and words_of_one and not is_name:
            chosen[chosen.index(parts[0]) : chosen.index(parts[-1]) + 1] = [
                parts[0]._replace(end=parts[-1].end)
            ]
        elif is_name or (whole.detector == "spoken" and whole.info_type not in _CATCH_ALL | {_ADDRESS}):
            best = max(parts, key=lambda c: (c.info_type == whole.info_type, c.end - c.start, -c.start))
            start, end = min(parts[0].start, whole.start), max(parts[-1].end, whole.end)
            place = chosen.index(parts[0])
            joined = best._replace(start=start, end=end, info_type=whole.info_type)
            chosen[place : place + len(parts)] = [joined]
    return chosen


def _is_word(text: str, finding: Finding) -> bool:
    return " " not in text[finding.start : finding.end]


def _assign_leftovers(text: str, chosen: list[Finding], passed: Sequence[Finding]) -> list[Finding]:
    """Give text that only passed findings cover to the chosen finding that it belongs to, or make it one."""
    taken = [(c.start, c.end) for c in chosen]
    left = {rest for finding in passed for rest in _rest(text, (finding.start, finding.end), taken)}
    for start, end in _united(left):
        owners = [f for f in passed if f.start < end and start < f.end]
        if any(f.info_type in NAMES | _WITH_WORDS for f in owners) or _holds_data(text, start, end):
            _assign(text, start, end, owners, chosen)
    return sorted(chosen)


def _assign(text: str, start: int, end: int, owners: Sequence[Finding], chosen: list[Finding]) -> None:
    before = max((c for c in chosen if c.end <= start), default=None)
    behind = min((c for c in chosen if c.start >= end), default=None)
    beside = [
        c
        for c, first, last in ((before, before and before.end, start), (behind, end, behind and behind.start))
        if c is not None and first is not None and last is not None and not _has_letters(text, first, last)
    ]
    whole = [f for f in owners if f.start <= start and end <= f.end] or list(owners)
    names = [f for f in whole if f.info_type in NAMES]
    touching = [c for c in beside if start in (c.end, c.start) or end in (c.end, c.start)]
    if touching:
        _extend(chosen, touching[0], start, end)
    elif names and all(c.info_type not in NAMES for c in beside):
        chosen.append(names[0]._replace(start=start, end=end))
    else:
        own = next((c for c in beside if _is_of_kind(c, owners, text[start:end])), None)
        if own is None:
            chosen.append(whole[0]._replace(start=start, end=end))
        else:
            _extend(chosen, own, start, end)


def _extend(chosen: list[Finding], finding: Finding, start: int, end: int) -> None:
    wider = finding._replace(start=min(finding.start, start), end=max(finding.end, end))
    chosen[chosen.index(finding)] = wider


def _is_of_kind(chosen: Finding, owners: Sequence[Finding], said: str) -> bool:
    """Whether a finding that was passed over overlaps the chosen one and is of its kind."""
    is_name, has_digits = chosen.info_type in NAMES, any(map(str.isdigit, said))
    return any(
        f.start < chosen.end
        and chosen.start < f.end
        and (
            f.info_type == chosen.info_type
            or f.info_type in _CATCH_ALL
            or (f.info_type in NAMES) == is_name
            or (f.start <= chosen.start and chosen.end <= f.end and not has_digits)
        )
        for f in owners
    )


def _belongs(text: str, finding: Finding, start: int, end: int) -> bool:
    """Whether a part of a finding is more than words beside its number."""
    return finding.info_type in _WITH_WORDS or _holds_data(text, start, end)


def _holds_data(text: str, start: int, end: int) -> bool:
    """Whether text covered only by a number's finding is more than words that lead to the number."""
    lead = words("before_codes")
    return not all(
        len(word) > 1 and (word.lower() in lead or is_everyday(word.lower()))
        for word in text[start:end].split()
    )


def _rest(text: str, whole: _Range, taken: Sequence[_Range]) -> Iterator[_Range]:
    """The parts of a range that are not taken, from letter or digit to letter or digit."""
    start = whole[0]
    for first, last in sorted(taken):
        if first < whole[1] and last > start:
            yield from _trimmed(text, start, first)
            start = max(start, last)
    yield from _trimmed(text, start, whole[1])


def _trimmed(text: str, start: int, end: int) -> Iterator[_Range]:
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    if start < end:
        yield start, end


def _has_letters(text: str, start: int, end: int) -> bool:
    return any(map(str.isalnum, text[start:end]))


def _united(ranges: set[_Range]) -> list[_Range]:
    """The unions of overlapping ranges, sorted."""
    united: list[_Range] = []
    for start, end in sorted(ranges):
        if united and start < united[-1][1]:
            united[-1] = united[-1][0], max(end, united[-1][1])
        else:
            united.append((start, end))
    return united
