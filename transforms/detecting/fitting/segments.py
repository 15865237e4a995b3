"""Resolve overlapping findings of one cell into disjoint ones, each with the edges of one original.

Where detectors disagree, the better finding keeps its edges, and text covered only by others goes to the
finding it belongs to: every covered letter and digit stays covered, except words that are not personal data.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from tacenda.transforms.detecting.fitting.edges import NAMES, PERSON
from tacenda.transforms.detecting.fitting.words import words
from tacenda.transforms.detecting.names.lexicon import kind_of, lexicon
from tacenda.transforms.detecting.overlaps import UNRANKED, heard_after, merge_overlapping
from tacenda.transforms.detecting.word_lists import is_everyday
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.readable import line_ends_within

ADDRESS = "STREET_ADDRESS"
_MODEL = "model"
_GAZETTEER = "gazetteer"
_OF_ADDRESSES = frozenset(("LOCATION", "ZIP_CODE", "US_STATE", "CITY", "COUNTRY"))
_BEFORE_ADDRESSES = frozenset((PERSON, "ORGANIZATION_NAME"))
_CATCH_ALL = frozenset(("NUMERIC", "SPELLED_WORD"))
_WITH_WORDS = frozenset((ADDRESS, "DATE", "DATE_OF_BIRTH", "TIME", "AGE", "USER_NAME", "PASSWORD"))
"""InfoTypes that contain words other than names."""

_EDGED = NAMES | {"EMAIL_ADDRESS"}
"""InfoTypes that, lying over another, are not just an extension of it: a person may precede an address."""

_FAMILY = {"DOMAIN_NAME": "URL"}

_PLACES = frozenset(("LOCATION", "US_STATE"))
_STATE = re.compile("[A-Z]{2}")
_HOUSE = re.compile(r" [0-9]{1,5} (?:[^\W\d_]+ )*[^\W\d_]{3}")
_GAPS_IN_NAMES = frozenset((" ", ", "))

_SSN = "US_SOCIAL_SECURITY_NUMBER"
_NUMBERS = frozenset(
    ("FINANCIAL_ACCOUNT_NUMBER", "CREDIT_CARD_NUMBER", "PHONE_NUMBER", "PASSWORD", "GENERIC_ID")
)
_MONEY = frozenset((_SSN, "FINANCIAL_ACCOUNT_NUMBER", "CREDIT_CARD_NUMBER"))
_LAST_DIGITS = 4
"""Length of a partial social security number."""

_TITLE = 20
"""Code points before a name in which its title may be."""

_SHORT = 5
"""Most characters of short spelled letters, as n. c."""

_MOST = 200
"""Most findings in one overlapping group; analysing more for parts of each other would take too long."""

Range = tuple[int, int]
Key = Callable[[Finding], tuple[object, ...]]


def disjoint(text: str, findings: Sequence[Finding], rank: Mapping[str, int]) -> list[Finding]:
    """Resolve the findings of a cell into disjoint ones, sorted by start.

    Args:
        text: the cell.
        findings: in any order; they may overlap.
        rank: of each infoType, higher is better; ``UNRANKED`` if missing.
    """
    ordered = sorted(f for f in findings if f.start < f.end)
    resolved: list[Finding] = []
    group: list[Finding] = []
    reach = -1
    for finding in ordered:
        if finding.start >= reach:
            if group:
                resolved += _resolved(text, group, rank)
            group = []
        group.append(finding)
        reach = max(reach, finding.end)
    if group:
        resolved += _resolved(text, group, rank)
    return resolved


def _resolved(text: str, group: list[Finding], rank: Mapping[str, int]) -> list[Finding]:
    if len(group) == 1:
        return group
    if len(group) > _MOST:
        return merge_overlapping(group, rank)
    first = group[0]
    if all(f.start == first.start and f.end == first.end and f.info_type == first.info_type for f in group):
        return [min(group, key=_surest)]
    group = _cut_occupants(text, _cut_persons(text, _cut_firms(text, _cut_addresses(text, group))))
    group = _answered(group)
    key = _preference(text, group, rank)
    if all(f.end == group[0].end and f.start == group[0].start for f in group):
        return [min(group, key=key)]
    return _segments(text, group, key)


def _surest(finding: Finding) -> tuple[int, int, str]:
    """Sort key for findings of the same range and infoType: the best first."""
    return heard_after(finding.detector), -finding.likelihood, finding.detector


def _preference(text: str, group: Sequence[Finding], rank: Mapping[str, int]) -> Key:
    """Sort key for overlapping findings: the best first.

    In order: the user's own infoType, unless less likely; findings that are not just part of another; then
    rank, detector, likelihood, length, position and name.
    """
    surest = max(f.likelihood for f in group)
    wholes = _Wholes(text, group)

    def key(f: Finding) -> tuple[object, ...]:
        return (
            not (f.info_type not in rank and f.detector == "rules" and f.likelihood >= surest),
            wholes.hold(f),
            -rank.get(f.info_type, UNRANKED),
            _heard_after(text, f),
            -f.likelihood,
            f.start - f.end,
            f.start,
            f.info_type,
            f.detector,
        )

    return key


def _heard_after(text: str, finding: Finding) -> float:
    """Priority of a finding among those of one rank; rules that rely on a weak cue come after the model.

    "name" may precede the name of a person, a city or a company; a title, only that of a person.
    """
    start, _, info_type, likelihood, detector = finding
    if info_type in NAMES and detector == "rules" and likelihood <= Likelihood.POSSIBLE:
        before = text[max(start - _TITLE, 0) : start].lower().split()
        if not (before and before[-1].strip(".,:") in words("titles")):
            return heard_after(_MODEL) + 0.5
    return heard_after(detector)


class _Wholes:
    """Findings in an overlapping group of which others may be mere parts, regardless of rank.

    A model's number may be part of a longer one found by rules, or of an address; a name found only in lists,
    part of a code found by a model; a street found by rules, part of a firm found by a model.
    """

    def __init__(self, text: str, group: Sequence[Finding]) -> None:
        self._text = text
        self._codes = [
            f
            for f in group
            if f.info_type not in NAMES
            and f.info_type not in _CATCH_ALL
            and f.info_type != ADDRESS
            and (f.detector == "spoken" or (f.likelihood >= Likelihood.LIKELY and f.detector == "rules"))
        ]
        self._addresses = [f for f in group if f.info_type == ADDRESS and f.likelihood >= Likelihood.LIKELY]
        said = [f for f in group if f.detector == _MODEL]
        self._said_names = [f for f in said if f.info_type in NAMES]
        self._zip_codes = [f for f in said if f.info_type == "ZIP_CODE"]
        self._said_codes = [f for f in said if f.info_type not in NAMES and f.info_type != ADDRESS]

    def hold(self, finding: Finding) -> bool:
        """Whether a finding is part of one of these."""
        if finding.info_type == ADDRESS:
            if finding.detector != _MODEL and any(
                _covers(code, finding) and code.info_type in _MONEY for code in self._said_codes
            ):
                return not any(map(str.isalpha, self._text[finding.start : finding.end]))
            return (
                finding.detector != _MODEL
                and finding.likelihood < Likelihood.VERY_LIKELY
                and (
                    any(_is_part(finding, whole) for whole in self._said_names)
                    or (
                        finding.likelihood <= Likelihood.POSSIBLE
                        and any(
                            _covers(whole, finding) and whole.info_type == "ORGANIZATION_NAME"
                            for whole in self._said_names
                        )
                    )
                )
            )
        if finding.info_type == "GENERIC_ID" and any(
            _covers(zip_code, finding) for zip_code in self._zip_codes
        ):
            return True
        if finding.info_type not in NAMES:
            if any(_is_part(finding, whole) for whole in self._addresses):
                return True
            if finding.detector == _MODEL:
                return any(_is_part(finding, whole) for whole in self._codes)
            return finding.likelihood <= Likelihood.POSSIBLE and any(
                _covers(whole, finding) for whole in self._said_codes
            )
        if finding.detector != _MODEL and finding.likelihood < Likelihood.VERY_LIKELY:
            if any(_covers(whole, finding) for whole in self._said_codes):
                return True
            if finding.likelihood <= Likelihood.POSSIBLE and any(_is_part(finding, w) for w in self._codes):
                return True
        return finding.end - finding.start <= _SHORT and any(_is_part(finding, w) for w in self._codes)


def _covers(whole: Finding, finding: Finding) -> bool:
    return whole.start <= finding.start and finding.end <= whole.end


def _is_part(finding: Finding, whole: Finding) -> bool:
    return _covers(whole, finding) and whole.end - whole.start > finding.end - finding.start


def _cut_addresses(text: str, group: list[Finding]) -> list[Finding]:
    """Remove what a model found next to the street from addresses found by rules, which match generously."""
    if not any(f.info_type == ADDRESS and f.detector != _MODEL for f in group):
        return group
    said = [f for f in group if f.detector == _MODEL]
    streets = [f for f in said if f.info_type == ADDRESS]
    cut: list[Finding] = []
    for finding in group:
        if finding.info_type != ADDRESS or finding.detector == _MODEL:
            cut.append(finding)
            continue
        first_street = min((s.start for s in streets if s.end > finding.start), default=finding.end)
        cutters = sorted(
            (f.start, f.end)
            for f in said
            if f.start < finding.end
            and f.end > finding.start
            and (
                (f.info_type in _OF_ADDRESSES and (f.start > first_street or not _lead(text, finding, f)))
                or (
                    f.info_type in _BEFORE_ADDRESSES
                    and f.end <= first_street
                    and not any(map(str.isdigit, text[finding.start : f.start]))
                )
                # "60 cedar ave floor 9 four four five five five …": spoken house numbers go on without end.
                or (f.info_type == "PHONE_NUMBER" and first_street < f.start)
            )
        )
        if not streets:
            cutters = []
        cutters += _line_breaks(text, finding, streets)
        cutters.sort()
        cut += (
            finding._replace(start=a, end=b) for a, b in _rest(text, (finding.start, finding.end), cutters)
        )
    return sorted(cut)


def _cut_firms(text: str, group: list[Finding]) -> list[Finding]:
    """Cut off the person named after a firm in lower-case speech ("prairie wind hospital olu")."""
    persons = {f.end: f for f in group if f.info_type == PERSON and f.detector == _GAZETTEER}
    if not persons:
        return group
    cut: list[Finding] = []
    for finding in group:
        person = persons.get(finding.end) if finding.info_type == "ORGANIZATION_NAME" else None
        if (
            person is not None
            and finding.detector == _MODEL
            and person.start > finding.start + 1
            and text[finding.start : finding.end].islower()
            and _ends_a_firm(text[finding.start : person.start], person, text)
        ):
            finding = finding._replace(end=person.start - 1)
        cut.append(finding)
    return cut


def _cut_persons(text: str, group: list[Finding]) -> list[Finding]:
    """Cut a firm found by a model from the persons before it ("Ana Ruiz Hospital del Mar")."""
    firms = [f for f in group if f.info_type == "ORGANIZATION_NAME" and f.detector == _MODEL]
    if not firms:
        return group
    cut: list[Finding] = []
    for finding in group:
        if finding.info_type == PERSON and finding.detector != _MODEL:
            firm = next((f for f in firms if finding.start < f.start < finding.end <= f.end), None)
            if (
                firm is not None
                and text[firm.start - 1] == " "
                and " " in text[finding.start : firm.start - 1]
                and _begins_a_firm(text[firm.start : firm.end])
            ):
                finding = finding._replace(end=firm.start - 1)
        cut.append(finding)
    return sorted(cut)


def _cut_occupants(text: str, group: list[Finding]) -> list[Finding]:
    """Cut the name of who lives there from lower-case addresses ("daniel 3 park avenue")."""
    persons = {f.start: f for f in group if f.info_type == PERSON and f.detector == _GAZETTEER}
    if not persons:
        return group
    cut: list[Finding] = []
    for finding in group:
        person = persons.get(finding.start) if finding.info_type == ADDRESS else None
        if person is not None and finding.detector == _MODEL and text[finding.start : finding.end].islower():
            behind = text[person.end : finding.end]
            if _HOUSE.match(behind):
                finding = finding._replace(start=person.end + 1)
        cut.append(finding)
    return sorted(cut)


def _begins_a_firm(said: str) -> bool:
    lists = lexicon()
    kind = kind_of(said.split()[0].lower())
    return bool(lists.is_in["organization_heads"][kind] or lists.is_in["organization_ends"][kind])


def _answered(group: list[Finding]) -> list[Finding]:
    """Drop a partial social security number found by rules where a model found another kind of number.

    The rules only know that one was mentioned nearby, and it may have been given already.
    """
    codes = [f for f in group if f.detector == _MODEL and f.info_type in _NUMBERS]
    if not codes:
        return group
    return [
        f
        for f in group
        if f.info_type != _SSN
        or f.detector != "rules"
        or f.end - f.start > _LAST_DIGITS
        or all(code.start != f.start or code.end != f.end for code in codes)
    ]


def _lead(text: str, address: Finding, part: Finding) -> bool:
    """Whether words of an address precede a part of it: the corner of Auenweg."""
    return any(map(str.isalnum, text[address.start : part.start]))


def _ends_a_firm(said: str, person: Finding, text: str) -> bool:
    if not said.endswith(" ") or not said[-2].isalnum():
        return False
    if person.likelihood >= Likelihood.LIKELY and " " in text[person.start : person.end]:
        return True
    return bool(lexicon().is_in["organization_ends"][kind_of(said.split()[-1])])


def _line_breaks(text: str, finding: Finding, streets: Sequence[Finding]) -> Iterator[Range]:
    """The line breaks in an address with a street on either side and none across."""
    place = text.find("\n", finding.start, finding.end)
    while place >= 0:
        before = any(s.end > finding.start and s.end <= place for s in streets)
        behind = any(s.start > place and s.start < finding.end for s in streets)
        if before and behind and not any(s.start < place < s.end for s in streets):
            yield place, place + 1
        place = text.find("\n", place + 1, finding.end)


def _segments(text: str, group: Sequence[Finding], key: Key) -> list[Finding]:
    chosen: list[Finding] = []
    passed: list[Finding] = []
    for finding in sorted(group, key=key):
        over = [c for c in chosen if c.start < finding.end and finding.start < c.end]
        if not over:
            chosen.append(finding)
        elif finding.info_type not in _EDGED and all(_family(c) == _family(finding) for c in over):
            best = over[0]
            chosen = [c for c in chosen if c not in over]
            chosen.append(
                best._replace(
                    start=min(finding.start, *(c.start for c in over)),
                    end=max(finding.end, *(c.end for c in over)),
                )
            )
        else:
            passed.append(finding)
    chosen.sort()
    chosen = _as_one(text, chosen, passed)
    taken = [(c.start, c.end) for c in chosen]
    left: dict[Range, list[Finding]] = {}
    for finding in passed:
        for rest in _rest(text, (finding.start, finding.end), taken):
            left.setdefault(rest, []).append(finding)
    if not left:
        return chosen
    for rest in _maximal(left):
        owners = [f for f in passed if f.start < rest[1] and rest[0] < f.end]
        _give(text, rest, owners, chosen)
    chosen.sort()
    return chosen


def _as_one(text: str, chosen: list[Finding], passed: Sequence[Finding]) -> list[Finding]:
    """Join neighbours that another finding covers as one, if they are one name or one spelling.

    ``chosen`` are disjoint and sorted.
    """
    for whole in passed:
        parts = [c for c in chosen if c.start < whole.end and whole.start < c.end]
        if not parts or parts[0].start < whole.start or whole.end < parts[-1].end:
            continue
        if len(parts) < 2 and not (parts[0].info_type in NAMES and _is_spelled_code(whole)):
            continue
        info_type = _type_of_one(text, whole, parts)
        if info_type is not None:
            best = max(parts, key=lambda c: (c.info_type == info_type, c.end - c.start, -c.start))
            place = chosen.index(parts[0])
            chosen[place : place + len(parts)] = [
                best._replace(
                    start=min(parts[0].start, whole.start),
                    end=max(parts[-1].end, whole.end),
                    info_type=info_type,
                )
            ]
    return chosen


def _is_capitalised_word(text: str, part: Finding) -> bool:
    return text[part.start].isupper() and " " not in text[part.start : part.end]


def _is_spelled_code(whole: Finding) -> bool:
    return (
        whole.detector == "spoken"
        and whole.likelihood >= Likelihood.LIKELY
        and whole.info_type not in _CATCH_ALL
    )


def _type_of_one(text: str, whole: Finding, parts: Sequence[Finding]) -> str | None:
    types = {part.info_type for part in parts}
    if whole.info_type in NAMES:
        pairs = [(a.end, b.start) for a, b in pairwise(parts)]
        gaps = {text[end:start] for end, start in pairs if not line_ends_within(text, end, start)}
        if types == {whole.info_type} and (whole.detector == _MODEL or gaps <= _GAPS_IN_NAMES):
            return whole.info_type
        if gaps == {", "} and types <= _PLACES and _STATE.fullmatch(text, parts[-1].start, parts[-1].end):
            return "LOCATION"
        is_first = parts[0].info_type == whole.info_type
        if is_first and gaps <= _GAPS_IN_NAMES and types == {whole.info_type, "ORGANIZATION_NAME"}:
            return whole.info_type
        if gaps == {" "} and len(parts) == 2 and all(_is_capitalised_word(text, part) for part in parts):
            return parts[0].info_type
        return None
    if whole.info_type == "SPELLED_WORD" or whole.detector == "spoken":
        if whole.info_type == ADDRESS:
            return None
        if whole.info_type not in _CATCH_ALL:
            return whole.info_type
        if any(map(str.isdigit, text[whole.start : whole.end])):
            return types.pop() if len(types) == 1 else "GENERIC_ID"
        return max(parts, key=lambda c: (c.end - c.start, -c.start)).info_type
    return None


def _family(finding: Finding) -> str:
    return _FAMILY.get(finding.info_type, finding.info_type)


def _rest(text: str, whole: Range, taken: Sequence[Range]) -> Iterator[Range]:
    """The parts of a range that are not taken, from letter or digit to letter or digit."""
    start = whole[0]
    for first, last in taken:
        if last <= start or first >= whole[1]:
            continue
        if start < first:
            yield from _with_letters(text, start, first)
        start = max(start, last)
    if start < whole[1]:
        yield from _with_letters(text, start, whole[1])


def _with_letters(text: str, start: int, end: int) -> Iterator[Range]:
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    if start < end:
        yield start, end


def _maximal(ranges: Mapping[Range, object]) -> list[Range]:
    """The unions of overlapping ranges, sorted."""
    united: list[Range] = []
    for start, end in sorted(ranges):
        if united and start < united[-1][1]:
            united[-1] = united[-1][0], max(end, united[-1][1])
        else:
            united.append((start, end))
    return united


def _give(text: str, rest: Range, owners: Sequence[Finding], chosen: list[Finding]) -> None:
    """Add uncovered text to an adjacent chosen finding, or make it a new one; drop it if it is not data."""
    start, end = rest
    before = max((c for c in chosen if c.end <= start), default=None)
    behind = min((c for c in chosen if c.start >= end), default=None)
    left = before is not None and not any(map(str.isalnum, text[before.end : start]))
    right = behind is not None and not any(map(str.isalnum, text[end : behind.start]))
    said = text[start:end]
    if not any(f.info_type in NAMES or f.info_type in _WITH_WORDS for f in owners) and not _holds_data(
        text, start, said
    ):
        return
    whole = [f for f in owners if f.start <= start and end <= f.end] or list(owners)
    if before is not None and before.end == start and left:
        _extend(chosen, before, end=end)
    elif behind is not None and behind.start == end and right:
        _extend(chosen, behind, start=start)
    elif (own := [f for f in whole if f.info_type in NAMES]) and _is_no_name_beside(
        before, behind, left, right
    ):
        chosen.append(own[0]._replace(start=start, end=end))
    elif left and before is not None and _is_of(before, owners, said):
        _extend(chosen, before, end=end)
    elif right and behind is not None and _is_of(behind, owners, said):
        _extend(chosen, behind, start=start)
    else:
        chosen.append(whole[0]._replace(start=start, end=end))


def _extend(
    chosen: list[Finding], finding: Finding, start: int | None = None, end: int | None = None
) -> None:
    place = chosen.index(finding)
    chosen[place] = finding._replace(
        start=finding.start if start is None else start, end=finding.end if end is None else end
    )


def _is_no_name_beside(before: Finding | None, behind: Finding | None, left: bool, right: bool) -> bool:
    beside = [f for f, is_near in ((before, left), (behind, right)) if f is not None and is_near]
    return all(f.info_type not in NAMES for f in beside)


def _is_of(chosen: Finding, owners: Sequence[Finding], said: str) -> bool:
    """Whether a finding that was not chosen overlaps the chosen one and is of its kind."""
    is_name, has_digits = chosen.info_type in NAMES, any(map(str.isdigit, said))
    return any(
        f.start < chosen.end
        and chosen.start < f.end
        and (
            f.info_type == chosen.info_type
            or f.info_type in _CATCH_ALL
            or (f.info_type in NAMES) == is_name
            or (_covers(f, chosen) and not has_digits)
        )
        for f in owners
    )


def _holds_data(text: str, start: int, said: str) -> bool:
    """Whether text covered only by a number's finding is more than words that introduce it."""
    if start and text[start - 1] in "'’" and len(said) <= 2:
        return False
    if said == "I" and text[:start].endswith(", "):
        return False
    lead = words("before_codes")
    return not all(
        len(word) > 1 and (word.lower() in lead or is_everyday(word.lower())) for word in said.split()
    )
