"""Lists of human decisions: phrases and places that stay readable, or are always replaced.

A list is YAML, or JSON lines, of entries such as

    - {protect: Pepper, info_types: [PERSON_NAME]}
    - {suppress: Blue Moon, info_type: ORGANIZATION_NAME}
    - {protect: Will, conversation_id: c17}
    - {suppress: {turn: 3, start: 10, end: 14}, conversation_id: c17, info_type: PERSON_NAME}

Phrases match as whole words, ignoring case and accents. Places are in the format of ``tacenda inspect``.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import yaml

from tacenda.transforms.detecting.correcting.marks import Marks, Protected, listed, overlaid
from tacenda.transforms.detecting.dictionaries.compiling import compile_terms
from tacenda.transforms.detecting.dictionaries.folding import Folding
from tacenda.transforms.detecting.dictionaries.matching import FoldedCells
from tacenda.transforms.detecting.dictionaries.table import TermTable
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.token import makes_tokens
from tacenda.transforms.storage.yaml_text import parse_yaml
from tacenda.transforms.text.column import TextColumn

PROTECTED = "protect"
"""Reason for a finding to stay readable: it is on a list."""

_ACTIONS = ("protect", "suppress")
_KEYS = {"protect", "suppress", "info_type", "info_types", "conversation_id", "because"}
_PLACE_KEYS = {"turn", "part", "start", "end"}


class Place(NamedTuple):
    """A range in a conversation: code points of a turn's original text, half-open."""

    turn: int
    start: int
    end: int
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision.

    ``what`` is a phrase or a place; ``conversation`` is None for all conversations. ``info_types`` are those
    that stay readable (empty for all), or the one infoType under which the phrase is replaced.
    """

    action: str
    what: str | Place
    info_types: tuple[str, ...] = ()
    conversation: str | None = None


def read_entries(text: str, name: str) -> list[Entry]:
    """Parse a list.

    Args:
        text: YAML, or JSON lines.
        name: the list's name, for messages; they never repeat a phrase.

    Raises:
        UserError: an entry is not valid; the message has its number.
    """
    return [_entry(one, f"{name}: entry {number}") for number, one in enumerate(_read(text, name), 1)]


def _read(text: str, name: str) -> Sequence[Any]:
    if name.endswith((".jsonl", ".ndjson")):
        try:
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except ValueError:
            raise UserError(f"{name}: has a line that is not JSON; write one entry per line") from None
    try:
        entries = parse_yaml(text)
    except yaml.YAMLError:
        raise UserError(f"{name}: not valid YAML; write a list of entries, as - protect: WORD") from None
    if not isinstance(entries, list):
        raise UserError(f"{name}: must be a list of entries, as - protect: WORD")
    return entries


def _entry(data: Any, where: str) -> Entry:
    if not isinstance(data, dict) or not set(data) <= _KEYS or len(set(data) & set(_ACTIONS)) != 1:
        more = ", ".join(sorted(_KEYS - set(_ACTIONS)))
        raise UserError(f"{where}: must be a mapping with protect or suppress, and of {more}")
    (action,) = set(data) & set(_ACTIONS)
    conversation = data.get("conversation_id")
    if conversation is not None and not isinstance(conversation, (str, int)):
        raise UserError(f"{where}: conversation_id must be a text")
    what = _what(data[action], where)
    if isinstance(what, Place) and conversation is None:
        raise UserError(f"{where}: a place needs a conversation_id")
    if action == "suppress":
        info_type = data.get("info_type")
        if not isinstance(info_type, str) or not makes_tokens(info_type):
            raise UserError(f"{where}: needs info_type, in capitals, the type it is replaced as")
        names: Sequence[Any] = [info_type]
    else:
        names = data.get("info_types") or ()
        if not isinstance(names, (list, tuple)) or not all(isinstance(one, str) for one in names):
            raise UserError(f"{where}: info_types must be a list of names")
    return Entry(action, what, tuple(names), None if conversation is None else str(conversation))


def _what(given: Any, where: str) -> str | Place:
    if isinstance(given, str) and any(map(str.isalnum, given)):
        return given
    if isinstance(given, dict) and {"turn", "start", "end"} <= set(given) <= _PLACE_KEYS:
        numbers = [given["turn"], given["start"], given["end"]]
        if all(type(one) is int and one >= 0 for one in numbers) and given["start"] < given["end"]:
            return Place(given["turn"], given["start"], given["end"], given.get("part"))
    raise UserError(f"{where}: must have a phrase, or a place as {{turn: 3, start: 10, end: 14}}")


class _Group(NamedTuple):
    """Phrases that are treated alike."""

    action: str
    info_types: tuple[str, ...]
    table: TermTable


class ListMarking:
    """Marks what lists contain; where they contradict each other, the text is replaced.

    Args:
        entries: those of all lists.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        phrases: dict[str | None, dict[tuple[str, tuple[str, ...]], list[str]]] = {}
        self._places: dict[str, list[Entry]] = {}
        for entry in entries:
            if isinstance(entry.what, Place):
                assert entry.conversation is not None, "a place needs a conversation"
                self._places.setdefault(entry.conversation, []).append(entry)
            else:
                groups = phrases.setdefault(entry.conversation, {})
                groups.setdefault((entry.action, entry.info_types), []).append(entry.what)
        self._groups: dict[str | None, list[_Group]] = {
            conversation: [
                _Group(action, info_types, compile_terms([words], Folding.LOOSE))
                for (action, info_types), words in groups.items()
            ]
            for conversation, groups in phrases.items()
        }

    def marks(self, batch: ConversationBatch, column: TextColumn) -> Marks:
        """The marks of a batch."""
        marks = Marks()
        self._note(marks, None, column, 0)
        if self._places or self._groups.keys() - {None}:
            for i, conversation in enumerate(batch.ids):
                cells = batch.cells(i)
                if conversation in self._groups:
                    own = TextColumn(batch.texts[cells.start : cells.stop])
                    self._note(marks, conversation, own, cells.start)
                for entry in self._places.get(conversation, ()):
                    _note_place(marks, entry, batch, cells)
        return marks

    def _note(self, marks: Marks, conversation: str | None, column: TextColumn, first: int) -> None:
        groups = self._groups.get(conversation)
        if groups:
            folded = FoldedCells(column, Folding.LOOSE)
            for group in groups:
                for cell, start, end in zip(*(one.tolist() for one in folded.find(group.table)), strict=True):
                    _add(marks, group.action, group.info_types, first + cell, start, end)


def _note_place(marks: Marks, entry: Entry, batch: ConversationBatch, cells: range) -> None:
    place = entry.what
    assert isinstance(place, Place)
    for cell in cells:
        if (batch.turns[cell], batch.parts[cell]) == (place.turn, place.part):
            end = min(place.end, len(batch.texts[cell]))
            if place.start < end:
                _add(marks, entry.action, entry.info_types, cell, place.start, end)


def _add(marks: Marks, action: str, info_types: tuple[str, ...], cell: int, start: int, end: int) -> None:
    if action == "suppress":
        found = listed(start, end, info_types[0])
        marks.suppressed[cell] = overlaid(marks.suppressed.get(cell, ()), [found])
    else:
        protected = Protected(start, end, frozenset(info_types) or None, PROTECTED)
        marks.protected.setdefault(cell, []).append(protected)


def counts_of(entries: Sequence[Entry]) -> Mapping[str, int]:
    """The number of entries that protect and that suppress."""
    return {action: sum(entry.action == action for entry in entries) for action in _ACTIONS}
