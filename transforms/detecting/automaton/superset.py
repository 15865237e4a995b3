"""An RE2 pattern over code points as a pattern over bytes that matches wherever it does, and maybe elsewhere.

A filter must never miss and may err on the other side, so everything that a byte automaton cannot say is
widened: a character outside ASCII becomes one to four bytes from 0x80 on, capturing groups become plain ones,
an edge of the text becomes the separator of the cells or nothing. What is in ASCII stays as it is; RE2 itself
says which ASCII characters a class holds, so there is no second reading of classes to keep in step.

A KELVIN SIGN folds to ``k`` and a LONG S to ``s``: ``(?i)`` makes RE2 match them where the pattern here does
not. Cells that hold one of ``FOLDING_TO_ASCII`` must be taken as matched by every pattern.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import re2

FOLDING_TO_ASCII = ("\u212a", "\u017f")
"""The two characters outside ASCII that case folding makes equal to ASCII letters."""

_SEPARATOR = r"\xff"
_MOST_BYTES = 4
"""Of a character in UTF-8."""
_BEYOND = r"[\xc2-\xf4][\x80-\xbf]{1,3}"
"""One character outside ASCII."""
_COUNTED = 20
"""Repetitions counted exactly at most: beyond, a filter need not know, and automata grow."""

_TOKEN = re.compile(
    r"(?P<group>\((?:\?(?:P?<\w+>|(?P<flags>[a-zA-Z-]*)(?P<scope>[:)])))?)"
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
_BEYOND_ASCII = re.compile(r"\[\^|\[:\^|\\[pPDWSx]|\\[0-7]{2}|^\.$|[^\x00-\x7f]")
"""What may make a class hold characters outside ASCII."""

_BOUNDS = re.compile(r"\{(\d+)(,?)(\d*)\}")


class UntranslatableError(ValueError):
    """The pattern says what has no counterpart over bytes."""


def byte_superset(pattern: str) -> str:
    """The pattern over bytes, in the common subset of PCRE and RE2, pure ASCII.

    Raises:
        UntranslatableError: the pattern must be searched for by RE2 alone.
    """
    tokens = list(_TOKEN.finditer(pattern))
    edges = any(token["edge"] for token in tokens)
    shortened = _shortened_tail(tokens)
    out: list[str] = []
    scopes: list[str] = []
    flags = ""
    last = len(tokens) - 1
    for i, token in enumerate(tokens):
        text = shortened.get(i, token.group())
        repeat = shortened.get(i + 1, tokens[i + 1].group()) if i < last and tokens[i + 1]["repeat"] else ""
        if token["refused"]:
            raise UntranslatableError(text)
        if not text:
            continue
        if token["group"]:
            before = flags
            if token["scope"]:
                flags = _changed(flags, token["flags"])
                out.append(("(?i" if "i" in flags else "(?-i") + token["scope"])
            else:
                out.append("(?:")
            if token["scope"] != ")":
                scopes.append(before)
        elif token["close"]:
            if not scopes:
                raise UntranslatableError(text)
            flags = scopes.pop()
            out.append(")")
        elif token["edge"] or token["word"]:
            if repeat:
                raise UntranslatableError(text + repeat)
            # An edge that became a separator moved the place where a word boundary would be asked for.
            out.append(_edge(text, i, last, flags) if token["edge"] else "" if edges else text)
        elif token["class"] or token["literal"]:
            out.append(_characters(text, flags, repeat, bool(token["class"])))
        elif token["repeat"]:
            if not (tokens[i - 1]["class"] or tokens[i - 1]["literal"]):
                out.append(_greedy(text))
        else:
            out.append(text)
    return "".join(out)


def _shortened_tail(tokens: Sequence[re.Match[str]]) -> dict[int, str]:
    """What to write instead of tokens at the end, so that a match ends as soon as it is one.

    An automaton reports every end of a match. What may be left out at the end of the pattern is left out, and
    what may repeat there repeats as often as it must.
    """
    shortened: dict[int, str] = {}
    i = len(tokens) - 1
    while i > 0:
        if tokens[i]["close"]:
            i -= 1
            continue
        if not tokens[i]["repeat"]:
            break
        least = _least(tokens[i].group())
        one = tokens[i - 1]["class"] or tokens[i - 1]["literal"]
        if least == 0:
            first = i - 1 if one else _opening(tokens, i - 1)
            shortened.update(dict.fromkeys(range(first, i + 1), ""))
            i = first - 1
        elif least == 1 and tokens[i - 1]["close"]:
            shortened[i] = ""
            i -= 1
        else:
            shortened[i] = "" if least == 1 else f"{{{least}}}"
            break
    return shortened


def _least(repeat: str) -> int:
    bounds = _BOUNDS.match(repeat)
    return int(bounds[1]) if bounds else int(repeat[0] == "+")


def _opening(tokens: Sequence[re.Match[str]], close: int) -> int:
    """Where the group opens that ends at a token; the token itself where it ends none."""
    depth = 0
    for i in range(close, -1, -1):
        depth += bool(tokens[i]["close"]) - bool(tokens[i]["group"] and tokens[i]["scope"] != ")")
        if depth <= 0:
            return i
    return close


def _changed(flags: str, change: str) -> str:
    on, _, off = change.partition("-")
    return "".join(sorted((set(flags) | set(on)) - set(off)))


def _edge(text: str, place: int, last: int, flags: str) -> str:
    """An edge at the end of the pattern is the separator there; elsewhere it is asked for by RE2 only."""
    lines = r"\x0a" if "m" in flags and text in "^$" else ""
    if text in ("^", r"\A") and place == 0:
        return f"(?:^|[{_SEPARATOR}{lines}])"
    if text in ("$", r"\z") and place == last:
        return f"[{_SEPARATOR}{lines}]"
    return "(?:)"


def _characters(text: str, flags: str, repeat: str, is_class: bool) -> str:
    if not is_class and text.isascii():
        return (text if text.isalnum() else f"\\x{ord(text):02x}") + _greedy(repeat)
    ascii_set, beyond = _members(text, "i" in flags, "s" in flags)
    members = "".join(f"\\x{code:02x}" for code in ascii_set)
    if not beyond:
        if not members:
            raise UntranslatableError(text)
        return f"[{members}]" + _greedy(repeat)
    if _greedy(repeat) in ("", "?"):
        return (f"(?:[{members}]|{_BEYOND})" if members else f"(?:{_BEYOND})") + _greedy(repeat)
    return f"[{members}\\x80-\\xfe]" + _widened(repeat)


@lru_cache(maxsize=4096)
def _members(text: str, caseless: bool, dot_all: bool) -> tuple[tuple[int, ...], bool]:
    """The ASCII characters of a class, and whether it may hold others."""
    options = "i" * caseless + "s" * dot_all
    try:
        regex = re2.compile((f"(?{options})" if options else "") + text)
    except re2.error as error:
        raise UntranslatableError(text) from error
    members = tuple(match.start() for match in regex.finditer(bytes(range(128))))
    return members, _BEYOND_ASCII.search(text) is not None


def _greedy(repeat: str) -> str:
    """A repetition of bytes; how much it prefers to take does not matter to a filter."""
    plain = repeat.rstrip("?") if len(repeat) > 1 else repeat
    bounds = _BOUNDS.fullmatch(plain)
    if bounds is None:
        return plain
    least, comma, most = bounds.groups()
    return _counted(int(least), int(most or least) if most or not comma else None)


def _widened(repeat: str) -> str:
    """How often a byte repeats where a character of one to four bytes repeats so often."""
    bounds = _BOUNDS.fullmatch(repeat.rstrip("?"))
    if bounds is None:
        return _greedy(repeat)
    least, comma, most = bounds.groups()
    return _counted(int(least), _MOST_BYTES * int(most or least) if most or not comma else None)


def _counted(least: int, most: int | None) -> str:
    """A count that needs few states; large ones are widened to no limit."""
    if most is None or most > _COUNTED:
        return f"{{{min(least, _COUNTED)},}}"
    return f"{{{least},{most}}}"
