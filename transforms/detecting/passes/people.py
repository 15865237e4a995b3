"""One finding per person: "Ann Lee and Bob Ray" are two, "Olas sønn Per" are two, "LEE, ANN" is one."""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import reduce

from tacenda.transforms.detecting.names.lexicon import kind_of, lexicon
from tacenda.transforms.detecting.passes.edges import PERSON, words
from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.readable import line_ends_within

_ALWAYS = re.compile(r"\s*[\n\r;:|]\s*|\s+/\s+")
_STOP = re.compile(r"(?<=[^\W\d_]{2})\.\s+(?=[^\W\d_]{2})")
"""A full stop between two words: the end of a sentence, or of an abbreviation."""
_WORD = re.compile(r"[^\s,]+")
_BEHIND = re.compile(r" [^\W\d_]+")
_TWICE = re.compile(r"([^\W\d_]{3,})[ ,.]+(\1)", re.IGNORECASE)
_AND_SPELLED = re.compile(
    r"([^\W\d_]{2,}(?: [^\W\d_]{2,})*)[ ,.:]+"
    r"([^\W\d_](?:(?: as in [^\W\d_]+)?[-. ]+[^\W\d_](?![^\W\d_]))+(?: as in [^\W\d_]+)?\.?)"
)
"""A name followed by its spelling: one person, but two mentions."""

_TWO_PEOPLE = 4
"""Fewest words of a list without commas."""

_ABBREVIATED = 4
"""Most letters of a name that is abbreviated with a full stop."""

_COMMON = 2
"""Lowest level of common names."""

_GENITIVES = ("s", "n", "'s", "’s", "'", "’")
"""Ends of a word that says whose the next one is, in the Nordic languages, German and English."""

_IN_SURNAMES = frozenset(("y", "e", "i"))
"""Also occur within one person's name: Ramón y Cajal."""


def split_people(text: str, finding: Finding) -> list[Finding]:
    """Split a finding of PERSON_NAME into one for each person."""
    start, end = finding.start, finding.end
    said = text[start:end]
    if said.isalpha():
        return [finding]
    if (twice := _TWICE.fullmatch(said)) or (twice := _AND_SPELLED.fullmatch(said)):
        return [finding._replace(end=start + twice.end(1)), finding._replace(start=start + twice.start(2))]
    if said.count(" ") < 1 and "\n" not in said and ":" not in said:
        return [finding]
    breaks = {place - start for place in line_ends_within(text, start, end)}
    parts = [(start + a, start + b) for part in _parts(said, breaks) for a, b in _pairs(said, *part)]
    return [finding] if len(parts) < 2 else [finding._replace(start=a, end=b) for a, b in parts if a < b]


def split_owners(text: str, finding: Finding) -> list[Finding]:
    """Cut whom or what a name's bearer has off the name: "Karlssons journal", "Hansens kone Mette Holm".

    No firm or place goes on so, whatever a network takes it for.
    """
    found = list(_WORD.finditer(text, finding.start, finding.end))
    kin = word_list("kinship")
    if len(found) > 1 and found[0][0] in kin:
        return [finding._replace(start=found[1].start())]
    behind = _BEHIND.match(text, finding.end)
    for k, owner in enumerate(found):
        owned = found[k + 1] if k + 1 < len(found) else behind
        if owned is None or not (owner[0][:1].isupper() and owner[0].endswith(_GENITIVES)):
            continue
        its, rest = owned[0].strip(), found[k + 2 :]
        if its in kin or (its in words("owned") and owned is not behind and not rest):
            people = [finding._replace(end=owner.end(), info_type=PERSON)]
            return people + [finding._replace(start=one.start(), info_type=PERSON) for one in rest[:1]]
    return [finding]


def join_turned(text: str, findings: Sequence[Finding]) -> list[Finding]:
    """Join a family name and the given name behind it, as records have them: "LEE, ANN"."""

    def joined(done: list[Finding], one: Finding) -> list[Finding]:
        if done and _is_turned(text, done[-1], one):
            return [*done[:-1], done[-1]._replace(end=one.end)]
        return [*done, one]

    return reduce(joined, sorted(findings), [])


def _is_turned(text: str, family: Finding, given: Finding) -> bool:
    said, its = text[family.start : family.end], text[given.start : given.end]
    if (
        text[family.end : given.start] != ", "
        or {family.info_type, given.info_type} != {PERSON}
        or not (said.isupper() and its.isupper() and said.isalpha())
        or text.startswith(",", given.end)
        or text.endswith(", ", 0, family.start)
    ):
        return False
    lists = lexicon()
    one, other = kind_of(said.lower()), kind_of(its.split()[0].lower())
    return bool(lists.family[one] >= lists.given[one] and lists.given[other] >= lists.family[other])


def _parts(said: str, breaks: Collection[int]) -> Iterator[tuple[int, int]]:
    """The parts between marks and line ends; those at ``breaks`` are within a name."""
    begin = 0
    cuts = [
        cut.span()
        for cut in _ALWAYS.finditer(said)
        if not any(cut.start() <= at < cut.end() for at in breaks)
    ]
    cuts += [stop.span() for stop in _STOP.finditer(said) if _ends_a_name(said, stop)]
    for first, last in sorted(cuts):
        if begin <= first:
            yield from _listed(said, begin, first)
            begin = last
    yield from _listed(said, begin, len(said))


def _ends_a_name(said: str, stop: re.Match[str]) -> bool:
    """Whether a full stop ends a whole name: "Jo Doe QC. Bill Essick", and not "Prof. Dr. Ann Lee"."""
    last = said[: stop.start()].split()[-1]
    if " " not in said[: stop.start()].strip() or said[stop.end()].islower():
        return False
    # Geo. and Wm. are abbreviations.
    is_family = len(last) > _ABBREVIATED and lexicon().family[kind_of(last.lower())] >= _COMMON
    return bool(is_family) or last.lower() in words("post_nominals")


def _listed(said: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split a list of names: at words for "and", and at commas with a name on both sides."""
    between = words("between")
    found = list(_WORD.finditer(said, start, end))
    cuts: list[tuple[int, int]] = []
    for k in range(1, len(found) - 1):
        word = found[k][0].lower()
        if (
            word in between
            and len(found[k - 1][0]) > 1 < len(found[k + 1][0])
            and (k > 1 or found[0][0].rstrip(".").lower() not in words("honorifics"))
            and (word not in _IN_SURNAMES or 2 <= k < len(found) - 2)
        ):
            cuts.append(found[k].span())
    commas = [start + m.start() for m in re.finditer(",", said[start:end])]
    if commas and (cuts or len(commas) > 1 or _two_names(found, commas[0])):
        suffixes = words("suffixes")
        for comma in commas:
            behind = next((word[0] for word in found if word.start() > comma), "")
            if behind.strip(".").lower() not in suffixes:
                cuts.append((comma, comma + 1))
    begin = start
    for first, last in sorted(cuts):
        if begin < first:
            yield _stripped(said, begin, first)
        begin = last
    yield _stripped(said, begin, end)


def _pairs(said: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split a list without commas, as "Ann Lee Bob Stone", into pairs of a given and a family name.

    Not if a word may be either, or a name is longer.
    """
    found = list(_WORD.finditer(said, start, end))
    if len(found) < _TWO_PEOPLE or len(found) % 2:
        yield start, end
        return
    lists = lexicon()
    kinds = [kind_of(word[0].lower()) for word in found]
    given, family = [int(lists.given[kind]) for kind in kinds], [int(lists.family[kind]) for kind in kinds]
    if any(
        given[k] < _COMMON or family[k] >= given[k] or family[k + 1] < _COMMON
        for k in range(0, len(kinds), 2)
    ):
        yield start, end
        return
    for first, last in zip(found[::2], found[1::2], strict=True):
        yield first.start(), last.end()


def _two_names(found: list[re.Match[str]], comma: int) -> bool:
    before = sum(word.start() < comma for word in found)
    return before >= 2 and len(found) - before >= 2


def _stripped(said: str, start: int, end: int) -> tuple[int, int]:
    while start < end and said[start].isspace():
        start += 1
    while start < end and said[end - 1].isspace():
        end -= 1
    return start, end
