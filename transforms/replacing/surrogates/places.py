"""Places: another one nearby, of the same kind and size; and the streets of addresses."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from math import cos, radians

from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.replacing.surrogates.context import Context
from tacenda.transforms.replacing.surrogates.inflection import (
    Ending,
    in_case_of,
    split_ending,
    takes,
    with_ending,
)
from tacenda.transforms.replacing.surrogates.lists import City, cities, countries, document
from tacenda.transforms.replacing.surrogates.numbers import other_symbol, symbols_of, with_symbols
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import plain_letters

_FEW = 3
"""With fewer cities of a size, cities of any size are drawn."""
_NEAR = 24
"""Number of cities of about the same size to draw from: the nearest ones in the country."""
_MOST_WORDS = 5
_TRIES = 20


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
    is_whole = not any(piece[0].isupper() and piece.lower() not in _kinds("places") for piece in left)
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
        towns = () if _near(number) else _fallback_towns(context.language)
        city = f"city {cities().rows[number].name}"
        name = _drawn(context, city, _near(number) or towns, ending, not towns)
    else:
        return None
    cased = name and in_case_of(text, context.accented(name))
    return cased and (cased if ending is None else with_ending(cased, ending))


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
    """A small town for an unlisted place; a quarter for a quarter."""
    words = text.split()
    towns = _fallback_towns(context.language)
    name = _drawn(context, f"town {plain_letters(text)}", towns, None, False)
    if name is None or not words:
        return None
    lead = ["the"] if words[0].lower() == "the" else []
    kind = words[-1:] if len(words) > 1 and words[-1].lower() in _kinds("places") else []
    return " ".join([*lead, in_case_of(words[-1], context.accented(name)), *kind])


@lru_cache(maxsize=64)
def _fallback_towns(language: str) -> tuple[str, ...]:
    """Small towns of a country where a language is spoken."""
    code = document("places.yaml")["countries_of_languages"].get(language, "US")
    return tuple(one.name for one in cities().of_country[code] if one.magnitude == 1 and one.is_one_word)


def _drawn(
    context: Context, original: str, names: Sequence[str], ending: Ending | None, is_own: bool = True
) -> str | None:
    """The place drawn for an original, whose names are its own or those of any other place."""
    if original not in context.places:
        draw = context.draws.draw("place", plain_letters(original))
        pool = ("place", *((original,) if is_own else ()), *(ending or ()))
        context.places[original] = context.drawn(
            pool, names, draw, lambda name: ending is None or takes(name, ending)
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


_PIECE = re.compile(r"\d+|[^\W\d_]+(?:['’][^\W\d_]+)*|[\W_]+")


def street_address(context: Context, text: str) -> str | None:
    """Another address in the same form, the first name in it the street's; None if nothing could be changed."""

    def kind_of(piece: str) -> str:
        if piece.isdigit() or (len(piece) == 1 and piece.isalpha()):
            return "number"
        return "name" if piece[0].isalpha() and piece.lower() not in _kinds("streets") else ""

    pieces = [(piece, kind_of(piece)) for piece in _PIECE.findall(text)]
    for i in range(1, len(pieces) - 1):  # spaces and hyphens between words of one kind are part of them
        if not pieces[i][0].strip(" -") and pieces[i - 1][1] == pieces[i + 1][1]:
            pieces[i] = pieces[i][0], pieces[i - 1][1]
    out: list[str] = []
    has_street = False
    for kind, group in groupby(pieces, key=lambda pair: pair[1]):
        own = "".join(piece for piece, _ in group)
        if kind == "number":
            own = _number(context, own)
        elif kind == "name":
            own = (place(context, own) or own) if has_street else _street(context, own)
            has_street = True
        out.append(own)
    value = "".join(out)
    return None if value == text else value


def _number(context: Context, text: str) -> str:
    symbols = symbols_of(text)
    draw = context.draws.draw("house", symbols)
    for _ in range(_TRIES):
        new = "".join(other_symbol(symbol, i == 0, draw) for i, symbol in enumerate(symbols))
        if new != symbols:
            return with_symbols(text, new)
    return text


def _street(context: Context, text: str) -> str:
    low, streets = text.lower(), _streets(context.language)
    suffix = next(end for end in streets if low.endswith(end) and (not end or len(low) > len(end) + 1))
    names = [name for name in streets[suffix] if not context.taken.is_word(name + suffix)] or streets[suffix]
    name = context.draws.draw("street", low).pick(names)
    return in_case_of(text, context.accented(name + suffix))


@lru_cache(maxsize=2)
def _kinds(data: str) -> frozenset[str]:
    """Words of places or addresses that are kept."""
    english = [word.lower() for word in inventory.places("street_kinds")] if data == "streets" else []
    return frozenset((*english, *document(f"{data}.yaml")["kinds"].split()))


@lru_cache(maxsize=16)
def _streets(language: str) -> Mapping[str, Sequence[str]]:
    """The beginnings of streets by their endings, the longest first: the language's, and those that are too
    long to occur by chance; then the names of streets that stand alone.
    """
    data = document("streets.yaml")
    anywhere = data["anywhere"].split()
    found: dict[str, Sequence[str]] = {}
    for own, compounds in sorted(data["compounds"].items(), key=lambda item: item[0] != language):
        for suffix in compounds["suffixes"].split():
            if own == language or suffix in anywhere:
                found.setdefault(suffix, compounds["names"].split())
    names = data["names"].get(language)
    english = [name for name in inventory.places("streets") if name.isascii() and " " not in name]
    found[""] = names.split(", ") if names else english
    return {suffix: found[suffix] for suffix in sorted(found, key=lambda suffix: (-len(suffix), suffix))}
