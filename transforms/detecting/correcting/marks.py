"""Marks on cells: where findings stay readable, and what is always replaced; from lists of human decisions.

A list is YAML of entries such as

    - {protect: Pepper, info_types: [PERSON_NAME]}
    - {suppress: Blue Moon, info_type: ORGANIZATION_NAME}
    - {protect: Will, conversation_id: c17}
    - {suppress: {turn: 3, start: 10, end: 14}, conversation_id: c17, info_type: PERSON_NAME}
    - {protect: {turn: 3, start: 10, end: 14}, conversation_id: c17, entity: true}

Phrases match as whole words, ignoring case and accents. Places are in the format of ``tacenda inspect``. With
``entity``, the decision holds for all mentions of the same entity in the conversation.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import yaml

from tacenda.transforms.detecting.dictionaries.folding import FoldedWords
from tacenda.transforms.detecting.dictionaries.loading import compile_terms
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import makes_tokens
from tacenda.transforms.storage.yaml_text import parse_yaml_list
from tacenda.transforms.text.column import TextColumn

LISTED = "list"
"""The detector of findings from a human list."""

PROTECTED = "protect"
"""Reason for a finding to stay readable: it is on a list."""


class Protected(NamedTuple):
    """A protected range: findings within it, of some infoTypes (None: of all), stay readable.

    ``why`` is the source of the mark, for the counts. With ``entity``, all mentions of an entity found there
    stay readable. ``entry`` is the list entry, for explanations; empty if no list has it.
    """

    start: int
    end: int
    info_types: frozenset[str] | None
    why: str
    entity: bool = False
    entry: str = ""

    def holds(self, text: str, finding: Finding) -> bool:
        """Whether a finding lies within it, ignoring punctuation and spaces at the finding's edges."""
        if self.info_types is not None and finding.info_type not in self.info_types:
            return False
        return not any(map(str.isalnum, text[finding.start : self.start] + text[self.end : finding.end]))


class Suppressed(NamedTuple):
    """A range that a list entry suppresses, before it was merged with others."""

    start: int
    end: int
    entry: str


@dataclass(slots=True)
class Marks:
    """The marks of a batch, by cell; ``suppressed`` are findings, disjoint and sorted by start.

    ``counts`` has the number of protected findings, by ``why/infoType``, and ``matched`` the number of
    matches of each list entry (``entry_key``). ``suppressed_by`` has the entries, for explanations.
    """

    protected: dict[int, list[Protected]] = field(default_factory=dict)
    suppressed: dict[int, list[Finding]] = field(default_factory=dict)
    counts: dict[int, Counter[str]] = field(default_factory=dict)
    matched: Counter[str] = field(default_factory=Counter)
    suppressed_by: dict[int, list[Suppressed]] = field(default_factory=dict)


Marking = Callable[[Marks, ConversationBatch, TextColumn], None]
"""A source of marks: adds those of a batch, whose texts the column has."""


def all_marks(markings: Iterable[Marking], batch: ConversationBatch, column: TextColumn) -> Marks:
    """The combined marks of several sources; suppression overrides protection."""
    marks = Marks()
    for mark in markings:
        mark(marks, batch, column)
    for cell in marks.suppressed.keys() & marks.protected.keys():
        marks.protected[cell] = [
            one
            for one in marks.protected[cell]
            if not any(found.start < one.end and one.start < found.end for found in marks.suppressed[cell])
        ]
    return marks


def divided(
    text: str, findings: Sequence[Finding], protected: Sequence[Protected]
) -> tuple[list[Finding], dict[str, list[Finding]]]:
    """Split findings into those that are not protected, and the others by the source of their protection."""
    left: list[Finding] = []
    readable: dict[str, list[Finding]] = {}
    for finding in findings:
        by = next((one for one in protected if one.holds(text, finding)), None)
        (left if by is None else readable.setdefault(by.why, [])).append(finding)
    return left, readable


def of_protected_entities(
    texts: Sequence[str],
    findings: Sequence[Sequence[Finding]],
    entities: Sequence[Sequence[int]],
    marks: Iterable[tuple[int, Sequence[Protected]]],
) -> dict[int, Protected]:
    """The protected entities of a conversation: those with a mention in a range marked with ``entity``.

    Args:
        texts: the conversation's texts.
        findings: the findings in each text.
        entities: the entity numbers of the findings.
        marks: protected ranges, by number of the text.
    """
    held: dict[int, Protected] = {}
    for cell, protected in marks:
        whole = [one for one in protected if one.entity]
        for finding, entity in zip(findings[cell], entities[cell], strict=True) if whole else ():
            for one in whole:
                if one.holds(texts[cell], finding):
                    held.setdefault(entity, one)
    return held


def overlaid(findings: Sequence[Finding], suppressed: Sequence[Finding]) -> list[Finding]:
    """Merge ``suppressed`` findings into others; where they overlap, one of their infoType covers both.

    ``suppressed`` are disjoint and sorted by start; so is the result, if ``findings`` are.
    """
    result = list(findings)
    for one in suppressed:
        touched = [f for f in result if f.start < one.end and one.start < f.end]
        start = min(f.start for f in (one, *touched))
        end = max(f.end for f in (one, *touched))
        result = [*(f for f in result if f not in touched), one._replace(start=start, end=end)]
    return sorted(result)


def listed(start: int, end: int, info_type: str) -> Finding:
    """A finding from a human list."""
    return Finding(start, end, info_type, Likelihood.VERY_LIKELY, LISTED)


_ACTIONS = ("protect", "suppress")
_FURTHER = {"info_type", "info_types", "conversation_id", "entity", "because"}
_PLACE_KEYS = {"turn", "part", "start", "end"}


class Place(NamedTuple):
    """A range in a conversation: code points of a turn's original text, half-open."""

    turn: int
    start: int
    end: int
    part: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a user's list: what to protect or to suppress.

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
        text: YAML.
        name: the list's name, for messages; they never repeat a phrase.

    Raises:
        UserError: an entry is not valid; the message has its line.
    """
    try:
        entries = parse_yaml_list(text)
    except yaml.YAMLError:
        raise UserError(f"{name}: not valid YAML; write a list of entries, as - protect: WORD") from None
    if entries is None:
        raise UserError(f"{name}: must be a list of entries, as - protect: WORD")
    return [_entry(one, line, f"{name}:{line}") for line, one in entries]


def _entry(data: Any, line: int, where: str) -> Entry:
    actions = [action for action in _ACTIONS if isinstance(data, dict) and action in data]
    if len(actions) != 1 or not set(data) <= {*actions, *_FURTHER}:
        raise UserError(
            f"{where}: must be a mapping with protect or suppress, and of {', '.join(sorted(_FURTHER))}"
        )
    action = actions[0]
    conversation, entity = data.get("conversation_id"), data.get("entity", False)
    if conversation is not None and not isinstance(conversation, (str, int)):
        raise UserError(f"{where}: conversation_id must be a text")
    what = _what(data[action], where)
    if isinstance(what, Place) and conversation is None:
        raise UserError(f"{where}: a place needs a conversation_id")
    if not isinstance(entity, bool):
        raise UserError(f"{where}: entity must be true or false")
    replaced_as, names = data.get("info_type"), data.get("info_types") or ()
    if action == "suppress":
        if not isinstance(replaced_as, str) or not makes_tokens(replaced_as):
            raise UserError(f"{where}: needs info_type, in capitals, the type it is replaced as")
        names = [replaced_as]
    elif not isinstance(names, (list, tuple)) or not all(isinstance(one, str) for one in names):
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


class _Phrases:
    """Phrases whose entries do the same (``entry`` is one of them), each with the keys of its entries."""

    def __init__(self, entry: Entry, keys: Mapping[str, Sequence[str]]) -> None:
        self.entry = entry
        self.table = compile_terms([list(keys)])
        self._keys: dict[int, list[str]] = {}
        for phrase, own in keys.items():
            for term in compile_terms([[phrase]]).hashes.tolist():
                self._keys.setdefault(term, []).extend(own)

    def note(self, marks: Marks, folded: FoldedWords, first: int) -> list[str]:
        """Mark the matches in a column whose first cell has a number; the keys of the entries that matched."""
        matched: list[str] = []
        found = (column.tolist() for column in folded.find(self.table))
        for cell, start, end, term in zip(*found, strict=True):
            own = self._keys[term]
            _add(marks, self.entry, first + cell, start, end, own[0])
            matched += own
        return matched


class ListMarking:
    """Marks what lists contain; where they contradict each other, the text is replaced.

    Args:
        lists: the entries of each list; matches are counted by ``entry_key``.
    """

    def __init__(self, *lists: Sequence[Entry]) -> None:
        by_deed: dict[tuple[Any, ...], tuple[Entry, dict[str, list[str]]]] = {}
        self._places: dict[str | None, list[tuple[str, Entry, Place]]] = {}
        for i, entries in enumerate(lists):
            for k, entry in enumerate(entries):
                if isinstance(entry.what, Place):
                    placed = entry_key(i, k), entry, entry.what
                    self._places.setdefault(entry.conversation, []).append(placed)
                    continue
                deed = entry.conversation, entry.action, entry.info_types, entry.entity
                by_deed.setdefault(deed, (entry, {}))[1].setdefault(entry.what, []).append(entry_key(i, k))
        self._phrases: dict[str | None, list[_Phrases]] = {}
        for entry, keys in by_deed.values():
            self._phrases.setdefault(entry.conversation, []).append(_Phrases(entry, keys))

    def __call__(self, marks: Marks, batch: ConversationBatch, column: TextColumn) -> None:
        """Add the marks of a batch."""
        if everywhere := self._phrases.get(None):
            folded = FoldedWords(column)
            for phrases in everywhere:
                marks.matched.update(phrases.note(marks, folded, 0))
        if not self._places and not self._phrases.keys() - {None}:
            return
        for i, names in enumerate(map(dict.fromkeys, zip(batch.given, batch.ids, strict=True))):
            cells = batch.cells(i)
            several = [phrases for name in names for phrases in self._phrases.get(name, ())]
            in_place: list[_Phrases] = []
            for key, entry, place in (one for name in names for one in self._places.get(name, ())):
                said = _note_place(marks, key, entry, place, batch, cells)
                if said is not None and entry.entity and entry.action == "suppress":
                    # No detector needs to find it, so entity linking alone would miss other mentions.
                    in_place.append(_Phrases(entry, {said: (key,)}))
            if several or in_place:
                folded = FoldedWords(TextColumn(batch.texts[cells.start : cells.stop]))
                for phrases in several:
                    marks.matched.update(phrases.note(marks, folded, cells.start))
                for phrases in in_place:
                    phrases.note(marks, folded, cells.start)


def entry_key(number: int, entry: int) -> str:
    """The key for counting an entry's matches: the number of its list and its own number there, from 0."""
    return f"{number}/{entry}"


def _note_place(
    marks: Marks, key: str, entry: Entry, place: Place, batch: ConversationBatch, cells: range
) -> str | None:
    """Mark a place; returns the text there, None if no text has such a place."""
    for cell in cells:
        if (batch.turns[cell], batch.parts[cell]) == (place.turn, place.part):
            end = min(place.end, len(batch.texts[cell]))
            if place.start < end:
                _add(marks, entry, cell, place.start, end, key)
                marks.matched[key] += 1
                return batch.texts[cell][place.start : end]
    return None


def _add(marks: Marks, entry: Entry, cell: int, start: int, end: int, key: str) -> None:
    if entry.action == "suppress":
        found = listed(start, end, entry.info_types[0])
        marks.suppressed[cell] = overlaid(marks.suppressed.get(cell, ()), [found])
        marks.suppressed_by.setdefault(cell, []).append(Suppressed(start, end, key))
    else:
        info_types = frozenset(entry.info_types) or None
        protected = Protected(start, end, info_types, PROTECTED, entry.entity, key)
        marks.protected.setdefault(cell, []).append(protected)


def counts_of(entries: Sequence[Entry]) -> Mapping[str, int]:
    """The number of entries that protect and that suppress."""
    return {action: sum(entry.action == action for entry in entries) for action in _ACTIONS}


def matched_nothing(number: int, lines: Sequence[int], matched: Mapping[str, int]) -> list[int]:
    """The lines of a list's entries without matches; ``lines`` has the line of each entry."""
    return [line for k, line in enumerate(lines) if not matched.get(entry_key(number, k))]
