"""How far readers of the same conversations agree, and what counts of what they marked.

Agreement is Krippendorff's alpha, by tag. The units are the words of the conversations that several people
read; a reader gives each word the tag of the mark that covers it, or none. For one tag, a word has it or not.
K. Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011 (nominal data, any number of readers,
missing values).

What any reader marked counts, until an adjudicator has decided: their readings replace all others of the
conversations that they contain. So a disagreement never lowers a score by itself.
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from tacenda.transforms.reviewing.marks import Mark, Reading, Talk, order
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.shapes.declared import reader_name


def cohen_kappa(counts: Mapping[tuple[Hashable, Hashable], int]) -> float | None:
    """Agreement of two people beyond chance; None without units, or if chance agreement is 1.

    ``counts`` has the number of units by the values that the two gave them. J. Cohen, "A Coefficient of
    Agreement for Nominal Scales", Educational and Psychological Measurement 20(1), 1960.

    >>> cohen_kappa({("a", "a"): 1, ("a", "b"): 1, ("b", "b"): 2})
    0.5
    """
    count = sum(counts.values())
    ones, others = Counter[Hashable](), Counter[Hashable]()
    for (one, other), units in counts.items():
        ones[one] += units
        others[other] += units
    by_chance = sum(ones[value] * others[value] for value in ones)
    if by_chance == count * count:
        return None
    seen = sum(units for (one, other), units in counts.items() if one == other)
    return (seen * count - by_chance) / (count * count - by_chance)


def krippendorff_alpha(units: Iterable[Iterable[Hashable]]) -> float | None:
    """Agreement of any number of readers beyond chance, for nominal values.

    ``units`` has the values that the readers gave each; units with fewer than two values do not count.

    Returns: 1 - observed / expected disagreement; None if all values are equal, or there are none.
    """
    different = 0.0
    totals: Counter[Hashable] = Counter()
    for unit in units:
        values = Counter(unit)
        number = values.total()
        if number < 2:
            continue
        totals.update(values)
        different += (number * number - sum(n * n for n in values.values())) / (number - 1)
    all_values = totals.total()
    expected = all_values * all_values - sum(n * n for n in totals.values())
    return None if not expected else 1 - (all_values - 1) * different / expected


_WORD = re.compile(r"\w+")


class Agreement(NamedTuple):
    """Agreement on one tag, or on all (``tag`` None).

    ``alpha`` is None where every word has the same value, so that agreement by chance is certain. ``marked`` is
    the number of words that each reader marked.
    """

    tag: str | None
    alpha: float | None
    marked: Mapping[str, int]
    words: int


def measure_agreement(talks: Mapping[str, Talk], readings: Sequence[Reading]) -> list[Agreement]:
    """Agreement on all tags together, then on each tag that somebody used.

    Conversations with one reader do not count.
    """
    units: list[dict[str, str | None]] = []
    for name, several in sorted(_by_talk(readings, "two readings by one person").items()):
        if len(several) > 1:
            values = [word_tags(talks[name], one) for one in several]
            readers = [one.reader for one in several]
            units += [dict(zip(readers, tags, strict=True)) for tags in zip(*values, strict=True)]
    tags = sorted({tag for unit in units for tag in unit.values() if tag is not None})
    return [_agreement(tag, units) for tag in (None, *tags)]


def word_tags(talk: Talk, reading: Reading) -> list[str | None]:
    """The tag that a reader gave each word of a conversation, without ``MISSED_``; None for unmarked words.

    Replacement tokens are no words: nothing in them is readable.
    """
    tags: list[str | None] = []
    for turn, (speaker, text) in enumerate(talk.turns):
        for on_label, said in ((True, speaker or ""), (False, text)):
            marks = [m for m in reading.marks if (m.turn, m.on_label) == (turn, on_label)]
            hidden = [match.span() for match in TOKEN.finditer(said)]
            for word in _WORD.finditer(said):
                if any(start < word.end() and word.start() < end for start, end in hidden):
                    continue
                over = [m for m in marks if m.start < word.end() and word.start() < m.end]
                best = min(over, key=lambda m: (m.start, -m.end, m.label), default=None)
                tags.append(None if best is None else best.label.removeprefix("MISSED_"))
    return tags


def _agreement(tag: str | None, units: Sequence[Mapping[str, str | None]]) -> Agreement:
    # What a reader says of a word: its tag, or whether it has this one.
    told = [{reader: of if tag is None else of == tag for reader, of in unit.items()} for unit in units]
    readers = sorted({reader for unit in units for reader in unit})
    marked = {reader: sum(bool(unit.get(reader)) for unit in told) for reader in readers}
    return Agreement(tag, krippendorff_alpha(unit.values() for unit in told), marked, len(units))


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
            raise UserError(f"{len(self.readers)} readers of one conversation: names too long together")
        return name


def adjudicate(readings: Iterable[Reading], decided: Iterable[Reading] = ()) -> list[Adjudicated]:
    """Combine readings by conversation, in the order of ids.

    ``decided`` are adjudicators' readings, which replace the marks of others, and not their names.

    Raises:
        UserError: one person's reading of a conversation comes twice, or there are two decisions on one.
    """
    by_talk = _by_talk(readings, "two readings by one person")
    last = _by_talk(decided, "two decisions")
    found = []
    for name in sorted({*by_talk, *last}):
        several, decisions = by_talk.get(name, []), last.get(name, [])
        if len(decisions) > 1:
            raise UserError("--adjudicated: two people decided on one conversation; give one of them")
        readers = {one.reader for one in (*several, *decisions) if one.finished}
        marks = decisions[0].marks if decisions else _all_marks(several)
        disputed = not decisions and len({_places(one.marks) for one in several}) > 1
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
    owned: dict[tuple[int, int, int, bool], Mark] = {}
    names: dict[tuple[str, str], str] = {}
    kept: dict[tuple[object, ...], Mark] = {}
    for reading in sorted(readings, key=lambda one: one.reader):
        for mark in reading.marks:
            place, entity = (mark.turn, mark.start, mark.end, mark.on_label), mark.entity
            if entity is not None:
                same = owned[place].entity if place in owned else None
                new = same or f"{len(set(names.values())) + 1}"
                entity = names.setdefault((reading.reader, entity), new)
            told = mark._replace(entity=entity)
            owned.setdefault(place, told)
            kept.setdefault((*place, mark.label), told)
    return tuple(sorted(kept.values(), key=order))


def _places(marks: Sequence[Mark]) -> frozenset[tuple[object, ...]]:
    """What readers can disagree on: positions and tags; entity numbers are each reader's own."""
    return frozenset((mark.turn, mark.start, mark.end, mark.label, mark.on_label) for mark in marks)
