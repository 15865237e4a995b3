"""Spoken e-mail and web addresses: "jane dot doe at g mail dot com".

Each part of an address is told by one character (its tag), so that an address is a match of one regular
expression.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from tacenda.transforms.detecting.spoken.lexicon import Lexicon, address_words, figures
from tacenda.transforms.detecting.spoken.reading import Element, SpokenRun, Token, glued

_LONGEST_FUNCTION_WORD = 3

_LABEL = r"(?:[WTH]g*(?:F(?:-?F)*)?|F(?:-?F)*|F?g+)"
_HOST_LABEL = r"(?:[WTHI]g*|F(?:-?F)*)"
_LOCAL = rf"{_LABEL}(?:[._+-]{_LABEL}){{0,11}}"
_TOPS = r"(?:\.[Tt]){1,11}"
_ADDRESS = re.compile(
    rf"(?P<local>{_LOCAL})@(?P<host>{_HOST_LABEL}(?:[.-]{_HOST_LABEL}){{0,11}}?{_TOPS})"
    rf"|(?P<url>{_HOST_LABEL}(?:[.-]{_HOST_LABEL}){{0,11}}?{_TOPS}(?:/{_HOST_LABEL}(?:[/_-]{_HOST_LABEL}){{0,11}})?)"
)


class _Unit(NamedTuple):
    """The tokens ``first:last``: a part of an address, with its tag and its written form.

    ``said`` tells a sign that is said in words, or an at sign that is set apart.
    """

    first: int
    last: int
    tag: str
    value: str
    said: bool = False


def addresses(
    found: Sequence[Token], chains: Sequence[Sequence[Element]], words: Lexicon
) -> Iterator[SpokenRun]:
    """The addresses of a text with a spoken or omitted sign, in order."""
    units = list(_units(found, {e.first: e for chain in chains for e in chain}, words))
    tags = "".join(unit.tag for unit in units)
    for match in _ADDRESS.finditer(tags):
        own = units[match.start() : match.end()]
        start, end = found[own[0].first].start, found[own[-1].last - 1].end
        value = "".join(_written(own))
        if match["url"]:
            if any(unit.said for unit in own):
                yield SpokenRun(start, end, value, "url")
        elif (email := _email(found, own, value, match.start("host") - match.start())) is not None:
            first, kind = email
            value = "".join(_written(own[first:]))
            yield SpokenRun(found[own[first].first].start, end, value, kind)


def _email(
    found: Sequence[Token], own: Sequence[_Unit], value: str, host: int
) -> tuple[int, Literal["email", "url"]] | None:
    """The first unit and the kind of what has an at sign; None if it is plain text or a written address."""
    local, domain = value.split("@", 1)
    said_apart = any(unit.said for unit in (*own[: host - 1], *own[host:]))
    if domain.startswith("www."):
        return (host, "url") if said_apart else None
    # "at" alone before a written domain is a preposition: "look at example.com".
    mail_host = domain.split(".")[0] in address_words().mail_hosts
    is_written = found[own[host - 1].first].folded == "@"
    certain = own[host - 1].said and (is_written or mail_host or not local.isalpha())
    return (0, "email") if said_apart or certain else None


def _written(units: Sequence[_Unit]) -> Iterator[str]:
    """The written form of units; a hyphen between spelled letters is none of the address."""
    for k, unit in enumerate(units):
        spelled = 0 < k < len(units) - 1 and {units[k - 1].tag, units[k + 1].tag} == {"F"}
        if not (unit.tag == "-" and not unit.said and spelled):
            yield unit.value


def _units(found: Sequence[Token], elements: dict[int, Element], words: Lexicon) -> Iterator[_Unit]:
    i = 0
    while i < len(found):
        unit = _phrase(found, i, words) or _unit(found, i, elements, words)
        yield unit
        i = unit.last


def _phrase(found: Sequence[Token], i: int, words: Lexicon) -> _Unit | None:
    """A sign or a host that is said in several words: "at sign", "g mail"."""
    first = found[i].folded
    for phrase, value in (*words.long_signs.get(first, ()), *address_words().split_hosts.get(first, ())):
        if tuple(token.folded for token in found[i : i + len(phrase)]) == phrase:
            is_sign = len(value) == 1
            return _Unit(i, i + len(phrase), value if is_sign else "H", value, is_sign)
    return None


def _unit(found: Sequence[Token], i: int, elements: dict[int, Element], words: Lexicon) -> _Unit:
    token = found[i]
    before = found[i - 1] if i else None
    if token.form == "mark":
        tied = (
            before is not None and glued(before, token) and i + 1 < len(found) and glued(token, found[i + 1])
        )
        is_sign = token.folded == "@" or (tied and token.folded in "._-+")
        return _Unit(i, i + 1, token.folded if is_sign else "X", token.folded, is_sign and not tied)
    if sign := words.signs.get(token.folded):
        return _Unit(i, i + 1, sign, sign, True)
    if before is not None and glued(before, token) and {before.form, token.form} == {"word", "figures"}:
        return _Unit(i, i + 1, "g", token.folded)
    element = elements.get(i)
    if element is not None:
        return _Unit(i, element.last, "F", element.letter or figures(element.said))
    return _Unit(i, i + 1, "g" if token.form == "figures" else _tag(token.folded, words), token.folded)


def _tag(word: str, words: Lexicon) -> str:
    known = address_words()
    is_stop = word in words.stops
    if word in known.top_level:
        return "t" if is_stop else "T"
    if is_stop:
        # Words about addresses ("mail", "site") may be parts of a host.
        return "I" if word in words.introducers and len(word) > _LONGEST_FUNCTION_WORD else "X"
    if word in known.mail_hosts:
        return "H"
    return "W"
