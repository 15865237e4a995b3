"""Translate an RE2 pattern into a byte pattern that matches wherever it does, and possibly elsewhere.

A filter must not miss anything but may let through too much, so whatever a byte automaton cannot express is
widened: each of many non-ASCII characters becomes one to four bytes from 0x80 on, capturing groups become
plain ones, an edge of the text becomes the cell separator or nothing. ASCII is unchanged.

KELVIN SIGN folds to ``k`` and LONG S to ``s``: with ``(?i)``, RE2 matches them and the pattern here does not.
Cells with one of ``FOLDING_TO_ASCII`` must count as matched by every pattern.
"""

import re
from collections.abc import Sequence

from tacenda.transforms.detecting.patterns.prefilter.characters import (
    ANY_BEYOND,
    UntranslatableError,
    members,
)

FOLDING_TO_ASCII = ("\u212a", "\u017f")
"""The two non-ASCII characters that case folding equates with ASCII letters."""

_SEPARATOR = r"\xff"
_MOST_BYTES = 4
"""Most bytes of a character in UTF-8."""
_COUNTED = 20
"""Most repetitions that are counted exactly: a filter needs no more, and automata grow."""

TOKEN = re.compile(
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
_LETTERS = re.compile(r"\\pL|\\p\{L|\\w|a-z")
"""In a class: it contains letters."""

_BOUNDS = re.compile(r"\{(\d+)(,?)(\d*)\}")


def byte_superset(pattern: str) -> str:
    """The pattern over bytes, in the common subset of PCRE and RE2, in pure ASCII.

    Raises:
        UntranslatableError: only RE2 can search for the pattern.
    """
    tokens = list(TOKEN.finditer(pattern))
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
            # If an edge became a separator, a word boundary would be tested at a different position.
            out.append(_edge(text, i, last, flags) if token["edge"] else "" if edges else text)
        elif token["class"] or token["literal"]:
            out.append(_characters(text, flags, repeat, bool(token["class"])))
        elif token["repeat"]:
            if not (tokens[i - 1]["class"] or tokens[i - 1]["literal"]):
                out.append(_greedy(text))
        else:
            out.append(text)
    return "".join(out)


def between_repetitions(pattern: str) -> list[str]:
    r"""Parts of a pattern that all its matches contain: those between its repeated groups of words.

    A group of words has an unbounded repetition inside, as ``(?:\pL+ ){1,7}``; such groups slow an automaton
    down. Empty if the pattern has none, or has several alternatives.
    """
    tokens = list(TOKEN.finditer(pattern))
    flags = tokens[0].group() if tokens and tokens[0]["scope"] == ")" else ""
    edges = [len(flags)]
    opened: list[int] = []
    for i, token in enumerate(tokens):
        if token["group"] and token["scope"] != ")":
            opened.append(i)
        elif token["close"] and opened:
            first = opened.pop()
            if not opened and _repeats_words(tokens[first : i + 2]):
                edges += [tokens[first].start(), tokens[i + 1].end()]
        elif not opened and (token["or"] or (token["scope"] and i)):
            return []
    edges.append(len(pattern))
    parts = [pattern[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    return [flags + part for part in parts if part] if len(parts) > 1 else []


def from_first_literal(pattern: str) -> list[str]:
    r"""The pattern without the arbitrary letters it begins with, as ``@\pL+`` for ``[\pL\d]+@\pL+``.

    They would keep an automaton busy in every word. Empty if the pattern does not begin so, or has several
    alternatives.
    """
    tokens = list(TOKEN.finditer(pattern))
    flags = tokens[0].group() if tokens and tokens[0]["scope"] == ")" else ""
    depth = 0
    for i, token in enumerate(tokens):
        depth += bool(token["group"] and token["scope"] != ")") - bool(token["close"])
        if not depth and (token["or"] or (token["scope"] and i)):
            return []
    first = last = int(bool(flags))
    while last < len(tokens) and (tokens[last]["class"] or tokens[last]["repeat"] or tokens[last]["word"]):
        last += 1
    head = tokens[first:last]
    letters = [_LETTERS.search(token.group()) for token in head if token["class"]]
    repeats = any(token["repeat"] and bounds(token.group())[1] is None for token in head)
    begun = next((token for token in tokens[last:] if not token["group"]), None)
    if not all(letters) or not repeats or begun is None or not begun["literal"]:
        return []
    return [flags + pattern[tokens[last].start() :]]


def _repeats_words(group: Sequence[re.Match[str]]) -> bool:
    """Whether a repeated group has an unbounded repetition inside."""
    *inside, _, repeat = group
    if not repeat["repeat"] or repeat.group()[0] == "?":
        return False
    return any(token["repeat"] and bounds(token.group())[1] is None for token in inside)


def _shortened_tail(tokens: Sequence[re.Match[str]]) -> dict[int, str]:
    """Replacements for tokens at the end, so that matches end as early as possible.

    An automaton reports every end of a match. Optional parts at the end of the pattern are dropped, and
    repetitions there are reduced to their minimum; so is a last character that the repeated one before it
    includes, which would be reported at each of its occurrences.
    """
    shortened: dict[int, str] = {}
    i = len(tokens) - 1
    while i > 0:
        if tokens[i]["close"]:
            i -= 1
            continue
        if not tokens[i]["repeat"]:
            if shortened or not _is_one_more(tokens[max(i - 2, 0) : i + 1]):
                break
            shortened[i] = ""
            i -= 1
            continue
        least, _ = bounds(tokens[i].group())
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


def _is_one_more(tokens: Sequence[re.Match[str]]) -> bool:
    """Whether, of three tokens, the first repeats and includes the character of the last."""
    if len(tokens) < 3 or not tokens[1]["repeat"]:
        return False
    repeated, _, last = tokens
    if not all(token["class"] or token["literal"] for token in (repeated, last)):
        return False
    many, one = (members(token.group(), False, False) for token in (repeated, last))
    beyond = many.beyond in (ANY_BEYOND, one.beyond) or not one.beyond
    return set(one.ascii) <= set(many.ascii) and beyond


def bounds(repeat: str) -> tuple[int, int | None]:
    """Minimum and maximum of a repetition (None: unbounded); 1 and 1 without one."""
    counted = _BOUNDS.match(repeat)
    if counted:
        least, comma, most = counted.groups()
        return int(least), int(most) if most else None if comma else int(least)
    return int(repeat[:1] in ("", "+")), None if repeat[:1] in ("+", "*") else 1


def _opening(tokens: Sequence[re.Match[str]], close: int) -> int:
    """The token that opens the group ending at ``close``; ``close`` itself if no group ends there."""
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
    """At the end of the pattern, an edge is the separator; elsewhere, only RE2 tests it."""
    lines = r"\x0a" if "m" in flags and text in "^$" else ""
    if text in ("^", r"\A") and place == 0:
        return f"(?:^|[{_SEPARATOR}{lines}])"
    if text in ("$", r"\z") and place == last:
        return f"[{_SEPARATOR}{lines}]"
    return "(?:)"


def _characters(text: str, flags: str, repeat: str, is_class: bool) -> str:
    if not is_class and text.isascii():
        return (text if text.isalnum() else f"\\x{ord(text):02x}") + _greedy(repeat)
    in_ascii, beyond = members(text, "i" in flags, "s" in flags)
    listed = "".join(f"\\x{code:02x}" for code in in_ascii)
    if not beyond:
        if not listed:
            raise UntranslatableError(text)
        return f"[{listed}]" + _greedy(repeat)
    if _greedy(repeat) in ("", "?"):
        return (f"(?:[{listed}]|{beyond})" if listed else f"(?:{beyond})") + _greedy(repeat)
    return f"[{listed}\\x80-\\xfe]" + _widened(repeat)


def _greedy(repeat: str) -> str:
    """A repetition of bytes; greediness does not matter to a filter."""
    plain = repeat[:-1] if len(repeat) > 1 and repeat[-1] == "?" else repeat
    return _counted(*bounds(plain)) if _BOUNDS.fullmatch(plain) else plain


def _widened(repeat: str) -> str:
    """The repetition in bytes for a repetition of characters of one to four bytes."""
    if not _BOUNDS.match(repeat):
        return _greedy(repeat)
    least, most = bounds(repeat)
    return _counted(least, None if most is None else _MOST_BYTES * most)


def _counted(least: int, most: int | None) -> str:
    """A count that needs few states; large ones become unbounded."""
    if most is None or most > _COUNTED:
        return f"{{{min(least, _COUNTED)},}}"
    return f"{{{least},{most}}}"
