"""Lists of human decisions: phrases and places that stay readable, or are always replaced.

A list is YAML, or JSON lines, of entries such as

    - {protect: Pepper, info_types: [PERSON_NAME]}
    - {suppress: Blue Moon, info_type: ORGANIZATION_NAME}
    - {protect: Will, conversation_id: c17}
    - {suppress: {turn: 3, start: 10, end: 14}, conversation_id: c17, info_type: PERSON_NAME}
    - {protect: {turn: 3, start: 10, end: 14}, conversation_id: c17, entity: true}

Phrases match as whole words, ignoring case and accents. Places are in the format of ``tacenda inspect``. With
``entity``, the decision holds for all mentions of the same entity in the conversation.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import yaml

from tacenda.transforms.detecting.correcting.marks import (
    Marks,
    Protected,
    Suppressed,
    listed,
    overlaid,
)
from tacenda.transforms.detecting.dictionaries.folding import Folding, folded_forms
from tacenda.transforms.detecting.dictionaries.loading import compile_terms, with_variants
from tacenda.transforms.detecting.dictionaries.table import FoldedCells, TermTable
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.token import makes_tokens
from tacenda.transforms.storage.yaml_text import parse_yaml_list
from tacenda.transforms.text.column import TextColumn

PROTECTED = "protect"
"""Reason for a finding to stay readable: it is on a list."""

_ACTIONS = ("protect", "suppress")
_KEYS = {"protect", "suppress", "info_type", "info_types", "conversation_id", "entity", "because"}
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
    that stay readable (empty for all), or the one infoType under which the phrase is replaced. With ``entity``,
    the decision holds for all mentions of the same entity in the conversation. ``line`` is the entry's line in
    its file.
    """

    action: str
    what: str | Place
    info_types: tuple[str, ...] = ()
    conversation: str | None = None
    entity: bool = False
    line: int = field(default=0, compare=False)


def read_entries(text: str, name: str) -> list[Entry]:
    """Parse a list.

    Args:
        text: YAML, or JSON lines.
        name: the list's name, for messages; they never repeat a phrase.

    Raises:
        UserError: an entry is not valid; the message has its line.
    """
    return [_entry(one, line, f"{name}:{line}") for line, one in _read(text, name)]


def _read(text: str, name: str) -> Iterable[tuple[int, Any]]:
    if name.endswith((".jsonl", ".ndjson")):
        return _read_json_lines(text, name)
    try:
        entries = parse_yaml_list(text)
    except yaml.YAMLError:
        raise UserError(f"{name}: not valid YAML; write a list of entries, as - protect: WORD") from None
    if entries is None:
        raise UserError(f"{name}: must be a list of entries, as - protect: WORD")
    return entries


def _read_json_lines(text: str, name: str) -> Iterable[tuple[int, Any]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError:
                raise UserError(f"{name}:{number}: not JSON; write one entry per line") from None


def _entry(data: Any, line: int, where: str) -> Entry:
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
    entity = data.get("entity", False)
    if not isinstance(entity, bool):
        raise UserError(f"{where}: entity must be true or false")
    if action == "suppress":
        info_type = data.get("info_type")
        if not isinstance(info_type, str) or not makes_tokens(info_type):
            raise UserError(f"{where}: needs info_type, in capitals, the type it is replaced as")
        names: Sequence[Any] = [info_type]
    else:
        names = data.get("info_types") or ()
        if not isinstance(names, (list, tuple)) or not all(isinstance(one, str) for one in names):
            raise UserError(f"{where}: info_types must be a list of names")
    return Entry(
        action, what, tuple(names), None if conversation is None else str(conversation), entity, line
    )


def _what(given: Any, where: str) -> str | Place:
    if isinstance(given, str) and any(map(str.isalnum, given)):
        return given
    if isinstance(given, dict) and {"turn", "start", "end"} <= set(given) <= _PLACE_KEYS:
        numbers = [given["turn"], given["start"], given["end"]]
        if all(type(one) is int and one >= 0 for one in numbers) and given["start"] < given["end"]:
            return Place(given["turn"], given["start"], given["end"], given.get("part"))
    raise UserError(f"{where}: must have a phrase, or a place as {{turn: 3, start: 10, end: 14}}")


class _Treatment(NamedTuple):
    """What an entry does with its matches."""

    action: str
    info_types: tuple[str, ...]
    entity: bool


class _Group:
    """Phrases with the same treatment; ``keys`` has the keys of each phrase's entries.

    ``counts``: their matches count as those of the entries.
    """

    def __init__(self, treatment: _Treatment, keys: Mapping[str, Sequence[str]], counts: bool = True) -> None:
        self.treatment = treatment
        self.counts = counts
        self.table: TermTable = compile_terms([list(keys)], Folding.LOOSE)
        self._keys: dict[str, list[str]] = {}
        self._known: dict[str, list[str]] = {}
        for phrase, own in keys.items():
            for form in dict.fromkeys(folded_forms(with_variants([phrase]), Folding.LOOSE)):
                self._keys.setdefault(form, []).extend(own)

    def keys_of(self, texts: Sequence[str]) -> list[list[str]]:
        """For each matched text, the keys of the entries that match it."""
        new = list(dict.fromkeys(text for text in texts if text not in self._known))
        if new:
            forms = folded_forms(new, Folding.LOOSE)
            self._known.update(zip(new, (self._keys.get(form, []) for form in forms), strict=True))
        return [self._known[text] for text in texts]


class ListMarking:
    """Marks what lists contain; where they contradict each other, the text is replaced.

    Args:
        lists: the entries of each list; matches are counted by ``entry_key``.
    """

    def __init__(self, *lists: Sequence[Entry]) -> None:
        phrases: dict[str | None, dict[_Treatment, dict[str, list[str]]]] = {}
        self._places: dict[str, list[tuple[str, Entry]]] = {}
        for i, entries in enumerate(lists):
            for k, entry in enumerate(entries):
                key = entry_key(i, k)
                if isinstance(entry.what, Place):
                    assert entry.conversation is not None, "a place needs a conversation"
                    self._places.setdefault(entry.conversation, []).append((key, entry))
                else:
                    groups = phrases.setdefault(entry.conversation, {})
                    group = groups.setdefault(_Treatment(entry.action, entry.info_types, entry.entity), {})
                    group.setdefault(entry.what, []).append(key)
        self._groups: dict[str | None, list[_Group]] = {
            conversation: [_Group(treatment, keys) for treatment, keys in groups.items()]
            for conversation, groups in phrases.items()
        }

    def marks(self, batch: ConversationBatch, column: TextColumn) -> Marks:
        """The marks of a batch."""
        marks = Marks()
        self._note(marks, self._groups.get(None, ()), column, 0)
        if self._places or self._groups.keys() - {None}:
            for i, names in enumerate(map(dict.fromkeys, zip(batch.given, batch.ids, strict=True))):
                cells = batch.cells(i)
                groups = [group for name in names for group in self._groups.get(name, ())]
                for key, entry in (one for name in names for one in self._places.get(name, ())):
                    named = _note_place(marks, key, entry, batch, cells)
                    if named is not None and entry.entity and entry.action == "suppress":
                        # No detector needs to find it, so entity linking alone would miss other mentions.
                        groups.append(
                            _Group(_Treatment("suppress", entry.info_types, True), {named: (key,)}, False)
                        )
                if groups:
                    own = TextColumn(batch.texts[cells.start : cells.stop])
                    self._note(marks, groups, own, cells.start)
        return marks

    def _note(self, marks: Marks, groups: Sequence[_Group], column: TextColumn, first: int) -> None:
        if not groups:
            return
        folded = FoldedCells(column, Folding.LOOSE)
        for group in groups:
            found = list(zip(*(one.tolist() for one in folded.find(group.table)), strict=True))
            keys = group.keys_of([column.texts[cell][start:end] for cell, start, end in found])
            for (cell, start, end), own in zip(found, keys, strict=True):
                _add(marks, group.treatment, first + cell, start, end, own[0] if own else "")
                marks.matched.update(own if group.counts else ())


def entry_key(number: int, entry: int) -> str:
    """The key for counting an entry's matches: the number of its list and its own number there, from 0."""
    return f"{number}/{entry}"


def _note_place(marks: Marks, key: str, entry: Entry, batch: ConversationBatch, cells: range) -> str | None:
    """Mark a place; returns the text there, None if no text has such a place."""
    place = entry.what
    assert isinstance(place, Place)
    for cell in cells:
        if (batch.turns[cell], batch.parts[cell]) == (place.turn, place.part):
            end = min(place.end, len(batch.texts[cell]))
            if place.start < end:
                treatment = _Treatment(entry.action, entry.info_types, entry.entity)
                _add(marks, treatment, cell, place.start, end, key)
                marks.matched[key] += 1
                return batch.texts[cell][place.start : end]
    return None


def _add(marks: Marks, treatment: _Treatment, cell: int, start: int, end: int, key: str) -> None:
    if treatment.action == "suppress":
        found = listed(start, end, treatment.info_types[0])
        marks.suppressed[cell] = overlaid(marks.suppressed.get(cell, ()), [found])
        marks.suppressed_by.setdefault(cell, []).append(Suppressed(start, end, key))
    else:
        info_types = frozenset(treatment.info_types) or None
        protected = Protected(start, end, info_types, PROTECTED, treatment.entity, key)
        marks.protected.setdefault(cell, []).append(protected)


def counts_of(entries: Sequence[Entry]) -> Mapping[str, int]:
    """The number of entries that protect and that suppress."""
    return {action: sum(entry.action == action for entry in entries) for action in _ACTIONS}


def matched_nothing(number: int, lines: Sequence[int], matched: Mapping[str, int]) -> list[int]:
    """The lines of a list's entries without matches; ``lines`` has the line of each entry."""
    return [line for k, line in enumerate(lines) if not matched.get(entry_key(number, k))]
