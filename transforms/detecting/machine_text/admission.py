"""Which findings count in code, records and technical writing.

Detectors learnt from what people say and write to each other. In a program ``__init__`` is no name and 8080 no
number of anybody's; so there only that counts which has a form of its own (an address, a key, a number with
check digits), and names that the lists bear out. What does not count is not hidden, and no residual either.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from importlib.resources import files
from itertools import accumulate
from typing import NamedTuple

from tacenda.transforms.detecting.faint import band_of
from tacenda.transforms.detecting.machine_text.quantities import is_quantity
from tacenda.transforms.detecting.machine_text.regions import Kind, Region, regions, technical
from tacenda.transforms.detecting.names.lexicon import lexicon
from tacenda.transforms.detecting.structures.narrowing import narrowed
from tacenda.transforms.detecting.structures.public_urls import is_public, tells_of_somebody
from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_NETWORK, _RULES = "model", "rules"
_URL = "URL"
_REACH = 60
"""Code points before a number in which a word may say whose it is."""

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_NAME_LIKE = re.compile(r"[^\W\d_a-zß-ÿ][^\W\d_]+(?:['’-][^\W\d_]+)*\.?")
_GLUE = re.compile(r"[\w$/\\@#&|<>={}()\[\]*~^%+]")
"""What beside a word, or within a finding, makes it a piece of machinery."""

_SURE, _LIKELY = 3, 2
"""Levels of names: so common that one word is enough; that the first of several words is one."""
_LANGUAGE = 2
"""Level from which on a word is one of language."""


_WRITTEN_URL = re.compile(r"(?i)https?://[^\s<>\"'()\[\]{}|]+")
_LONGEST_URL = 300
"""Code points on either side of a finding in which the rest of its URL may be."""


class _Rules(NamedTuple):
    deaf: frozenset[str]
    network: dict[str, frozenset[str]]
    names: frozenset[str]
    beside: frozenset[str]
    owned: frozenset[str]
    owners: "re.Pattern[str]"
    naming: frozenset[str]
    of_myself: "re.Pattern[str]"
    formless: dict[str, frozenset[str]]
    likely: dict[str, Likelihood]
    dotted: frozenset[str]
    accounts: frozenset[str]
    key_of_somebody: "re.Pattern[str]"
    numbers_of: "re.Pattern[str]"


class Admission:
    """Says which findings count where.

    Args:
        always: infoTypes that count everywhere: those that a config defines itself.
        asked: infoTypes that a value of a URL may be given for its key; None for any.
    """

    def __init__(self, always: Collection[str] = (), asked: Collection[str] | None = None) -> None:
        self._always = frozenset(always)
        self._asked = asked

    def admitted(
        self, texts: Sequence[str], parts: Sequence[str | None], findings: Sequence[list[Finding]]
    ) -> Sequence[list[Finding]]:
        """What counts of the findings of one conversation; those that reach over a border are cut there.

        What stands in URLs with a query, XML, headers of mail and lines of a log is cut to their values.

        Args:
            texts: its cells.
            parts: the paths of those that are values of JSON, as the batch has them.
            findings: of each cell.

        >>> found = [Finding(4, 12, "PERSON_NAME", 4, "model")]
        >>> for text in ("def __init__(self):", "I, Anna Berg, ask"):
        ...     print(len(Admission().admitted([text], [None], [found])[0]))
        0
        1
        """
        if not any(findings):
            return findings
        counting = self._counting(texts, parts, findings)
        return [self.narrowed(text, several) for text, several in zip(texts, counting, strict=True)]

    def narrowed(self, text: str, findings: list[Finding]) -> list[Finding]:
        """The findings of a cell, those in text with a grammar cut to its values; a config's own stay whole."""
        if not findings:
            return findings
        own = [one for one in findings if one.info_type in self._always]
        others = [one for one in findings if one.info_type not in self._always] if own else findings
        cut = narrowed(text, others, self._asked)
        return findings if cut is others else sorted([*own, *cut])

    def _counting(
        self, texts: Sequence[str], parts: Sequence[str | None], findings: Sequence[list[Finding]]
    ) -> Sequence[list[Finding]]:
        findings = [self._of_somebody(text, several) for text, several in zip(texts, findings, strict=True)]
        own = [regions(text) for text in texts]
        if not any(own) and not any(parts):
            return findings
        written = sum(region.end - region.start for several in own for region in several)
        if 2 * written >= sum(map(len, texts)):
            own = [technical(text, several) for text, several in zip(texts, own, strict=True)]
        return [
            self._of_cell(text, part, several, places) if several else several
            for text, part, several, places in zip(texts, parts, findings, own, strict=True)
        ]

    def _of_somebody(self, text: str, findings: list[Finding]) -> list[Finding]:
        """Drop findings that are never personal: public pages, quantities, words of technology."""
        if not findings:
            return findings
        return [one for one in findings if one.info_type in self._always or not _is_nobodys(text, one)]

    def _of_cell(
        self, text: str, part: str | None, findings: list[Finding], own: Sequence[Region]
    ) -> list[Finding]:
        rules = _rules()
        if part is not None and _TOKEN.fullmatch(text) and not rules.numbers_of.search(part):
            own = [Region(0, len(text), Kind.CODE)]
        if not own:
            return findings
        starts = [region.start for region in own]
        kept: list[Finding] = []
        waiting: list[Finding] = []
        for finding in findings:
            if finding.info_type in self._always:
                kept.append(finding)
                continue
            for piece, kind in _pieces(text, finding, own, starts):
                if kind is None:
                    kept.append(piece)
                elif piece.info_type in rules.beside:
                    if kind is not Kind.CODE and _may_stand_beside(text, piece):
                        waiting.append(piece)
                elif _counts(text, piece, kind, rules):
                    kept.append(piece)
        return sorted([*kept, *_beside_somebody(text, waiting, kept)])


_TOKEN = re.compile(
    r"-?\d+(?:\.\d+)*(?:[eE][+-]?\d+)?|[0-9A-Fa-f-]{16,}|[a-z][A-Za-z0-9]*(?:[._/:-][A-Za-z0-9]+)+"
)
"""A number, a hash, or a word that is one of a program's."""


def _is_nobodys(text: str, finding: Finding) -> bool:
    start, end, info_type = finding[:3]
    if info_type == "NUMERIC":
        return is_quantity(text, start, end)
    if info_type in ("URL", "DOMAIN_NAME"):
        return is_public(_whole_url(text, start, end))
    if info_type not in _rules().naming:
        return False
    word = text[start:end].lower().strip(".,;:!?*'’\"()[]` ")
    return word in word_list("terms") or word.removesuffix("'s").removesuffix("’s") in word_list("terms")


def _whole_url(text: str, start: int, end: int) -> str:
    """The URL of which a finding is a part, else the finding."""
    first = max(0, start - _LONGEST_URL)
    for url in _WRITTEN_URL.finditer(text, first, min(len(text), end + _LONGEST_URL)):
        if url.start() <= start and end <= url.end():
            return url[0]
    return text[start:end]


def _pieces(
    text: str, finding: Finding, own: Sequence[Region], starts: Sequence[int]
) -> Iterator[tuple[Finding, Kind | None]]:
    """The pieces of a finding by the kind of their regions; what has a form of its own stays whole."""
    first, last = bisect_right(starts, finding.start) - 1, bisect_left(starts, finding.end)
    touched = [region for region in own[max(first, 0) : last] if region.end > finding.start]
    if not touched:
        yield finding, None
        return
    if len(touched) == 1 and touched[0].start <= finding.start and finding.end <= touched[0].end:
        yield finding, touched[0].kind
        return
    if not _of_network(finding) and finding.info_type not in _rules().names:
        yield finding, max(touched, key=lambda region: _shared(region, finding)).kind
        return
    done = finding.start
    for region in touched:
        if done < region.start and _speaks(text[done : region.start]):
            yield finding._replace(start=done, end=region.start), None
        start, end = max(done, region.start), min(region.end, finding.end)
        if _speaks(text[start:end]):
            yield finding._replace(start=start, end=end), region.kind
        done = end
    if done < finding.end and _speaks(text[done : finding.end]):
        yield finding._replace(start=done), None


def _of_network(finding: Finding) -> bool:
    return finding.detector == _NETWORK or band_of(finding.detector) is not None


def _shared(region: Region, finding: Finding) -> int:
    return min(region.end, finding.end) - max(region.start, finding.start)


def _speaks(piece: str) -> bool:
    return any(map(str.isalnum, piece))


def _counts(text: str, finding: Finding, kind: Kind, rules: _Rules) -> bool:
    info_type = finding.info_type
    written = text[finding.start : finding.end]
    if finding.detector in rules.deaf or info_type in rules.formless[kind.name]:
        return False
    if kind in (Kind.RECORD, Kind.LITERAL) and written.lower() not in rules.accounts:
        before = text[max(0, finding.start - _REACH) : finding.start]
        if rules.key_of_somebody.search(before) and not _GLUE_INSIDE.search(written):
            return True
    if info_type in rules.names:
        return kind is not Kind.CODE and _is_a_name(text, finding, kind)
    if _FRACTION.search(text[max(0, finding.start - 2) : finding.start]) and info_type not in rules.dotted:
        return False
    if _of_network(finding):
        return info_type in rules.network[kind.name] and sum(map(str.isdigit, written)) >= _DIGITS
    if finding.likelihood < rules.likely.get(info_type, Likelihood.VERY_UNLIKELY):
        return False
    if info_type == _URL:
        return tells_of_somebody(written)
    if info_type == "USER_NAME":
        return not _NO_ACCOUNT.match(written) and written.lower() not in rules.accounts
    if info_type == "STREET_ADDRESS":
        return _CAPITAL.search(written) is not None
    if info_type in rules.owned:
        before = text[max(0, finding.start - _REACH) : finding.start]
        return rules.owners.search(before.rpartition("\n")[2]) is not None
    return True


_FRACTION = re.compile(r"\d\.$")
_NO_ACCOUNT = re.compile(
    r"(?i)@|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$|[\w.-]+\.(?:cfg|conf|js|json|log|py|sh|txt|ya?ml)$"
)
"""A decorator, the UUID of an object (``uid=`` of Kubernetes), a file below ``/home``."""
_GLUE_INSIDE = re.compile(r"[\n{}()<>=]")
_CAPITAL = re.compile(r"[^\W\d_a-zß-ÿ][a-zß-ÿ]{2}")


def _may_stand_beside(text: str, finding: Finding) -> bool:
    """Whether a place, a firm or an age looks like one."""
    written = text[finding.start : finding.end]
    if _of_network(finding) and not _NAME_LIKE.match(written):
        return False
    return not (
        _GLUE.search(text[max(0, finding.start - 1) : finding.start]) or _GLUE.match(text, finding.end)
    )


_DIGITS = 7
"""Digits of a number that the network names, at least."""


def _is_a_name(text: str, finding: Finding, kind: Kind) -> bool:
    """Whether the lists bear a name out, or somebody introduces it, and it is written as one."""
    start, end = finding.start, finding.end
    written = text[start:end]
    if (
        _GLUE.search(text[max(0, start - 1) : start])
        or _GLUE.match(text, end)
        or _GLUE.search(_WORD.sub("", written))
    ):
        return False
    words = _WORD.findall(written)
    if not words or not all(map(_is_of_a_name, words)):
        return False
    lower = [word.lower() for word in words]
    known = lexicon()
    kinds = known.kinds_of(lower)
    given, family, language = known.given[kinds], known.family[kinds], known.word[kinds].max(axis=1)
    introduced = finding.detector == _RULES and kind is Kind.TECHNICAL
    product = lower[0] in word_list("products")
    if len(words) == 1:
        named = given[0] >= _SURE and language[0] < _LANGUAGE
        return bool(
            (named or (introduced and language[0] < _LANGUAGE))
            and not product
            and lower[0] not in word_list("months")
        )
    if product and family[-1] < _LIKELY:
        return False
    first = (given[0] >= _LIKELY and language[0] <= _LANGUAGE) or (given[0] > 0 and not language[0])
    return bool(
        (first or len(words[0]) == 1 or finding.detector == _RULES) and max(given[-1], family[-1]) > 0
    )


_LONGEST_PARTICLE = 3
"""Letters of "von" and "de", which are small in a name."""


def _is_of_a_name(word: str) -> bool:
    if len(word) <= _LONGEST_PARTICLE and word.islower():
        return True
    return word[0].isupper() and (len(word) == 1 or not word.isupper())


def _beside_somebody(text: str, waiting: Sequence[Finding], kept: Sequence[Finding]) -> Iterator[Finding]:
    """Those that a line shares with a person or an address, or with words of its writer on himself."""
    if not waiting:
        return
    rules = _rules()
    lines = text.split("\n")
    ends = list(accumulate(len(line) + 1 for line in lines))
    told = {bisect_right(ends, one.start) for one in kept if one.info_type in rules.names | _ADDRESSES}
    for one in waiting:
        line = bisect_right(ends, one.start)
        if line not in told and rules.of_myself.search(lines[line]):
            told.add(line)
        if line in told:
            yield one


_ADDRESSES = {"EMAIL_ADDRESS", "STREET_ADDRESS"}


@built_once
def _rules() -> _Rules:
    data = parse_yaml(files(__package__).joinpath("admitted.yaml").read_text("utf-8"))
    return _Rules(
        frozenset(data["deaf"]),
        {kind: frozenset(types) for kind, types in data["network"].items()},
        frozenset(data["names"]),
        frozenset(data["beside"]),
        frozenset(data["owned"]),
        re.compile(
            rf"(?i)\b(?:{'|'.join(data['owners'].split())})[a-z_ -]{{0,12}}(?: is| are)?[^\w\n]{{0,6}}$"
        ),
        frozenset(data["naming"]),
        re.compile(rf"(?i)(?<![\w'’])(?:{'|'.join(data['of_myself'].split())})(?![\w'’])"),
        {kind: frozenset(types.split()) for kind, types in data["formless"].items()},
        {name: Likelihood[least] for name, least in data["likely"].items()},
        frozenset(data["dotted"]),
        frozenset(data["accounts"].split()),
        re.compile(
            rf"(?i)(?:^|[^a-z0-9])(?:{'|'.join(data['keys_of_somebody'].split())})"
            r"\\?[\"']?\s{0,2}(?::|=>?)\s{0,2}\\?[\"']?$"
        ),
        re.compile(rf"(?i)(?:{'|'.join(data['numbers_of'].split())})[^.]*$"),
    )
