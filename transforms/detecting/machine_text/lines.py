"""What a line of text was written as: a sentence, code, or a record such as settings and logs hold."""

import re
from collections.abc import Mapping, Sequence
from enum import IntEnum
from importlib.resources import files

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml


class Line(IntEnum):
    """What a line looks like; settings, statements and formulas are that only among others of their kind."""

    BLANK = 0
    SENTENCE = 1
    SETTING = 2
    FORMULA = 3
    STATEMENT = 4
    CODE = 5
    RECORD = 6


_BRACKETS = re.compile(r"\s*[{}()\[\]]")
_FORMULA = re.compile(
    # The choices of an exercise; what equals, follows from or is more than something; a product, a sum.
    r"\s*\(?[A-Ea-e]\s?[).][\s$€£₹(.-]{0,4}(?:Rs\.? ?)?\d[^\n]{0,30}$|[^\n]*(?:\b[A-Za-z]|[\d)%\]])\s*[=⇒≤≥]"
    r"|[^\n]*[⇒∴×÷∗]|[^\n]*\d\s?[*^]\s?\(?\d|[^\n]*\d \+ \(?\d"
)
_WORD = re.compile(r"[^\W\d_]{3,}")
_MOST_WORDS = 0.5
"""Share of words in what a formula is written with."""


def _is_formula(line: str) -> bool:
    if not _FORMULA.match(line):
        return False
    written = sum(map(len, line.split()))
    return any(map(str.isdigit, line)) and sum(map(len, _WORD.findall(line))) <= _MOST_WORDS * written


def what_it_is(line: str) -> Line:
    """What a single line looks like.

    >>> [what_it_is(line).name for line in ("Hi, it is Anna.", "x = f(1);", "12:00:01 INFO app[7]: up", "a: 1")]
    ['SENTENCE', 'CODE', 'RECORD', 'SETTING']
    """
    if not any(map(str.isalnum, line)) and not _BRACKETS.match(line):
        return Line.BLANK
    looks = _looks()
    if looks["record"].match(line):
        return Line.RECORD
    if looks["strong_setting"].match(line):
        return Line.SETTING
    is_code = looks["code"].match(line) is not None
    if not is_code and _is_formula(line):
        return Line.FORMULA
    if looks["setting"].match(line):
        return Line.SETTING
    if is_code:
        return Line.CODE
    return Line.STATEMENT if looks["statement"].match(line) else Line.SENTENCE


@built_once
def _looks() -> "Mapping[str, re.Pattern[str]]":
    """The patterns of ``lines.yaml`` by what they show."""
    data = parse_yaml(files(__package__).joinpath("lines.yaml").read_text("utf-8"))
    fragments = data.pop("fragments")
    return {
        name: re.compile("|".join(_whole(one, fragments) for one in several))
        for name, several in data.items()
    }


def _whole(pattern: str, fragments: Mapping[str, str]) -> str:
    return re.sub(r"\{([a-z]+)\}", lambda name: _whole(fragments[name[1]], fragments), pattern)


_LONGEST = 4000
"""Code points of a line that are looked at."""

_AMONG = 3
"""Lines of settings or formulas in a row that are no accident."""


def kinds_of_lines(lines: Sequence[str]) -> list[Line]:
    """What each line is, seen among its neighbours: SENTENCE, CODE, FORMULA, RECORD or BLANK.

    Lines of settings count as records where several stand together and one of them is such that no person
    fills in a form like that; statements count as code beside a line that nothing else can be.
    """
    kinds = [what_it_is(line[:_LONGEST]) for line in lines]
    start = 0
    while start < len(kinds):
        together = _TOGETHER.get(kinds[start], frozenset((kinds[start],)))
        stop = start + 1
        while stop < len(kinds) and (kinds[stop] in together or kinds[stop] is Line.BLANK):
            together = together | _TOGETHER.get(kinds[stop], frozenset())
            stop += 1
        run = [i for i in range(start, stop) if kinds[i] is not Line.BLANK]
        kind = _of_run([kinds[i] for i in run], [lines[i] for i in run])
        for i in run:
            kinds[i] = kind
        start = stop
    return kinds


_TOGETHER = {
    Line.SETTING: frozenset((Line.SETTING, Line.RECORD)),
    Line.RECORD: frozenset((Line.SETTING, Line.RECORD)),
    Line.CODE: frozenset((Line.CODE, Line.STATEMENT, Line.SETTING, Line.FORMULA)),
    Line.STATEMENT: frozenset((Line.CODE, Line.STATEMENT, Line.FORMULA)),
}
"""What a line may have beside it in one block."""


def _of_run(kinds: Sequence[Line], lines: Sequence[str]) -> Line:
    if Line.CODE in kinds:
        return Line.CODE
    if Line.RECORD in kinds:
        return Line.RECORD
    if Line.SETTING in kinds:
        strong = any(_looks()["strong_setting"].match(line) for line in lines)
        return Line.RECORD if strong and len(lines) >= _AMONG else Line.SENTENCE
    if set(kinds) == {Line.FORMULA}:
        equations = all("=" in line or "⇒" in line for line in lines)
        return Line.FORMULA if equations or len(lines) >= _AMONG else Line.SENTENCE
    return kinds[0] if kinds and kinds[0] is not Line.STATEMENT else Line.SENTENCE
