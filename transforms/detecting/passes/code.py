"""Drop findings within code and records that are pieces of a program, not personal data.

Detectors were trained on conversation. In code ``__init__`` is not a name, and 8080 is not personal data. What
has a form of its own counts there too: an address, a key, a number with check digits. In values of records, and
in strings and comments of code, so does what a key calls personal (``user=``), and a name that the network is
sure of. A finding that reaches into prose is judged as prose.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import compress
from typing import NamedTuple

from tacenda.transforms.detecting.passes.regions import Kind, Region, regions
from tacenda.transforms.detecting.personal_labels import is_personal_url
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file

_PERSON = "PERSON_NAME"
_NETWORK, _RULES, _PROPAGATION = "model", "rules", "propagation"
_SURE = {_NETWORK: Likelihood.VERY_LIKELY, _PROPAGATION: Likelihood.LIKELY}
"""The least likelihood of a person's name in values."""

_NAMING = frozenset((_PERSON, "LOCATION", "ORGANIZATION_NAME", "EMAIL_ADDRESS", "USER_NAME"))
_PROGRAM_WORD = re.compile(r"[a-z]\w*(?:[._/:-]\w+)+|\w*(?:\d|_|[a-z][A-Z])\w*|[A-Z]+")
"""A word that no name is written like."""
_REACH = 60  # code points before a value in which its key is looked for


_TOKEN = re.compile(
    r"-?\d+(?:\.\d+)*(?:[eE][+-]?\d+)?(?:, ?-?\d+(?:\.\d+)*)*|[0-9A-Fa-f-]{16,}"
    r"|[a-z][A-Za-z0-9]*(?:[._/:-][A-Za-z0-9]+)+"
)
"""A value of JSON that is a number or several, a hash, or a word of a program."""


class _Words(NamedTuple):
    formless: dict[str, frozenset[str]]
    key_of_name: "re.Pattern[str]"
    key_of_value: "re.Pattern[str]"
    numbers_of: "re.Pattern[str]"


def drop_code(
    texts: Sequence[str],
    parts: Sequence[str | None],
    findings: Sequence[list[Finding]],
    own_types: Collection[str] = (),
    known: dict[int, list[Region]] | None = None,
) -> list[list[Finding]]:
    """The findings of one conversation without those that are pieces of code.

    Args:
        texts: its cells.
        parts: for each cell that is a value of JSON, its path, as the batch has it; else None.
        findings: those of each cell.
        own_types: infoTypes that a config defines itself, which count everywhere.
        known: the regions of cells that were looked at before, which is added to.

    >>> found = [Finding(4, 12, "PERSON_NAME", 4, "model")]
    >>> [len(drop_code([text], [None], [found])[0]) for text in ("def __init__(x=1):", "I, Anna Berg, ask")]
    [0, 1]
    """
    known = {} if known is None else known
    left = list(findings)
    for cell in compress(range(len(left)), left):
        if cell not in known:
            known[cell] = _regions(texts[cell], parts[cell])
        if known[cell]:
            left[cell] = _left(texts[cell], left[cell], known[cell], own_types)
    return left


def _regions(text: str, part: str | None) -> list[Region]:
    if part is not None and _TOKEN.fullmatch(text) and not _words().numbers_of.search(part):
        return [Region(0, len(text), Kind.CODE)]
    return regions(text)


def _left(text: str, findings: list[Finding], own: list[Region], own_types: Collection[str]) -> list[Finding]:
    starts, ends = [region.start for region in own], [region.end for region in own]
    left: list[Finding] = []
    for finding in findings:
        touched = own[bisect_right(ends, finding.start) : bisect_left(starts, finding.end)]
        shared = [min(one.end, finding.end) - max(one.start, finding.start) for one in touched]
        # What reaches into prose is judged as prose.
        in_prose = not touched or sum(shared) < finding.end - finding.start
        if in_prose or finding.info_type in own_types:
            left.append(finding)
        elif len(touched) == 1 or finding.info_type not in _NAMING:
            kind = touched[shared.index(max(shared))].kind
            left += [finding] if _counts(text, finding, kind) else []
        else:
            left += (piece for piece, kind in _pieces(text, finding, touched) if _counts(text, piece, kind))
    return left


def _pieces(text: str, finding: Finding, touched: Sequence[Region]) -> Iterator[tuple[Finding, Kind]]:
    """The parts of a name that reaches over a quotation mark, each with the kind of its region."""
    for region in touched:
        start, end = max(region.start, finding.start), min(region.end, finding.end)
        if any(map(str.isalnum, text[start:end])):
            yield finding._replace(start=start, end=end), region.kind


def _counts(text: str, finding: Finding, kind: Kind) -> bool:
    words = _words()
    written = text[finding.start : finding.end]
    is_person = finding.info_type == _PERSON
    like_program = _PROGRAM_WORD.fullmatch(written) or (finding.detector == _RULES and written.islower())
    if kind is Kind.VALUE and not (is_person and like_program):
        before = text[max(0, finding.start - _REACH) : finding.start]
        named = finding.info_type in _NAMING and words.key_of_name.search(before)
        if named or words.key_of_value.search(before):
            return True
        if finding.detector in (_NETWORK, _PROPAGATION):
            return is_person and finding.likelihood >= _SURE[finding.detector]
    if finding.detector != _RULES or finding.info_type in words.formless[kind.name]:
        return False
    return finding.info_type != "URL" or is_personal_url(written)


@built_once
def _words() -> _Words:
    data = data_file(__package__, "code.yaml")
    return _Words(
        {kind: frozenset(types.split()) for kind, types in data["formless"].items()},
        _before_value(data["keys_of_names"]),
        _before_value(data["keys_of_values"]),
        re.compile(rf"(?i)(?:{'|'.join(data['numbers_of'].split())})[^.]*$"),
    )


def _before_value(keys: str) -> "re.Pattern[str]":
    """One of some keys, with what may stand between it and its value."""
    either = "|".join(keys.split())
    return re.compile(rf"(?i)(?:^|[^a-z0-9])(?:{either})\\?[\"']?\s{{0,2}}(?::|=>?)\s{{0,2}}\\?[\"']?$")
