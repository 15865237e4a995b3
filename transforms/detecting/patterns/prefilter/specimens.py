"""Texts that a byte pattern matches: what an automaton must report.

Hyperscan 5.4 was seen to lose, in texts above some 34 bytes, single alternatives of a correct expression
(``(?:kaksi|kolme|…)(?:toista)?(?:yksi|kaksi|…)?vuotias`` without ``kuusivuotias``). No error tells, so each
automaton is tried on what its patterns match.
"""

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from tacenda.transforms.detecting.patterns.prefilter.superset import TOKEN, bounds

_LEAST_DRAWS = 48
_DRAWS_AN_ALTERNATIVE = 3
_MORE = 2
"""Most repetitions beyond the least."""

_CODES = re.compile(r"\\x([0-9a-f]{2})(?:-\\x([0-9a-f]{2}))?")


class _Piece(NamedTuple):
    """Some bytes of which one is drawn, or a group; ``least`` to ``most`` times."""

    codes: tuple[int, ...]
    group: "_Group | None"
    least: int
    most: int


class _Group:
    """Alternatives, taken in turn, so that each is drawn."""

    def __init__(self) -> None:
        self.alternatives: list[list[_Piece]] = [[]]
        self._left: list[list[_Piece]] = []

    def draw(self, dice: random.Random) -> Iterator[int]:
        if not self._left:
            self._left = dice.sample(self.alternatives, len(self.alternatives))
        for piece in self._left.pop():
            for _ in range(dice.randint(piece.least, piece.most)):
                if piece.group is not None:
                    yield from piece.group.draw(dice)
                else:
                    yield dice.choice(piece.codes)


def specimens(expression: str, seed: int = 1) -> list[bytes]:
    """Texts that match a pattern from ``byte_superset``, with each of its alternatives in some of them.

    Word boundaries are not regarded: where the pattern has some, a text may not match.

    >>> sorted(set(specimens("(?:a|b)[0-1]?")))
    [b'a', b'a0', b'a1', b'b', b'b0', b'b1']
    """
    whole, widest = _parsed(expression)
    dice = random.Random(seed)  # noqa: S311 - no secret
    return [bytes(whole.draw(dice)) for _ in range(max(_LEAST_DRAWS, _DRAWS_AN_ALTERNATIVE * widest))]


def _parsed(expression: str) -> tuple[_Group, int]:
    """The pattern, and the number of alternatives of its widest group."""
    tokens = list(TOKEN.finditer(expression))
    open_groups = [_Group()]
    widest = 1
    for i, token in enumerate(tokens):
        if token["or"]:
            open_groups[-1].alternatives.append([])
            widest = max(widest, len(open_groups[-1].alternatives))
        elif token["group"] and token["scope"] != ")":
            open_groups.append(_Group())
        elif token["close"] or token["class"] or token["literal"]:
            codes, group = ((), open_groups.pop()) if token["close"] else (_codes(token.group()), None)
            repeat = tokens[i + 1]["repeat"] if i + 1 < len(tokens) else None
            least, most = bounds(repeat or "")
            limit = least + _MORE if most is None else min(most, least + _MORE)
            open_groups[-1].alternatives[-1].append(_Piece(codes, group, least, limit))
    return open_groups[0], widest


def _codes(text: str) -> tuple[int, ...]:
    """The bytes of a class as ``byte_superset`` writes it, or of a literal."""
    written = [(int(first, 16), int(last or first, 16)) for first, last in _CODES.findall(text)]
    return tuple(code for first, last in written for code in range(first, last + 1)) or tuple(text.encode())
