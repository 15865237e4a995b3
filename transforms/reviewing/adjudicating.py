"""Combine the marks of several readers of a conversation into one set.

What any reader marked counts, until an adjudicator has decided: their readings replace all others of the
conversations that they contain. So a disagreement never lowers a score by itself.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple

from tacenda.transforms.reviewing.marks import Mark, Reading
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.declared import reader_name


class Adjudicated(NamedTuple):
    """The marks that count for a conversation, its readers, and whether a difference between them is
    undecided.
    """

    conversation_id: str
    readers: tuple[str, ...]
    marks: tuple[Mark, ...]
    disputed: bool

    @property
    def read_by(self) -> str:
        """All readers as one name.

        Raises:
            UserError: it is too long for one; records have room for a hundred characters.
        """
        name = " and ".join(self.readers)
        if self.readers and not reader_name(name):
            raise UserError(
                f"{len(self.readers)} readers of one conversation: their names are too long together"
            )
        return name


def adjudicate(readings: Iterable[Reading], decided: Iterable[Reading] = ()) -> list[Adjudicated]:
    """Combine readings by conversation, in the order of ids.

    Args:
        readings: of all readers.
        decided: those of adjudicators, which replace the marks of others, and not their names.

    Raises:
        UserError: one person's reading of a conversation comes twice, or there are two decisions on one.
    """
    by_talk = _by_talk(readings, "two readings by one person")
    last = _by_talk(decided, "two decisions")
    found = []
    for name in sorted({*by_talk, *last}):
        several = by_talk.get(name, [])
        readers = {one.reader: None for one in (*several, *last.get(name, ())) if one.finished}
        if len(last.get(name, ())) > 1:
            raise UserError("--adjudicated: two people decided on one conversation; give one of them")
        if name in last:
            marks, disputed = last[name][0].marks, False
        else:
            marks = _all_marks(several)
            disputed = len({_places(one.marks) for one in several}) > 1
        found.append(Adjudicated(name, tuple(sorted(readers)), marks, disputed))
    return found


def _by_talk(readings: Iterable[Reading], error: str) -> dict[str, list[Reading]]:
    by_talk: dict[str, list[Reading]] = {}
    for reading in readings:
        several = by_talk.setdefault(reading.conversation_id, [])
        if any(one.reader == reading.reader for one in several):
            raise UserError(f"{error} of one conversation; give each export once")
        several.append(reading)
    return by_talk


def _all_marks(readings: Sequence[Reading]) -> tuple[Mark, ...]:
    """The marks of all readers; of equal ones, the first reader's.

    Entities are joined across readers where they share a mark, so that nobody counts twice.
    """
    ordered = sorted(readings, key=lambda one: one.reader)
    owned: dict[tuple[int, int, int, bool], Mark] = {}
    names: dict[tuple[str, str], str] = {}
    kept: dict[tuple[object, ...], Mark] = {}
    for reading in ordered:
        for mark in reading.marks:
            place = (mark.turn, mark.start, mark.end, mark.on_label)
            entity = mark.entity
            if entity is not None:
                key = (reading.reader, entity)
                same = owned.get(place)
                if key not in names and same is not None and same.entity is not None:
                    names[key] = same.entity
                entity = names.setdefault(key, f"{len(set(names.values())) + 1}")
            told = mark._replace(entity=entity)
            owned.setdefault(place, told)
            kept.setdefault((*place, mark.label), told)
    return tuple(sorted(kept.values(), key=lambda m: (m.turn, not m.on_label, m.start, -m.end, m.label)))


def identical_exports(readings: Iterable[Reading], least: int = 20) -> list[tuple[str, str, int]]:
    """Pairs of readers who marked the same places everywhere in ``least`` conversations or more.

    Two people who read on their own differ somewhere, if there is anything to mark.
    """
    by_reader: dict[str, dict[str, frozenset[tuple[object, ...]]]] = {}
    for one in readings:
        by_reader.setdefault(one.reader, {})[one.conversation_id] = _places(one.marks)
    found = []
    for first, second in combinations(sorted(by_reader), 2):
        both = by_reader[first].keys() & by_reader[second].keys()
        same = all(by_reader[first][one] == by_reader[second][one] for one in both)
        if len(both) >= least and same and any(by_reader[first][one] for one in both):
            found.append((first, second, len(both)))
    return found


def _places(marks: Sequence[Mark]) -> frozenset[tuple[object, ...]]:
    """What readers can disagree on: positions and tags; entity numbers are each reader's own."""
    return frozenset((mark.turn, mark.start, mark.end, mark.label, mark.on_label) for mark in marks)
