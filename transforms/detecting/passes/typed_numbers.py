"""Keep the type that a network gives a number only where its form or the words around it bear it out.

A network takes four digits for the end of a social security number, a size for an age, a reference for a postal
code. A rule has read a form or a cue before it gives such a type, so its findings stay. ``typed_numbers.yaml``
has, for each type, the forms and cues, and what becomes of numbers that have neither.
"""

import re
from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_NETWORK = "model"
_NUMERIC, _CODE = "NUMERIC", "GENERIC_ID"
_LEAST_DIGITS = 3
"""Digits of a number that stays hidden as NUMERIC."""

_REACH = 60
"""Code points before a number in its own cell in which a cue may be."""

_DICTATED = re.compile(r"(?:[A-Z]\. )+([0-9]{3,})(?: [A-Z]\.?)*")
_GOES_ON = re.compile(r"\.? \w+ [A-Z]\. ")

_WORDS_OF_ANSWER = 4
"""Most words beside the number in a cell that answers a question."""


class _Type(NamedTuple):
    """One entry of the data file, which says what each field means."""

    form: "re.Pattern[str]"
    needs_support: "re.Pattern[str]"
    behind: "re.Pattern[str]"
    cue: "re.Pattern[str]"
    other_cue: "re.Pattern[str]"
    cells: int
    beside: frozenset[str]
    stays_hidden: bool


def typed_numbers(texts: Sequence[str], findings: Sequence[list[Finding]]) -> list[list[Finding]]:
    """The findings of one conversation, without types of numbers that nothing but a network supports.

    Such a number of three digits or more becomes NUMERIC, or is no finding (``otherwise`` in the data file).

    >>> from tacenda.transforms.schema.likelihood import Likelihood
    >>> number = Finding(8, 12, "US_SOCIAL_SECURITY_NUMBER", Likelihood.LIKELY, "model")
    >>> [cell[0].info_type for cell in typed_numbers(["we sold 2310 boxes"], [[number]])]
    ['NUMERIC']
    """
    types = _types()
    judged = list(findings)
    for i, cell in enumerate(findings):
        if any(f.detector == _NETWORK and (f.info_type in types or f.info_type == _CODE) for f in cell):
            judged[i] = [kept for f in cell if (kept := _judged(texts, findings, i, f)) is not None]
    return judged


def _judged(
    texts: Sequence[str], findings: Sequence[list[Finding]], i: int, finding: Finding
) -> Finding | None:
    said = texts[i][finding.start : finding.end]
    if finding.info_type == _CODE and finding.detector == _NETWORK:
        return None if sum(map(str.isalnum, said)) == 1 else _digits_of_dictated(texts[i], finding)
    rule = _types().get(finding.info_type)
    if rule is None or finding.detector != _NETWORK:
        return finding
    if rule.form.fullmatch(said):
        return finding
    if rule.needs_support.fullmatch(said) and _is_supported(rule, texts, findings, i, finding):
        return finding
    digits = sum(map(str.isdigit, said))
    return finding._replace(info_type=_NUMERIC) if rule.stays_hidden and digits >= _LEAST_DIGITS else None


def _digits_of_dictated(text: str, finding: Finding) -> Finding:
    """Of letters that a recogniser wrote with full stops around digits, the digits: "B. 231 C. for A.".

    Under the name of a code, its half would be read as all of it (Gardiner et al., CALD-pseudo 2024, Table 2).
    """
    half = _DICTATED.fullmatch(text, finding.start, finding.end)
    if half is None or not _GOES_ON.match(text, finding.end):
        return finding
    return finding._replace(start=half.start(1), end=half.end(1), info_type=_NUMERIC)


def _is_supported(
    rule: _Type, texts: Sequence[str], findings: Sequence[list[Finding]], i: int, finding: Finding
) -> bool:
    before = texts[i][max(finding.start - _REACH, 0) : finding.start]
    if rule.cue.search(before) or rule.behind.match(texts[i], finding.end):
        return True
    first = max(i - rule.cells, 0)
    if any(rule.cue.search(text) for text in texts[first:i]):
        return True
    # An answer whose question is not in the text, as where one side of a call was recorded.
    is_answer = (
        len(texts[i][: finding.start].split()) + len(texts[i][finding.end :].split()) <= _WORDS_OF_ANSWER
    )
    if is_answer and not any(rule.other_cue.search(text) for text in texts[max(i - 1, 0) : i]):
        return True
    return any(f.info_type in rule.beside for cell in findings[first : i + 2] for f in cell)


@built_once
def _types() -> dict[str, _Type]:
    data = parse_yaml((files(__package__) / "typed_numbers.yaml").read_text(encoding="utf-8"))
    return {
        name: _Type(
            re.compile(rule["form"], re.IGNORECASE),
            re.compile(rule["needs_support"], re.IGNORECASE),
            re.compile(rule["behind"], re.IGNORECASE),
            re.compile(rule["cue"], re.IGNORECASE),
            re.compile(rule["other_cue"], re.IGNORECASE),
            rule["cells"],
            frozenset(rule["beside"]),
            rule["otherwise"] == _NUMERIC,
        )
        for name, rule in data.items()
    }
