"""A person has one social security number: a second, unnamed one is the account number being discussed.

People asked for the last digits of their social security number and then of their account give four digits
each time, and often name only the first. A whole number, identified by its form, is not changed.
"""

import re
from collections.abc import Sequence

from tacenda.transforms.detecting.fitting.cues import named_before
from tacenda.transforms.detecting.fitting.words import words
from tacenda.transforms.schema.finding import Finding

_SSN = "US_SOCIAL_SECURITY_NUMBER"
_CONTEXT = 24
"""Number of preceding cells that may identify a number."""

_WHOLE = re.compile(r"[0-9]{3}([ .-])[0-9]{2}\1[0-9]{4}")
_WORD = re.compile(r"[^\W\d_]+")


def one_security_number(texts: Sequence[str], cells: list[list[Finding]]) -> None:
    """Turn the further social security numbers of a conversation into account numbers.

    Only if another one is named, an account was discussed last, and the number is not a correction.

    Args:
        texts: the cells of the conversation.
        cells: their findings, which are replaced in place.
    """
    places = [(i, k) for i, cell in enumerate(cells) for k, f in enumerate(cell) if f.info_type == _SSN]
    if len(places) < 2:
        return
    named = {_digits(texts[i], cells[i][k]) for i, k in places if _is_named(texts[i], cells[i][k])}
    if not named:
        return
    for i, k in places:
        finding = cells[i][k]
        said = texts[i][finding.start : finding.end]
        if _digits(texts[i], finding) in named or _WHOLE.fullmatch(said):
            continue
        if _is_of_account(texts, i, finding.start):
            account = finding._replace(info_type="FINANCIAL_ACCOUNT_NUMBER")
            cells[i] = [*cells[i][:k], account, *cells[i][k + 1 :]]


def _is_named(text: str, finding: Finding) -> bool:
    return named_before(text, finding.start) == _SSN


def _digits(text: str, finding: Finding) -> str:
    return "".join(filter(str.isdigit, text[finding.start : finding.end]))


def _is_of_account(texts: Sequence[str], i: int, start: int) -> bool:
    """Whether an account was discussed last, and the number does not correct another."""
    own = _WORD.findall(texts[i][:start].lower())
    if not words("corrections").isdisjoint(own) or not words("security_cues").isdisjoint(own):
        return False
    for text in reversed(texts[max(0, i - _CONTEXT) : i + 1]):
        said = _WORD.findall(text.lower())
        if not words("card_cues").isdisjoint(said):
            return False
        if not words("account_cues").isdisjoint(said):
            return True
    return False
