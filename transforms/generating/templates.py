"""Templates: text with gaps, parsed once and filled in as often as there are conversations.

    Thank you for calling {company}, <this is|my name is> {A.first}. {+offer}

``{name}`` is a value, ``{owner.name}`` one that belongs to somebody or something and stays the same, and a
part behind a colon says how much of it or in which way (``{C.phone:last4}``). ``{+pool}`` is any sentence of a
pool, ``{lawyer=PROFESSION}`` a literal word with a label, and ``<a|b>`` one of several wordings, which may
hold others. ``‹`` and ``›`` are literal angle brackets. What names, owners and parts there are, and what they
give, is up to the scene that a template is filled in for.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece

_MARK = re.compile(r"([<|>]|\{[^{}]*\})")
_SLOT = re.compile(r"(?:(?P<owner>\w+)\.)?(?P<name>\w+)(?::(?P<part>\w+))?")
_LITERAL_BRACKETS = str.maketrans("‹›", "<>")


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


Template = tuple["Piece | Slot | Pool | Choice", ...]


class Scene(Protocol):
    """What templates are filled in for."""

    draw: Draw

    def value(self, slot: Slot) -> Sequence[Piece]:
        """What stands in a slot."""

    def sentence(self, pool: str) -> Template:
        """A sentence of a pool."""


def parse(text: str, knows: Callable[[Slot | Pool], bool]) -> Template:
    """Parse one template.

    Raises:
        ValueError: a choice or gap is not closed, or ``knows`` denies what a gap names.
    """
    choices: list[list[list[Piece | Slot | Pool | Choice]]] = [[[]]]
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
        elif mark:
            _append_literal(branches[-1], mark)
    if len(choices) > 1:
        raise ValueError(f"a choice is not closed with >: {text!r}")
    return tuple(choices[0][0])


def _append_literal(parts: list[Piece | Slot | Pool | Choice], text: str) -> None:
    if "{" in text or "}" in text:
        raise ValueError(f"a gap is not closed: {text!r}")
    last = parts[-1] if parts else None
    if isinstance(last, Piece) and not last.label:
        text = last.text + text
        parts.pop()
    parts.append(Piece(text.translate(_LITERAL_BRACKETS)))


def _gap(text: str, knows: Callable[[Slot | Pool], bool]) -> Piece | Slot | Pool:
    word, labelled, label = text.partition("=")
    if labelled:
        return Piece(word, label)
    gap: Slot | Pool
    if text.startswith("+"):
        gap = Pool(text[1:])
    else:
        match = _SLOT.fullmatch(text)
        if match is None:
            raise ValueError(f"not a gap: {text!r}")
        gap = Slot(match["owner"] or "", match["name"], match["part"] or "")
    if not knows(gap):
        raise ValueError(f"unknown gap: {text!r}")
    return gap


def fill(template: Template, scene: Scene) -> list[Piece]:
    """The pieces of a template, each slot with a value of the scene."""
    pieces: list[Piece] = []
    _fill(template, scene, pieces)
    return pieces


def _fill(template: Template, scene: Scene, pieces: list[Piece]) -> None:
    for part in template:
        if isinstance(part, Piece):
            pieces.append(part)
        elif isinstance(part, Slot):
            pieces.extend(scene.value(part))
        elif isinstance(part, Choice):
            _fill(scene.draw.pick(part.branches), scene, pieces)
        else:
            _fill(scene.sentence(part.name), scene, pieces)
