"""Templates: text with gaps, parsed once and filled in as often as there are conversations.

    Thank you for calling {company}, <this is|my name is> {A.first}. {+offer}

``{name}`` is a value, ``{owner.name}`` one that belongs to somebody or something and stays the same, and a
part behind a colon says how much of it or in which way (``{C.phone:last4}``). ``{+pool}`` is any sentence of a
pool, ``{lawyer=PROFESSION}`` a literal word with a label, and ``<a|b>`` one of several wordings, which may
hold others. ``‹`` and ``›`` are literal angle brackets. What names, owners and parts there are, and what they
give, is up to the scene that a template is filled in for.

A filled template is pieces: runs of text, of which every gold span is one. Noise is applied to pieces, not
offsets, so spans are exact by construction whatever happens to the text.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from tacenda.transforms.generating.draw import Draw


class Piece(NamedTuple):
    """A run of text; ``label`` is empty if the text is not personal data."""

    text: str
    label: str = ""
    identity: str = ""


def assemble(pieces: Iterable[Piece]) -> tuple[str, list[dict[str, Any]], list[str]]:
    """Text of an utterance, its spans as in gold (``start, end, label``), and the identity of each.

    White space around a value is outside of its span. The text neither begins nor ends with spaces, and where
    two pieces meet there is one at most.
    """
    whole = ""
    spans: list[dict[str, Any]] = []
    identities = []
    for text, label, identity in pieces:
        if not whole or whole[-1] in " \n":
            text = text.lstrip(" ")
        value = text.strip()
        if label and value:
            start = len(whole) + text.index(value)
            spans.append({"start": start, "end": start + len(value), "label": label})
            identities.append(identity)
        whole += text
    return whole.rstrip(), spans, identities


class Slot(NamedTuple):
    """A gap for a value; ``owner`` and ``part`` are empty where none is named."""

    owner: str
    name: str
    part: str


class Pool(NamedTuple):
    """A gap for any sentence of a named pool."""

    name: str


class Choice(NamedTuple):
    """One of several wordings, each as likely as another."""

    branches: tuple["Template", ...]


Part = Piece | Slot | Pool | Choice
Template = tuple[Part, ...]
_MARK = re.compile(r"([<|>]|\{[^{}]*\})")
_SLOT = re.compile(r"(?:(?P<owner>\w+)\.)?(?P<name>\w+)(?::(?P<part>\w+))?")


class Scene(Protocol):
    """Supplies the values and sentences that fill in a template."""

    draw: Draw

    def value(self, gap: Any) -> Sequence[Piece]:
        """The text that fills a slot, or a sentence of a pool."""


def parse(text: str, knows: Callable[[Slot | Pool], bool]) -> Template:
    """Parse one template.

    Raises:
        ValueError: a choice or gap is not closed, or ``knows`` denies what a gap names.
    """
    choices: list[list[list[Part]]] = [[[]]]
    for mark in _MARK.split(text):
        branches = choices[-1]
        if mark == "<":
            choices.append([[]])
        elif mark == "|" and len(choices) > 1:
            branches.append([])
        elif mark == ">" and len(choices) > 1:
            choices.pop()
            choices[-1][-1].append(Choice(tuple(map(tuple, branches))))
        elif mark.startswith("{") and mark.endswith("}"):
            branches[-1].append(_gap(mark[1:-1], knows))
        elif "{" in mark or "}" in mark:
            raise ValueError(f"a gap is not closed: {mark!r}")
        elif mark:
            # "|" and ">" outside of a choice are literal.
            last = branches[-1][-1] if branches[-1] else None
            if isinstance(last, Piece) and not last.label:
                mark = last.text + mark
                branches[-1].pop()
            branches[-1].append(Piece(mark.replace("‹", "<").replace("›", ">")))
    if len(choices) > 1:
        raise ValueError(f"a choice is not closed with >: {text!r}")
    return tuple(choices[0][0])


def _gap(text: str, knows: Callable[[Slot | Pool], bool]) -> Part:
    word, labelled, label = text.partition("=")
    if labelled and "<" not in word:
        return Piece(word, label)
    match = _SLOT.fullmatch(text)
    if match is None and not text.startswith("+"):
        raise ValueError(f"not a gap: {text!r}")
    gap = Slot(match["owner"] or "", match["name"], match["part"] or "") if match else Pool(text[1:])
    if not knows(gap):
        raise ValueError(f"unknown gap: {text!r}")
    return gap


def fill(template: Template, scene: Scene) -> list[Piece]:
    """The pieces of a template, each gap with a value of the scene."""
    pieces: list[Piece] = []
    for part in template:
        if isinstance(part, Piece):
            pieces.append(part)
        elif isinstance(part, Choice):
            pieces.extend(fill(scene.draw.pick(part.branches), scene))
        else:
            pieces.extend(scene.value(part))
    return pieces


_GAP = re.compile(r"\{([^{}]+)\}")
_COUNTED = re.compile(r"([dlx])(\d+)")
_NUMBER = re.compile(r"(?:(\d+)-)?(\d+)")
_ALPHABETS = {"l": "ABCDEFGHJKLMNPQRSTUVWXYZ", "x": "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"}


def patterned(draw: Draw, pattern: str, named: Callable[[str], str] = str) -> str:
    """A text by a pattern: ``{d3}`` is three digits, ``{l3}`` letters, ``{x3}`` either, ``{2-9}`` a number.

    ``{99}`` is a number of 1 to 99; other gaps are what ``named`` says.

    >>> patterned(Draw(1), "INV-{d1}")[:4]
    'INV-'
    """

    def said(match: re.Match[str]) -> str:
        gap = match[1]
        if counted := _COUNTED.fullmatch(gap):
            count = int(counted[2])
            return draw.digits(count) if gap[0] == "d" else draw.letters(count, _ALPHABETS[gap[0]])
        if number := _NUMBER.fullmatch(gap):
            return str(draw.between(int(number[1] or 1), int(number[2])))
        return named(gap)

    return _GAP.sub(said, pattern)
