r"""Needles: strings of which a text must contain some for a pattern to match; without them, it is not
compiled.

Compiling a pattern takes as long as searching some hundred kilobytes with it. A short text contains the
needles of few patterns, which a few comparisons show.

Both are compared in lower case (ASCII) and with a mark at each boundary of ASCII words, which is RE2's
``\b``: the word "id" is not in "did".
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

FOLDING_TO_ASCII = ("\u212a", "\u017f")
"""The two non-ASCII characters that case folding equates with ASCII letters: KELVIN SIGN and LONG S."""

Any_of = frozenset[str]
All_of = tuple[Any_of, ...]

_MARK = "\x00"
_BOUNDARY = re.compile(rb"\b")
_INNER_BOUNDARY = re.compile(r"(?<=.)\b(?=.)", re.ASCII | re.DOTALL)

_MOST_SPELLINGS = 512
"""Most spellings of one part of a pattern that are enumerated."""

_MOST_SETS = 3
"""Most sets of strings for one pattern."""

_ENOUGH = 5
"""Length above which strings hardly get rarer."""

_TOKEN = re.compile(
    r"(?P<group>\((?:\?(?:P?<\w+>|[a-zA-Z-]*(?P<scope>[:)])))?)"
    r"|(?P<edge>\\[Az]|[\^$])"
    r"|(?P<word>\\[bB])"
    r"|(?P<refused>\\[QEC]|\(\?)"
    r"|(?P<class>\[\^?\]?(?:\[:\^?\w+:\]|\\[pP]\{\^?\w+\}|\\.|[^\]\\])*\]|\."
    r"|\\(?:[pP](?:\{\^?\w+\}|\w)|x(?:\{[0-9A-Fa-f]+\}|[0-9A-Fa-f]{2})|[0-7]{1,3}|.))"
    r"|(?P<close>\))"
    r"|(?P<or>\|)"
    r"|(?P<repeat>(?:[*+?]|\{\d+(?:,\d*)?\})\??)"
    r"|(?P<literal>.)",
    re.DOTALL,
)
_BOUNDS = re.compile(r"\{(\d+)(,?)(\d*)\}")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}
_LISTED = re.compile(r"\[((?:[^\]\[\\^-]|\\[^a-zA-Z0-9])+)\]")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def needles(pattern: str) -> tuple[tuple[bytes, ...], ...]:
    """Sets of strings; the ``haystack`` of any match contains one string of each set.

    Empty if nothing is known. Characters of ``FOLDING_TO_ASCII`` are not covered.
    """
    tokens = list(_TOKEN.finditer(pattern))
    groups = [_Alternatives()]
    for i, token in enumerate(tokens):
        if token["refused"] or (token["close"] and len(groups) == 1):
            return ()
        if token["or"]:
            groups[-1].end()
        elif token["group"]:
            if token["scope"] != ")":
                groups.append(_Alternatives())
        elif not token["repeat"]:
            piece = groups.pop().piece() if token["close"] else _of_token(token)
            repeat = tokens[i + 1]["repeat"] if i + 1 < len(tokens) else None
            groups[-1].add(_repeated(piece, *_bounds(repeat or "")))
    if len(groups) > 1:
        return ()
    rarest = sorted(_held(groups[0].piece()), key=_rarity)[:_MOST_SETS]
    return tuple(tuple(needle.encode() for needle in _shortest(some)) for some in rarest)


def haystack(data: bytes) -> bytes:
    """UTF-8 text in the form in which needles are searched for."""
    return _BOUNDARY.sub(_MARK.encode(), data.lower())


class _Piece(NamedTuple):
    """A part of a pattern: all its spellings if they are few, else sets of strings it must contain."""

    spellings: Any_of | None
    held: All_of = ()


_NOTHING = _Piece(frozenset([""]))
_ANYTHING = _Piece(None)


class _Alternatives:
    """The alternatives of a group; each is a sequence of pieces."""

    def __init__(self) -> None:
        self._done: list[_Piece] = []
        self._begin()

    def _begin(self) -> None:
        self._spelled: Any_of = frozenset([""])  # all spellings of the part up to the last piece
        self._is_whole = True
        self._held: list[Any_of] = []

    def add(self, piece: _Piece) -> None:
        """Append a piece."""
        spellings = piece.spellings
        if spellings is not None and len(self._spelled) * len(spellings) <= _MOST_SPELLINGS:
            self._spelled = frozenset(begun + more for begun in self._spelled for more in spellings)
            return
        self._is_whole = False
        self._held += [self._spelled, *piece.held]
        self._spelled = frozenset([""]) if spellings is None else spellings

    def end(self) -> None:
        """Start another alternative."""
        whole = _Piece(self._spelled)
        self._done.append(whole if self._is_whole else _Piece(None, _usable([*self._held, self._spelled])))
        self._begin()

    def piece(self) -> _Piece:
        """The group as a whole."""
        self.end()
        if len(self._done) == 1:
            return self._done[0]
        spellings = [piece.spellings for piece in self._done if piece.spellings is not None]
        if len(spellings) == len(self._done):
            return _Piece(frozenset().union(*spellings))
        rarest = [min(held, key=_rarity) for held in map(_held, self._done) if held]
        return _Piece(None, (frozenset().union(*rarest),) if len(rarest) == len(self._done) else ())


def _held(piece: _Piece) -> All_of:
    return piece.held if piece.spellings is None else _usable([piece.spellings])


def _usable(several: Iterable[Any_of]) -> All_of:
    marked = (frozenset(map(_marked, some)) for some in several)
    return tuple(some for some in marked if not some & {"", _MARK})


def _marked(spelling: str) -> str:
    """A spelling with the mark at every word boundary within it."""
    text = spelling.replace(_MARK, "")
    first, last = spelling[:1] == _MARK, spelling[-1:] == _MARK
    return _MARK * first + _INNER_BOUNDARY.sub(_MARK, text) + _MARK * (last and bool(text))


def _repeated(piece: _Piece, least: int, most: int | None) -> _Piece:
    if (least, most) == (1, 1):
        return piece
    if least == 0:
        if most == 1 and piece.spellings is not None:
            return _Piece(piece.spellings | {""})
        return _NOTHING if most == 0 else _ANYTHING
    return _Piece(None, _held(piece))


def _bounds(repeat: str) -> tuple[int, int | None]:
    """Minimum and maximum of a repetition (None: unbounded); 1 and 1 without one."""
    counted = _BOUNDS.match(repeat)
    if counted:
        least, comma, most = counted.groups()
        return int(least), int(most) if most else None if comma else int(least)
    return int(repeat[:1] in ("", "+")), None if repeat[:1] in ("+", "*") else 1


def _of_token(token: re.Match[str]) -> _Piece:
    r"""A character, a class of a few listed characters, an edge of the text, ``\b`` or ``\B``."""
    text = token.group()
    if token["word"] or token["edge"]:
        return _Piece(frozenset([_MARK if text == r"\b" else ""]))
    listed = _LISTED.fullmatch(text)
    if listed:
        characters = list(_ESCAPE.sub(r"\1", listed[1]))
    elif text[0] == "\\" and len(text) == 2 and not text[1].isalnum():
        characters = [text[1]]
    elif text[0] == "\\" and text[1:] in _ESCAPED:
        characters = [_ESCAPED[text[1:]]]
    elif token["literal"]:
        characters = [text]
    else:
        return _ANYTHING
    # Whether non-ASCII letters are equal in case folding is left to RE2.
    return _Piece(frozenset(map(str.lower, characters))) if all(map(str.isascii, characters)) else _ANYTHING


def _rarity(some: Any_of) -> tuple[int, int]:
    """Sort key, rarest first: long strings, then few."""
    return -min(_ENOUGH, *map(len, some)), len(some)


def _shortest(found: Any_of) -> list[str]:
    """Drop strings that contain another one."""
    kept: list[str] = []
    for needle in sorted(found, key=lambda needle: (len(needle), needle)):
        if not any(short in needle for short in kept):
            kept.append(needle)
    return kept
