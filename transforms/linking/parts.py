"""Parts: organisations, addresses and numbers that are said again with less of them.

- An organisation by its first words, or by its initials: *Dunder Mifflin* and *DMPC* of *Dunder Mifflin Paper
  Company*. One word does only where it is no word of a language.
- An address by its street, with or without its number: *the Maple Street one*; but not in another town.
- A number by its last four digits or more, under the same infoType.

What may be a part of several is part of none: two banks that begin alike stay two, and so does a third that is
called by what they share.
"""

import re
from collections.abc import Callable, Hashable, Mapping
from itertools import pairwise
from typing import NamedTuple, TypeVar

from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.linking.normalising import identity, is_organization, street_word
from tacenda.transforms.linking.propagation.guards import facts
from tacenda.transforms.linking.propagation.known import kind_of
from tacenda.transforms.storage.process_cache import remembered
from tacenda.transforms.text.characters import plain_letters

_COMMON = 2
"""The level from which on a word is too common to be a name by itself."""
_LEAST_WORD = 4
"""Letters of one word that stands for more."""
_LAST_DIGITS, _LEAST_WHOLE = 4, 7
_MOST = 256
"""Values of one kind that are compared in a conversation; of more, none is."""
_SMALL_WORDS = frozenset(("of", "and", "the", "for", "de", "la", "y", "och", "und", "et"))
_PLACE = re.compile(r"[^\W\d_]{3,}")

T = TypeVar("T")


class _Address(NamedTuple):
    number: str
    street: tuple[str, ...]
    places: frozenset[str]


def wholes_of(values: Mapping[Hashable, tuple[str, str]]) -> dict[Hashable, tuple[Hashable, str]]:
    """The whole of each value that is a part, and how it agrees (``names.yaml``).

    Args:
        values: the infoType and text of each value of a conversation that is no person's, by its key.
    """
    organizations: dict[Hashable, tuple[str, ...]] = {}
    addresses: dict[Hashable, _Address] = {}
    numbers: dict[Hashable, tuple[str, str]] = {}
    for key, (info_type, text) in values.items():
        if is_organization(info_type):
            organizations[key] = tuple(identity(info_type, text)[1].split())
        elif kind_of(info_type) == "addresses":
            addresses[key] = _address(text)
        elif (digits := identity(info_type, text)[1]).isdecimal():
            numbers[key] = info_type, digits
    found = _parts(organizations, _abbreviates, "initials") | _parts(organizations, _begins, "part")
    found |= _parts(addresses, _is_on_street, "without_number", _may_be_one)
    return found | _parts(numbers, _ends, "piece")


def _parts(
    values: Mapping[Hashable, T],
    is_part: Callable[[T, T], bool],
    how: str,
    agree: Callable[[T, T], bool] | None = None,
) -> dict[Hashable, tuple[Hashable, str]]:
    """The whole of each part, the fullest; of several, each has to agree with the next, or be a part of it."""
    found: dict[Hashable, tuple[Hashable, str]] = {}
    for part, short in values.items() if 1 < len(values) <= _MOST else ():
        several = {key: long for key, long in values.items() if key != part and is_part(short, long)}
        fuller = {
            key: sum(is_part(other, long) for other in several.values()) for key, long in several.items()
        }
        fullest = sorted(several, key=fuller.__getitem__)
        if fullest and all((agree or is_part)(several[a], several[b]) for a, b in pairwise(fullest)):
            found[part] = fullest[-1], how
    return found


def _begins(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    if not 0 < len(short) < len(long) or long[: len(short)] != short:
        return False
    return len(short) > 1 or (len(short[0]) >= _LEAST_WORD and max(facts(short[0]).levels) < _COMMON)


def _abbreviates(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    letters = "".join(short).replace("-", "")
    if len(long) < 2 or len(letters) < 3 or (len(short) > 1 and len(letters) > len(short)):
        return False
    return letters in {"".join(word[0] for word in long if word not in small) for small in ((), _SMALL_WORDS)}


@remembered
def _address(text: str) -> _Address:
    first, _, rest = text.casefold().replace("\n", ",").partition(",")
    words = first.replace(".", " ").replace("-", " ").split()
    ends = [place for place in (0, -1) if words and words[place][0].isdecimal()]
    number = words.pop(ends[0]) if ends else ""
    # Findings may go on with the next words of a sentence, which are no town.
    found = set(_PLACE.findall(plain_letters(rest))) - word_list("house_parts")
    places = {word for word in found if max(facts(word).levels) < _COMMON}
    return _Address(number, tuple(map(street_word, words)), frozenset(places))


def _is_on_street(part: _Address, whole: _Address) -> bool:
    if len(part.street) < 2 or whole.street[: len(part.street)] != part.street:
        return False
    more = len(whole.street) > len(part.street), whole.number > part.number, whole.places > part.places
    return part.number in ("", whole.number) and any(more) and _are_near(part, whole)


def _may_be_one(one: _Address, other: _Address) -> bool:
    return (one.number == other.number or "" in (one.number, other.number)) and _are_near(one, other)


def _are_near(one: _Address, other: _Address) -> bool:
    """Whether they are not in different towns."""
    return not (one.places and other.places) or not one.places.isdisjoint(other.places)


def _ends(part: tuple[str, str], whole: tuple[str, str]) -> bool:
    (kind, short), (other, long) = part, whole
    return (
        kind == other
        and len(long) >= _LEAST_WHOLE
        and len(long) > len(short) >= _LAST_DIGITS
        and long.endswith(short)
    )
