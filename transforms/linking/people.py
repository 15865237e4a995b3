"""Cluster the mentions of people in one conversation: full names, parts of names and speaker labels.

Full names come first, since they are the best evidence of who is who; then titles with one name (``Ms Lee``),
then single words. A part that fits one person is assigned to that person; one that fits several, to whichever
was mentioned last or else is mentioned next. A part that fits nobody becomes a new person: merging two people
harms a reader more than splitting one.

Every step looks up keys, so the time per name does not grow with the number of names.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, pairwise
from typing import NamedTuple

from tacenda.transforms.linking.given_names import gender_of
from tacenda.transforms.linking.inflected import Inflections, possible_stems
from tacenda.transforms.linking.names import Name, agreement, confidence, conflicts, fuller, sound_key
from tacenda.transforms.linking.nicknames import other_forms
from tacenda.transforms.linking.propagation.known import SAME_START
from tacenda.transforms.storage.process_cache import remembered

NEAREST = "nearest"
"""Agreement of a mention that fits several people and is assigned to the one mentioned last."""
INFLECTED = "inflected"

_MOST = 64
"""Maximum number of people compared with one name: more than share a surname and initial anywhere."""


class Writing(NamedTuple):
    """A name as written in a conversation.

    ``is_label``: it is a speaker's label. ``is_spelled``: single letters that may or may not be a name; they
    join a person of that name but never create one.
    """

    name: Name
    is_label: bool = False
    is_spelled: bool = False


class Link(NamedTuple):
    """The person of a mention, counted from 0, and their agreement (``agreements`` in ``names.yaml``)."""

    cluster: int
    how: str


@dataclass(slots=True)
class _Person:
    name: Name
    is_label: bool
    first: int
    gender: str = ""
    last: int = -1


def link_people(
    writings: Sequence[Writing], mentions: Sequence[int], inflections: Inflections | None = None
) -> list[Link | None]:
    """The person of each mention; None for spelled letters that match nobody.

    Args:
        writings: the distinct writings, in the order of their first mention.
        mentions: the index into ``writings`` of each mention.
        inflections: those of the conversation; None for none.
    """
    if len(writings) == 1 and not writings[0].is_spelled:
        return [Link(0, "same")] * len(mentions)
    people = _People(inflections or Inflections())
    open_: dict[int, list[int]] = {}
    links: list[Link | None] = [None] * len(writings)
    for number in sorted(range(len(writings)), key=lambda n: _order(writings[n])):
        found = people.place(writings[number], number)
        if isinstance(found, Link):
            links[number] = found
        elif found:
            open_[number] = found
    if not open_:
        return [links[number] for number in mentions]
    return list(people.follow(mentions, links, open_))


def _order(writing: Writing) -> tuple[int, bool]:
    """Full names first, then names with an initial, gendered titles, titles, words, spelled letters."""
    name = writing.name
    if writing.is_spelled:
        return 5, False
    if name.is_full:
        return int(len(name.words[0]) == 1 or len(name.words[-1]) == 1), not writing.is_label
    if name.title:
        return 2 + (not name.gender), not writing.is_label
    return 4, not writing.is_label


@dataclass(slots=True)
class _People:
    inflections: Inflections
    people: list[_Person] = field(default_factory=list)
    full: dict[Hashable, list[int]] = field(default_factory=dict)
    to_index: list[tuple[Name, int]] = field(default_factory=list)
    """Full names not yet indexed; the last often never needs to be."""
    parts: dict[Hashable, list[int]] = field(default_factory=dict)

    def place(self, writing: Writing, number: int) -> "Link | list[int] | None":
        """The person of a writing, the candidates among whom each mention must choose, or None."""
        name = writing.name
        if writing.is_spelled:
            called = self.parts.get(("w", "".join(name.words)))
            return self._choice(called, "same") if called else None
        if not name.words:
            return self._new(writing, number)
        if name.is_full:
            return self._place_full(writing, number)
        return self._place_part(writing, number)

    def follow(
        self, mentions: Sequence[int], links: Sequence[Link | None], open_: dict[int, list[int]]
    ) -> Iterator[Link | None]:
        """Assign mentions that fit several people to the one mentioned last, or else next."""
        for position, number in enumerate(mentions):
            link = links[number]
            if number in open_:
                several = open_[number]
                recent = max(several, key=lambda p: (self.people[p].last, -self.people[p].first))
                link = Link(recent, NEAREST)
            if link is not None:
                self.people[link.cluster].last = position
            yield link

    def _place_full(self, writing: Writing, number: int) -> "Link | list[int]":
        name = writing.name
        best, hows = 0.0, {}
        for person in self._candidates(name):
            how = agreement(self.people[person].name, name)
            if how and self._may_be(person, writing, how):
                hows[person] = how
                best = max(best, confidence(how))
        same = [person for person, how in hows.items() if confidence(how) == best]
        if not same and not writing.is_label:
            same = list(self._inflected(name))
            hows = dict.fromkeys(same, INFLECTED)
        if not same or (len(same) > 1 and writing.is_label):
            return self._new(writing, number)
        if len(same) > 1:
            return sorted(same, key=lambda person: self.people[person].first)
        self._join(same[0], writing)
        return Link(same[0], hows[same[0]])

    def _inflected(self, name: Name) -> Iterator[int]:
        """The people of whose full name another is a form: Matti Virtanen of Matti Virtaselle, and turned."""
        # Spoken Finnish has the family name first, in the genitive: Mäkisen Jari.
        for *given, last in (name.words, name.words[::-1]):
            for person in self.parts.get(("given", given[0]), ()):
                known = self.people[person].name
                its = known.words[-1]
                if (
                    its[:SAME_START] == last[:SAME_START]
                    and known.is_full
                    and self.inflections.are_forms(last, its)
                    and agreement(known, name._replace(words=(*given, its)))
                ):
                    yield person

    def _may_be(self, person: int, writing: Writing, how: str) -> bool:
        """Two labels are two people unless they are the same name."""
        return not (writing.is_label and self.people[person].is_label) or how in ("same", "turned")

    def _candidates(self, name: Name) -> list[int]:
        for known, person in self.to_index:
            _add(self.full, _answers(known), person)
        self.to_index.clear()
        return list(islice(_called(self.full, _questions(name)), _MOST))

    def _place_part(self, writing: Writing, number: int) -> "Link | list[int]":
        name = writing.name
        word = name.words[0]
        for how, keys in _part_questions(name):
            found = [p for p in islice(_called(self.parts, keys), _MOST) if self._part_fits(p, writing)]
            if found and how == INFLECTED:
                found = [p for p in found if self._is_form(word, self.people[p].name)]
            if found and how in ("nickname", "sound", INFLECTED) and writing.is_label:
                found = [p for p in found if not self.people[p].is_label]
            if found:
                break
        else:
            return self._new(writing, number)
        alone = [p for p in found if self.people[p].name.words == (word,)]
        if any(self.people[p].is_label for p in alone):
            found = alone
        if writing.is_label and (len(found) > 1 or self.people[found[0]].is_label):
            return self._new(writing, number)
        if len(found) > 1 and name.gender:
            # Mr Miller is Peter Miller rather than Jo Miller, who may be a man or a woman.
            found = [p for p in found if self._gender(p) == name.gender] or found
        choice = self._choice(found, "same" if found == alone and how == "part" else how)
        if isinstance(choice, Link):
            self._join(choice.cluster, writing)
        return choice

    def _part_fits(self, person: int, writing: Writing) -> bool:
        known, name = self.people[person], writing.name
        if conflicts(known.name, name):
            return False
        if name.gender and (gender := self._gender(person)) and name.gender != gender:
            return False
        return not (name.particles and known.name.particles != name.particles)

    def _gender(self, person: int) -> str:
        known = self.people[person]
        return known.gender or gender_of(known.name.given)

    def _is_form(self, word: str, name: Name) -> bool:
        return any(self.inflections.are_forms(word, known) for known in name.words)

    def _choice(self, found: list[int], how: str) -> "Link | list[int]":
        if len(found) == 1:
            return Link(found[0], how)
        return sorted(found, key=lambda person: self.people[person].first)

    def _new(self, writing: Writing, number: int) -> Link:
        person = len(self.people)
        self.people.append(_Person(writing.name, writing.is_label, number))
        self._note_gender(person, writing.name)
        self._know(person)
        return Link(person, "same")

    def _join(self, person: int, writing: Writing) -> None:
        known = self.people[person]
        known.is_label = known.is_label or writing.is_label
        name = fuller(known.name, writing.name)
        if name != known.name:
            longer = name.words != known.name.words
            known.name = name
            if longer:
                self._know(person)
        self._note_gender(person, writing.name)

    def _note_gender(self, person: int, name: Name) -> None:
        known = self.people[person]
        known.gender = known.gender or name.gender

    def _know(self, person: int) -> None:
        name = self.people[person].name
        if name.is_full:
            self.to_index.append((name, person))
        _add(self.parts, _part_answers(name), person)


def _called(index: Mapping[Hashable, list[int]], keys: Sequence[Hashable]) -> Collection[int]:
    """Those under any of some keys, each once."""
    several = [people for key in keys if (people := index.get(key)) is not None]
    return several[0] if len(several) == 1 else dict.fromkeys(chain.from_iterable(several))


def _add(index: dict[Hashable, list[int]], keys: Sequence[Hashable], person: int) -> None:
    for key in keys:
        people = index.get(key)
        if people is None:
            index[key] = [person]
        elif len(people) < _MOST and person not in people:
            people.append(person)


@remembered
def _answers(name: Name) -> tuple[Hashable, ...]:
    """The keys under which a full name is indexed."""
    given, last = name.given, name.words[-1]
    keys: list[Hashable] = [(given, word) for word in name.words[1:]]
    keys += [("middle", word, last) for word in name.middle]
    keys += (
        ("initial", given[0], last),
        ("last initial", given, last[0]),
        ("initials", given[0], last[0]),
        ("sound", sound_key(given), sound_key(last)),
    )
    return tuple(keys)


@remembered
def _questions(name: Name) -> tuple[Hashable, ...]:
    """The keys under which names that agree with a full name may be indexed."""
    given, last = name.given, name.words[-1]
    keys: list[Hashable] = [*((given, word) for word in name.words[1:]), (last, given)]
    if len(given) == 1 and len(last) == 1:
        return (*keys, ("initials", given, last))
    if len(given) == 1:
        return (*keys, ("initial", given, last))
    if len(last) == 1:
        return (*keys, ("last initial", given, last))
    keys += [(form, last) for form in sorted(other_forms(given))]
    keys += (("sound", sound_key(given), sound_key(last)), ("middle", given, last))
    keys += [(word, last) for word in name.middle]
    return tuple(keys)


@remembered
def _part_answers(name: Name) -> tuple[Hashable, ...]:
    """The keys under which a person is indexed for mentions of a part of the name."""
    words = [word for word in name.words if len(word) > 1]
    keys: dict[Hashable, None] = dict.fromkeys(("w", word) for word in words)
    if name.is_full:
        keys.update(dict.fromkeys(("w", a + b) for a, b in pairwise(name.words)))
        keys["w", "".join(name.words)] = None
        keys.update(dict.fromkeys(("family", word) for word in words if word != name.given))
        keys["family", name.words[-1]] = None
    elif words:
        keys["family", words[0]] = None
    if words:
        keys.update(dict.fromkeys(("stem", stem) for stem in possible_stems(words[-1])))
    if words and (name.is_full or not name.title):
        keys["given", name.words[0]] = None
        if len(name.words[0]) > 1:
            keys["sound", sound_key(name.words[0])] = None
    if words and len(name.words[-1]) > 1:
        keys["sound", sound_key(name.words[-1])] = None
    return tuple(keys)


@remembered
def _part_questions(name: Name) -> tuple[tuple[str, list[Hashable]], ...]:
    """For a mention by one word: kinds of agreement with their keys, the most certain first."""
    word = name.words[0]
    sound: tuple[str, list[Hashable]] = "sound", [("sound", sound_key(word))]
    which = "family" if name.family else "w"
    part: tuple[str, list[Hashable]] = "part", [(which, word)]
    stems = possible_stems(word)
    of_stems: list[Hashable] = [
        *((which, stem) for stem in stems),
        *(("stem", form) for form in (word, *stems)),
    ]
    inflected = INFLECTED, of_stems
    if not name.family:
        forms: list[Hashable] = [("given", form) for form in sorted(other_forms(word))]
        return part, inflected, ("nickname", forms), sound
    if name.particles:
        return part, inflected, sound
    return part, inflected, ("titled_given", [("given", word)]), sound
