"""Titled people: who is meant by a title and a family name where several people have that name."""

from collections.abc import Mapping, Sequence
from itertools import product

from tacenda.transforms.linking.given_names import gender_of
from tacenda.transforms.linking.introductions import Person, addresses, introduces
from tacenda.transforms.linking.people import NEAREST

_MOST_OF_ONE_FAMILY = 8
"""People of one family among whom a title chooses."""


def titled_people(
    people: Sequence[Person], hows: Sequence[str], texts: Sequence[str], speakers: Sequence[str | None]
) -> dict[int, int]:
    """The clusters of mentions that fit several people of one family, by their place in ``people``.

    *Ms Banks* is one of them throughout, and not the one who is *Mr Banks*. Of several ways to have it so, that
    one is taken in which most of them are addressed as who has introduced herself on the other side, and
    then the one in which most were given to the one mentioned last.

    Args:
        people: the mentions of people in one conversation, in their order.
        hows: how each agrees with its cluster.
        texts: its cells.
        speakers: who says each of them.
    """
    asked: dict[str, dict[str, list[int]]] = {}
    for i, (person, how) in enumerate(zip(people, hows, strict=True)):
        if how == NEAREST and person.name.gender:
            asked.setdefault(person.name.family, {}).setdefault(person.name.gender, []).append(i)
    if not asked:
        return {}
    families = _families(people)
    introduced: dict[int, set[str | None]] = {}
    for person in people:
        if person.mention.finding is None or introduces(person.mention, texts):
            introduced.setdefault(person.cluster, set()).add(speakers[person.mention.cell])

    def sureness(cluster: int, mentions: Sequence[int]) -> tuple[int, int]:
        """In how many mentions who introduced herself is addressed, less those she says; how many are hers."""
        hers = introduced.get(cluster, set())
        spoken_to = (
            bool(hers - {speakers[people[i].mention.cell]}) and addresses(people[i].mention, texts)
            if speakers[people[i].mention.cell] not in hers
            else -1
            for i in mentions
        )
        return sum(spoken_to), sum(people[i].cluster == cluster for i in mentions)

    chosen: dict[int, int] = {}
    for family, by_gender in asked.items():
        candidates = [
            [one for one, known in families.get(family, {}).items() if not known - {gender}]
            for gender in by_gender
        ]
        ways = product(*(several[:_MOST_OF_ONE_FAMILY] for several in candidates))
        sure = {
            way: tuple(map(sum, zip(*map(sureness, way, by_gender.values()), strict=True)))
            for way in ways
            if len(set(way)) == len(way)
        }
        if sure:
            best = max(sure, key=sure.__getitem__)
            for cluster, mentions in zip(best, by_gender.values(), strict=True):
                chosen.update(dict.fromkeys(mentions, cluster))
    return chosen


def _families(people: Sequence[Person]) -> Mapping[str, Mapping[int, set[str]]]:
    """The clusters of each family name, and the genders that titles, or else given names, say of them."""
    families: dict[str, dict[int, set[str]]] = {}
    for person in people:
        name = person.name
        if name.is_full:
            known = families.setdefault(name.words[-1], {}).setdefault(person.cluster, set())
            known.update(filter(None, (name.gender,)))
    for person in people:
        if person.name.is_full and not (known := families[person.name.words[-1]][person.cluster]):
            known.update(filter(None, (gender_of(person.name.given),)))
    return families
