"""Signs of addresses, spoken ("dot", "at sign") or written without spaces around them."""

from collections.abc import Sequence
from typing import NamedTuple

from tacenda.transforms.detecting.spoken.lexicon import Lexicon
from tacenda.transforms.detecting.spoken.tokens import Form, Token, glued, phrase_at

_WRITTEN = frozenset("._-+@/:")


class Sign(NamedTuple):
    """The tokens ``first:last``, and the character that they mean."""

    first: int
    last: int
    value: str
    said: bool


def signs(found: Sequence[Token], words: Lexicon) -> dict[int, Sign]:
    """The signs of a text, by their first token."""
    names = words.signs.keys() | words.long_signs.keys() | _WRITTEN
    by_start: dict[int, Sign] = {}
    last = 0
    for i in [i for i, token in enumerate(found) if token.folded in names]:
        if i < last:
            continue
        sign = _written(found, i) if found[i].form is Form.MARK else _said(found, i, words)
        if sign is not None:
            by_start[i] = sign
            last = sign.last
    return by_start


def _said(found: Sequence[Token], i: int, words: Lexicon) -> Sign | None:
    for phrase, value in words.long_signs.get(found[i].folded, ()):
        if phrase_at(found, i, phrase):
            return Sign(i, i + len(phrase), value, True)
    value = words.signs.get(found[i].folded, "")
    return Sign(i, i + 1, value, True) if value else None


def _written(found: Sequence[Token], i: int) -> Sign | None:
    """Written marks must touch both sides; only an at sign may be set apart ("jo@ example.com")."""
    value = found[i].folded
    tied = 0 < i < len(found) - 1 and glued(found[i - 1], found[i]) and glued(found[i], found[i + 1])
    return Sign(i, i + 1, value, False) if tied or value == "@" else None
