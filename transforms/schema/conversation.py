"""Conversations as columns: the table that flows through every room.

A *cell* is one piece of text that is read, searched and replaced as a whole. Usually a cell is a turn; a chat
message whose content has several parts, or tool calls with arguments, has several cells.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.transforms.schema.rejection import Rejection, Stage

OUTSIDE_TURNS = -1  # the turn of a cell outside of all turns: a text beside the turns of its conversation


class AnnotatedSpan(NamedTuple):
    """A range that an annotator marked as personal data.

    ``start`` and ``end`` are code points in the cell's text, half-open. ``label`` is an infoType of a gold
    corpus or a ``MISSED_…`` tag of a reviewer. ``entity``, if given, is equal for spans of one conversation
    that mean the same entity.
    """

    start: int
    end: int
    label: str
    entity: str | None = None


class Annotation(str, Enum):
    """Who annotated a conversation; scores of different annotators are never added up.

    ``PARTIAL_GOLD`` declares itself incomplete. ``EMPTY_GOLD`` has no marks and does not declare itself
    complete: it cannot be distinguished from a conversation that was not annotated.
    """

    NONE = "none"
    GOLD = "gold"
    PARTIAL_GOLD = "partial_gold"
    EMPTY_GOLD = "empty_gold"
    HUMAN = "human"

    @property
    def is_gold(self) -> bool:
        """Whether it has gold annotations, complete or not."""
        return self in (Annotation.GOLD, Annotation.PARTIAL_GOLD, Annotation.EMPTY_GOLD)

    @property
    def is_whole(self) -> bool:
        """Whether the annotations alone determine what is left readable."""
        return self in (Annotation.GOLD, Annotation.HUMAN)


@dataclass(slots=True)
class ConversationBatch:
    """Some conversations of one work unit, column by column.

    The lists from ``texts`` to ``spans`` have one entry per cell, all others one per conversation, but for
    ``first_cell``, which has one more: conversation ``i`` has the cells ``first_cell[i]:first_cell[i + 1]``.

    ``given`` has the ids of the input, where ``ids`` may be neutral ones. ``readers`` has who read an
    anonymised conversation, from its record (``reviewed_by``); empty if unnamed, None without such a field.
    ``frames`` is what its shape needs to write the record again, for no other room. ``rows`` has the number of
    its input rows (1, or its turns in turn-a-row input), ``origins`` the number of the file to which its
    position refers. ``labels`` has what else is written of its record as it is, each with its kind
    (``shapes.paths.Kind``): ids of calls, names of files, names and definitions of tools. ``json_texts`` has
    JSON texts that were split into cells, by position among the cells of the conversation
    (``shapes/json_cells.py``), ``numbers`` the positions of numbers in arguments of calls; both are usually
    None.
    """

    ids: list[str] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    contexts: list[str] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    readers: list[str | None] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    first_cell: list[int] = field(default_factory=lambda: [0])

    texts: list[str] = field(default_factory=list)
    speakers: list[str | None] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    parts: list[str | None] = field(default_factory=list)
    spans: list[Sequence[AnnotatedSpan]] = field(default_factory=list)

    frames: list[Any] = field(default_factory=list)
    labels: list[Sequence[tuple[str, str]]] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    origins: list[int | None] = field(default_factory=list)
    json_texts: list[Mapping[int, str] | None] = field(default_factory=list)
    numbers: list[Sequence[int] | None] = field(default_factory=list)

    @classmethod
    def of_turns(cls, conversations: Sequence[Sequence[tuple[str | None, str]]]) -> "ConversationBatch":
        """Conversations of (speaker, text) turns, without records to write back; ids are their numbers.

        >>> ConversationBatch.of_turns([[("Pam", "hello"), (None, "hi")]]).texts
        ['hello', 'hi']
        """
        count, ids = len(conversations), list(map(str, range(len(conversations))))
        columns = "readers", "frames", "origins", "json_texts", "numbers"
        unknown: dict[str, Any] = {name: [None] * count for name in columns}
        texts = [text for turns in conversations for _, text in turns]
        return cls(
            ids=ids,
            given=[*ids],
            contexts=[""] * count,
            annotations=[Annotation.NONE] * count,
            positions=list(range(count)),
            first_cell=[0, *accumulate(map(len, conversations))],
            texts=texts,
            speakers=[speaker for turns in conversations for speaker, _ in turns],
            turns=[turn for turns in conversations for turn in range(len(turns))],
            parts=[None] * len(texts),
            spans=[()] * len(texts),
            labels=[()] * count,
            rows=[1] * count,
            **unknown,
        )

    def __len__(self) -> int:
        return len(self.ids)

    def cells(self, conversation: int) -> range:
        return range(self.first_cell[conversation], self.first_cell[conversation + 1])

    def own(self, conversation: int) -> slice:
        """The cells of one conversation, as a slice of a column."""
        return slice(self.first_cell[conversation], self.first_cell[conversation + 1])

    def turn_numbers(self) -> npt.NDArray[np.int64]:
        """A turn number for each cell, distinct across conversations; below 0 for cells outside of turns."""
        turns = np.asarray(self.turns, dtype=np.int64)
        conversations = np.repeat(np.arange(len(self)), np.diff(self.first_cell))
        numbers: npt.NDArray[np.int64] = np.where(turns < 0, turns, conversations << 32 | turns)
        return numbers

    def extend(self, other: "ConversationBatch") -> None:
        cells = len(self.texts)
        self.first_cell.extend([cells + first for first in other.first_cell[1:]])
        for name in _LISTS:
            getattr(self, name).extend(getattr(other, name))

    def conversation_of(self, cell: int) -> int:
        return bisect_right(self.first_cell, cell) - 1

    def rejection(self, conversation: int, stage: Stage, error: str) -> Rejection:
        """What becomes of a conversation that is left out for an error."""
        i = conversation
        return Rejection(self.positions[i], stage, error, self.rows[i], self.origins[i])

    def without(self, conversations: set[int]) -> "ConversationBatch":
        left = [i for i in range(len(self)) if i not in conversations]
        return self.take(left) if conversations else self

    def take(self, conversations: Sequence[int]) -> "ConversationBatch":
        cells = [cell for i in conversations for cell in self.cells(i)]
        places = [0, *accumulate(len(self.cells(i)) for i in conversations)]
        of = {name: cells if name in _OF_CELLS else conversations for name in _LISTS}
        columns = {name: list(map(getattr(self, name).__getitem__, chosen)) for name, chosen in of.items()}
        return ConversationBatch(first_cell=places, **columns)


_OF_CELLS = frozenset({"texts", "speakers", "turns", "parts", "spans"})
_LISTS = [column.name for column in fields(ConversationBatch) if column.name != "first_cell"]
