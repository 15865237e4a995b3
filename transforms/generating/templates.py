"""Templates: utterances with gaps, parsed once.

    Thank you for calling {company}, <this is|my name is> {A.first}. {+offer}

``{owner.attribute}`` is a fact about a person, ``{kind}`` a new fact, ``{kind1}`` a fact kept for the scene;
``:spelled`` spells it, and ``:head``, ``:tail``, ``:last4`` and ``:q1`` … ``:q4`` (quarters) are parts of it.
``{+pool}`` is any sentence of a pool, and ``<a|b>`` one of several wordings.
"""

import re
from collections.abc import Container
from typing import NamedTuple

from tacenda.transforms.generating.facts import FACTS
from tacenda.transforms.generating.person import ATTRIBUTES
from tacenda.transforms.generating.pieces import Piece
from tacenda.transforms.generating.voice import PARTS

_TOKEN = re.compile(r"(<[^<>]*>|\{[^{}]*\})")
_SLOT = re.compile(r"(?:(?P<owner>\w+)\.)?(?P<name>[a-z_]+)(?P<kept>\d*)(?::(?P<part>\w+))?")
CALL_WIDE = ("company", "rival", "offering", "site")
"""Facts without an owner that are fixed for the whole conversation."""


class Slot(NamedTuple):
    """A gap for a fact. ``owner`` is empty for facts without one."""

    owner: str
    name: str
    key: str
    part: str


class Pool(NamedTuple):
    """A gap for any sentence of a named pool."""

    name: str


class Choice(NamedTuple):
    """One of several wordings."""

    branches: tuple["Template", ...]


Template = tuple["Piece | Slot | Pool | Choice", ...]


def parse(text: str, pools: Container[str]) -> Template:
    """Parse one template.

    Raises:
        ValueError: a gap refers to something that does not exist.
    """
    parts: list[Piece | Slot | Pool | Choice] = []
    for token in _TOKEN.split(text):
        if not token:
            continue
        if token[0] == "<":
            parts.append(Choice(tuple(parse(branch, pools) for branch in token[1:-1].split("|"))))
        elif token[0] == "{":
            parts.append(_gap(token[1:-1], pools))
        else:
            parts.append(Piece(token))
    return tuple(parts)


def _gap(text: str, pools: Container[str]) -> Slot | Pool:
    if text.startswith("+"):
        if text[1:] not in pools:
            raise ValueError(f"no pool {text!r}")
        return Pool(text[1:])
    match = _SLOT.fullmatch(text)
    if match is None:
        raise ValueError(f"not a gap: {text!r}")
    owner, name, part = match["owner"] or "", match["name"], match["part"] or ""
    known = name in ATTRIBUTES if owner else name in FACTS or name in CALL_WIDE
    if not known or (part and part not in PARTS):
        raise ValueError(f"unknown gap: {text!r}")
    return Slot(owner, name, f"{name}{match['kept']}" if match["kept"] else "", part)
