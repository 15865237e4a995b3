"""Counterfactual variants: the same conversation with other people's names, and nothing else changed.

After R. Muñoz Sánchez et al., "Name bias in automated essay scoring" (CALD-pseudo, 2024): a text is eligible if
one given name is in it, once, in its base form. Then every name fits in its place without any other change.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from tacenda.transforms.evaluating.bias.name_groups import Cell, NameGroups
from tacenda.transforms.schema.conversation import AnnotatedSpan

PERSON_NAME = "PERSON_NAME"

_NAMES = frozenset({PERSON_NAME, "FIRST_NAME", "LAST_NAME", "MALE_NAME", "FEMALE_NAME"})
"""Labels of gold that mark a person's name."""

_INFLECTED = re.compile("['’]")


class Ineligible(str, Enum):
    """Why a conversation has no variants."""

    INCOMPLETE_GOLD = "gold that is not complete for names"
    NO_NAME = "no name"
    SEVERAL_NAMES = "several names"
    SEVERAL_WORDS = "a name of several words"
    NOT_CAPITALISED = "a name that is not capitalised"
    INFLECTED = "an inflected name"
    ELSEWHERE = "the name is also elsewhere in the text or in a speaker label"


class Place(NamedTuple):
    """The position of a conversation's only name: cell, and half-open range of code points in its text."""

    cell: int
    start: int
    end: int


class Variant(NamedTuple):
    """A conversation with another name.

    ``texts`` and ``spans`` have one entry per cell; ``place`` is the new position of the name.
    """

    cell: Cell
    name: str
    texts: list[str]
    spans: list[list[AnnotatedSpan]]
    place: Place


def eligible_place(
    texts: Sequence[str], speakers: Sequence[str | None], spans: Sequence[Sequence[AnnotatedSpan]]
) -> Place | Ineligible:
    """The position of a conversation's only name, or the reason why it has no variants.

    Args:
        texts: of the cells of one conversation.
        speakers: label of each cell.
        spans: gold of each cell, complete for names.
    """
    names = [
        Place(cell, span.start, span.end)
        for cell, several in enumerate(spans)
        for span in several
        if span.label in _NAMES
    ]
    if len(names) != 1:
        return Ineligible.SEVERAL_NAMES if names else Ineligible.NO_NAME
    (place,) = names
    text = texts[place.cell]
    name, behind = text[place.start : place.end], text[place.end : place.end + 1]
    if not name.isalpha():
        return Ineligible.INFLECTED if _INFLECTED.search(name) else Ineligible.SEVERAL_WORDS
    if not name.istitle():
        return Ineligible.NOT_CAPITALISED
    if behind.isalnum() or _INFLECTED.match(behind):
        return Ineligible.INFLECTED
    mention = re.compile(rf"\b{re.escape(name)}", re.IGNORECASE)
    if any(mention.search(speaker) for speaker in speakers if speaker):
        return Ineligible.ELSEWHERE
    if sum(len(mention.findall(other)) for other in texts) != 1:
        return Ineligible.ELSEWHERE
    return place


def variants(
    texts: Sequence[str], spans: Sequence[Sequence[AnnotatedSpan]], place: Place, groups: NameGroups
) -> Iterator[Variant]:
    """A variant for each name of each group; offsets after the name are shifted with the text.

    Args:
        texts: of the cells of one conversation.
        spans: gold of each cell.
        place: of the name, from :func:`eligible_place`.
        groups: the names.
    """
    text = texts[place.cell]
    for cell, names in groups.names.items():
        for name in names:
            moved = len(name) - (place.end - place.start)
            changed = list(texts)
            changed[place.cell] = f"{text[: place.start]}{name}{text[place.end :]}"
            marked = [list(several) for several in spans]
            marked[place.cell] = [
                span._replace(
                    start=span.start + moved if span.start >= place.end else span.start,
                    end=span.end + moved if span.end >= place.end else span.end,
                )
                for span in spans[place.cell]
            ]
            yield Variant(cell, name, changed, marked, place._replace(end=place.end + moved))
