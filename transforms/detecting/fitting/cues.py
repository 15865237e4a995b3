"""Numbers named by the words right before them, as in "my ac number is 4561".

Such a cue is more reliable than a word in another turn, which may refer to another number, and than a model.
"""

import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.detecting.rules.validators import luhn
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_REACH = 60
"""Code points before a number in which its name may be."""

_CODE = re.compile(r"(?:[^\W\d_]{1,4}[ -]?)?[0-9](?:[ .-]?[0-9])*")
_WORDS = re.compile(r"[^\W\d_]+(?:[/'’][^\W\d_]+)*|[^\w\s]+|[0-9]+")
_SIGNS = frozenset((":", "#", ".", "-", "=", ":-"))
_CARD, _PHONE = 12, 7
"""Fewest digits of a card and of a telephone number."""

_LAST = 4
"""Digits of a partial number: the last four."""

_LENGTHS: Mapping[str, Callable[[int], bool]] = {
    "CREDIT_CARD_NUMBER": lambda digits: digits == _LAST or digits >= _CARD,
    "PHONE_NUMBER": lambda digits: digits >= _PHONE,
    "ZIP_CODE": lambda digits: _LAST <= digits <= 9,
    "PASSWORD": lambda digits: True,
}
"""Digit counts allowed for each infoType; any other needs three or more."""


def typed_by_cue(text: str, finding: Finding) -> Finding:
    """Give a finding the infoType named by the words right before it; usually it is returned unchanged."""
    rules = _rules()
    if finding.info_type not in rules.numbers or not finding.start:
        return finding
    said = text[finding.start : finding.end]
    if not _CODE.fullmatch(said):
        return finding
    named = named_before(text, finding.start)
    digits = "".join(filter(str.isdigit, said))
    if named is None or named == finding.info_type or (len(digits) >= _CARD and luhn(digits)):
        return finding
    fits = _LENGTHS.get(named, _is_partial_or_more)
    return finding._replace(info_type=named) if fits(len(digits)) else finding


def _is_partial_or_more(digits: int) -> bool:
    return digits >= _LAST - 1


def named_before(text: str, start: int) -> str | None:
    """The infoType named by the words right before a position, if any.

    >>> named_before("my ac number is 4561", 16), named_before("it is 4561", 6)
    ('FINANCIAL_ACCOUNT_NUMBER', None)
    """
    rules = _rules()
    words = _WORDS.findall(text[max(0, start - _REACH) : start].lower())
    while words and (words[-1] in rules.between or words[-1] in _SIGNS):
        words.pop()
    for length in range(min(rules.longest, len(words)), 0, -1):
        name = rules.names.get(" ".join(words[-length:]))
        if name is not None:
            return name
    return None


class _Rules(NamedTuple):
    """``longest`` is the number of words in the longest name."""

    numbers: frozenset[str]
    between: frozenset[str]
    names: Mapping[str, str]
    longest: int


@built_once
def _rules() -> _Rules:
    data = parse_yaml((files(__package__) / "cues.yaml").read_text(encoding="utf-8"))
    names = {cue: name for name, cues in data["names"].items() for cue in cues}
    longest = max(cue.count(" ") + 1 for cue in names)
    return _Rules(frozenset(data["numbers"]), frozenset(data["between"].split()), names, longest)
