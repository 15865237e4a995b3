"""Cluster the mentions of people in one conversation: full names, parts of names and speaker labels.

Full names come first, since they are the best evidence of who is who; then titles with one name (``Ms Lee``),
then single words. A part that fits one person is assigned to that person; one that fits several, to whichever
was mentioned last or else is mentioned next. A part that fits nobody becomes a new person: merging two people
harms a reader more than splitting one.

A name is compared with people that share a key with it, and with a limited number of them, so the time per name
does not grow with the number of names.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count, islice, pairwise, repeat
from typing import NamedTuple

from tacenda.transforms.linking.names import (
    Name,
    agreement,
    confidence,
    conflicts,
    fuller,
    other_forms,
    sound_key,
)
from tacenda.transforms.linking.propagation.inflections import are_forms, stems
from tacenda.transforms.storage.process_cache import remembered

NEAREST = "nearest"
"""Agreement of a mention that fits several people and is assigned to the one mentioned last."""
INFLECTED = "inflected"

_HOWS = ("part", INFLECTED, "nickname", "titled_given", "sound")
"""How a single word may agree with a person, the most certain first."""
_MOST = 64  # maximum number of people compared with one name: more than share a surname and initial anywhere


class Writing(NamedTuple):
    """A name as written in a conversation.

    ``is_label``: it is a speaker's label. ``is_spelled``: single letters that may or may not be a name; they
    join a person of that name but never create one.
    """

    name: Name
    is_label: bool = False
    is_spelled: bool = False


@dataclass(slots=True, eq=False)
class _Person:
    """``first`` is the number of the first writing, ``last`` the position of the last mention so far."""

    number: int
    name: Name
    is_label: bool
    first: int
    last: int = -1


def link_people(mentions: Sequence[Writing], language: str = "") -> list[tuple[int, str] | None]:
    """The person of each mention, counted from 0, and how they agree (``agreements`` in ``names.yaml``).

    None for spelled letters that match nobody.

    Args:
        mentions: in the order of the conversation.
        language: that of the conversation; empty for one that inflects no names.
    """
    first = {writing: number for number, writing in enumerate(dict.fromkeys(mentions))}
    if len(first) == 1 and not mentions[0].is_spelled:
        return [(0, "same")] * len(mentions)
    people = _People(language)
    fitting = {writing: people.place(writing, first[writing]) for writing in sorted(first, key=_order)}
    links: list[tuple[int, str] | None] = []
    for position, writing in enumerate(mentions):
        several, how = fitting[writing]
        # Who fits and was mentioned last, or else is mentioned next.
        person = max(several, key=lambda one: (one.last, -one.first), default=None)
        link = None
        if person is not None:
            link = person.number, how if len(several) == 1 else NEAREST
            person.last = position
        links.append(link)
    return links


def _order(writing: Writing) -> tuple[int, bool]:
    """Full names first, then names with an initial, gendered titles, titles, words, spelled letters."""
    name = writing.name
    if writing.is_spelled:
        return 5, False
    if name.is_full:
        return int(len(name.words[0]) == 1 or len(name.words[-1]) == 1), not writing.is_label
    return (2 + (not name.gender) if name.title else 4), not writing.is_label


class _People:
    """The people of a conversation, and the keys of their names."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._numbers = count()
        self._index: dict[str, list[_Person]] = {}

    def place(self, writing: Writing, number: int) -> tuple[list[_Person], str]:
        """The people whom a writing fits, and how; spelled letters may fit nobody."""
        name = writing.name
        if writing.is_spelled:
            spelled = "".join(name.words)
            return [one for one in self._candidates((spelled,)) if spelled in _joined(one.name)], "same"
        fits = self._fits_full if name.is_full else self._fits_part
        found, how = fits(writing) if name.words and self._index else ([], "")
        if not found or (writing.is_label and len(found) > 1):
            person = _Person(next(self._numbers), name, writing.is_label, number)
            self._know(person)
            return [person], "same"
        if len(found) == 1:
            known = found[0]
            before, known.name = known.name, fuller(known.name, name)
            known.is_label = known.is_label or writing.is_label
            if known.name.words != before.words:
                self._know(known)
        return found, how

    def _fits_full(self, writing: Writing) -> tuple[list[_Person], str]:
        """The people whom a full name fits best, and how."""
        name, hows = writing.name, {}
        candidates = [one for one in self._candidates(_keys(name, self._language)) if one.name.is_full]
        for person in candidates:
            how = agreement(person.name, name)
            # Two labels are two people unless they are the same name.
            if how and (not (writing.is_label and person.is_label) or how in ("same", "turned")):
                hows[person] = how
        if not hows and not writing.is_label:
            return [one for one in candidates if self._is_inflected(name, one.name)], INFLECTED
        best = max(map(confidence, hows.values()), default=0.0)
        found = [person for person, how in hows.items() if confidence(how) == best]
        return found, hows[found[0]] if found else ""

    def _is_inflected(self, name: Name, known: Name) -> bool:
        """Whether a full name is a form of another: Matti Virtanen of Matti Virtaselle, and turned."""
        # Spoken Finnish has the family name first, in the genitive: Mäkisen Jari.
        its = known.words[-1]
        return any(
            given[0] == known.given
            and are_forms(last, its, self._language)
            and bool(agreement(known, name._replace(words=(*given, its))))
            for *given, last in (name.words, name.words[::-1])
        )

    def _fits_part(self, writing: Writing) -> tuple[list[_Person], str]:
        """The people whom a mention by one word fits best, and how."""
        name = writing.name
        fitting: dict[str, list[_Person]] = {}
        for person in self._candidates(_keys(name, self._language)):
            fitting.setdefault(self._how_part(person, writing), []).append(person)
        how = next((how for how in _HOWS if how in fitting), "")
        found = fitting.get(how, []) if how else []
        is_taken = writing.is_label and any(one.is_label for one in found[:1])
        return ([], "") if is_taken else (found, how)

    def _how_part(self, person: _Person, writing: Writing) -> str:
        """How a single word agrees with a person; empty if it does not."""
        known, name = person.name, writing.name
        word = name.words[0]
        if conflicts(known, name):
            return ""
        how = agreement(known, name)
        if how == "same" or (not name.family and word in _joined(known)):
            how = "part"
        if how != "part" and any(are_forms(word, own, self._language) for own in known.words):
            how = INFLECTED
        is_doubtful = how in ("nickname", "sound", INFLECTED)
        return "" if writing.is_label and person.is_label and is_doubtful else how

    def _candidates(self, keys: Sequence[str]) -> list[_Person]:
        several = map(self._index.get, keys, repeat(()))
        return list(islice(dict.fromkeys(chain.from_iterable(several)), _MOST))

    def _know(self, person: _Person) -> None:
        for key in _answers(person.name, self._language):
            people = self._index.setdefault(key, [])
            if len(people) < _MOST and person not in people:
                people.append(person)


@remembered
def _joined(name: Name) -> frozenset[str]:
    """The words of a name, and what two or all of them are in one word."""
    words = [word for word in name.words if len(word) > 1]
    return frozenset((*words, *(a + b for a, b in pairwise(name.words)), "".join(name.words)))


@remembered
def _answers(name: Name, language: str) -> tuple[str, ...]:
    """The keys under which a person is indexed."""
    words = [*name.words, *map(sound_key, name.words), *_joined(name)]
    inflected = stems(name.words[-1], language) if name.words else ()
    initials = [f"{name.given[0]}.{name.words[-1][0]}."] if name.is_full else []
    return tuple(dict.fromkeys((*words, *inflected, *initials)))


@remembered
def _keys(name: Name, language: str) -> tuple[str, ...]:
    """The keys under which people whom a name may fit are indexed, the most certain first."""
    words = [word for word in name.words if len(word) > 1]
    if not words:
        return (f"{name.words[0]}.{name.words[-1]}.", *name.words)
    forms = sorted(other_forms(name.words[0]))
    inflected = chain.from_iterable(stems(word, language) for word in words)
    return tuple(dict.fromkeys((*words, *map(sound_key, words), *forms, *inflected)))
