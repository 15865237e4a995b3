"""Places: another one nearby, of the same kind and size; and the streets of addresses."""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import cos, radians

from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.replacing.surrogates.context import Context
from tacenda.transforms.replacing.surrogates.inflection import (
    BARE,
    Ending,
    in_case_of,
    split_ending,
    takes,
    with_ending,
)
from tacenda.transforms.replacing.surrogates.lists import City, cities, countries, document
from tacenda.transforms.replacing.surrogates.numbers import other_symbols, with_symbols
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import plain_letters

_FEW = 3
"""With fewer cities of a size, cities of any size are drawn."""
_NEAR = 24
"""Number of cities of about the same size to draw from: the nearest ones in the country."""
_MOST_WORDS = 5
_TRIES = 12


def place(context: Context, text: str) -> str | None:
    """The surrogate of a place: a country for a country, a state for a state, a city for a city; else None.

    A place of several names is replaced name by name (``Austin, Texas``); an unlisted village becomes a small
    town in the country of the conversation's other places.
    """
    pieces = text.replace(",", " , ").split()
    out: list[str] = []
    left: list[str] = []
    while pieces:
        sizes = range(min(_MOST_WORDS, len(pieces)), 0, -1)
        known = ((size, near) for size in sizes if (near := _known(context, " ".join(pieces[:size]))))
        size, value = next(known, (0, pieces[0]))
        left += [] if size else pieces[:1]
        out.append(value)
        del pieces[: size or 1]
    is_whole = not any(piece[0].isupper() and piece.lower() not in _kinds() for piece in left)
    return " ".join(out).replace(" ,", ",") if is_whole and len(left) < len(out) else _unknown(context, text)


def _known(context: Context, text: str) -> str | None:
    base, ending = split_ending(text, _is_place)
    plain = plain_letters(base)
    if (len(base) != 2 or base.isupper()) and plain in _states():
        original, names = _states()[plain]
        name = _drawn(context, f"state {original}", names, ending)
    elif plain in countries().by_name:
        language, code = countries().by_name[plain]
        near = [countries().names[language, other] for other in countries().neighbours[code]]
        name = _drawn(context, f"country {code}", [one for one in near if "(" not in one], ending)
    elif plain in cities().by_name and len(plain) > 2:
        number = cities().by_name[plain]
        name = _drawn(context, f"city {cities().rows[number].name}", _near(number), ending)
    else:
        return None
    cased = name and in_case_of(text, context.accented(name))
    return cased and with_ending(cased, ending)


def _is_place(word: str) -> bool:
    plain = plain_letters(word)
    return plain in cities().by_name or plain in countries().by_name or plain in _states()


@lru_cache(maxsize=8192)
def _near(number: int) -> tuple[str, ...]:
    """The cities near a listed one, of the same country and size if there are enough."""
    known = cities()
    city = known.rows[number]
    width = cos(radians(city.latitude))

    def distance(other: City) -> float:
        return (other.latitude - city.latitude) ** 2 + ((other.longitude - city.longitude) * width) ** 2

    # A city with another name in other languages might be out of place in this text's language.
    near = [one for one in known.of_country[city.country] if not one.is_well_known and one is not city]
    near = [one for one in near if one.is_one_word] or near
    like = [one for one in near if one.magnitude == min(city.magnitude, 2)]
    return tuple(one.name for one in sorted(like if len(like) >= _FEW else near, key=distance)[:_NEAR])


def _unknown(context: Context, text: str) -> str | None:
    """A small town for an unlisted place."""
    original = f"town {plain_letters(text)}"
    name = _drawn(context, original, _small_towns(context.language), BARE, "towns")
    return name and in_case_of(text, context.accented(name))


@lru_cache(maxsize=64)
def _small_towns(language: str) -> tuple[str, ...]:
    """Small towns of a country where a language is spoken."""
    code = document("places.yaml")["countries_of_languages"].get(language, "US")
    return tuple(one.name for one in cities().of_country[code] if one.magnitude == 1 and one.is_one_word)


def _drawn(
    context: Context, original: str, names: Sequence[str], ending: Ending, pool: str = ""
) -> str | None:
    """The place drawn for an original, from names of its own or from a pool of several originals."""
    if original not in context.places:
        draw = context.draws.draw("place", plain_letters(original))
        context.places[original] = context.drawn(
            ("place", pool or original, *ending),
            names,
            draw,
            lambda name: takes(name, ending),
        )
    return context.places[original]


@built_once
def _states() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Each state, in full or as two letters: its name, and other states of its region."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for states in document("places.yaml")["states"].values():
        rows = [entry.split(":") for entry in states.split(", ")]
        for names in zip(*rows, strict=True):
            for name in names:
                found[plain_letters(name)] = name, tuple(other for other in names if other != name)
    return found


@built_once
def _kinds() -> frozenset[str]:
    """Words beside the name of a place that are kept."""
    return frozenset(document("places.yaml")["kinds"].split())


_PART = re.compile(r"\d+|[^\W\d_]+(?:[ .'’-]{1,2}[^\W\d_]+)*")


def street_address(context: Context, text: str) -> str | None:
    """Another address in the same form: a street for the first name, places for others; None if it has none."""
    units = document("streets.yaml")["units"].split()
    street: str | None = None

    def other(part: re.Match[str]) -> str:
        nonlocal street
        own = part[0]
        if own.isdigit() or len(own) == 1:
            return with_symbols(own, other_symbols(own, context.draws.draw("house", own)) or own)
        if own.lower() in units:
            return own
        if street is not None:
            return place(context, own) or own
        draw = context.draws.draw("street", own.lower())
        drawn = [draw.pick(_streets(context.language)) for _ in range(_TRIES)]
        street = next((name for name in drawn if not context.taken.is_word(name)), drawn[0])
        return in_case_of(own, context.accented(street))

    value = _PART.sub(other, text)
    return None if value == text else value


@lru_cache(maxsize=16)
def _streets(language: str) -> Sequence[str]:
    """Names of streets in a language, or else in English."""
    names = document("streets.yaml")["names"].get(language)
    if names:
        return tuple(names.split(", "))
    kinds, streets = (inventory.places(kind) for kind in ("street_kinds", "streets"))
    return tuple(f"{street} {kind}" for street in streets for kind in kinds if street.isascii())
