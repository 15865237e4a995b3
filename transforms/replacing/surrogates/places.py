"""Places: another one nearby, of the same kind and size."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.replacing.surrogates.context import Context
from tacenda.transforms.replacing.surrogates.inflection import Ending, split_ending, takes, with_ending
from tacenda.transforms.replacing.surrogates.lists import cities, countries, document
from tacenda.transforms.replacing.surrogates.number_words import NumberWords, number_words_for, read_symbols
from tacenda.transforms.replacing.surrogates.writing import in_case_of, without_accents
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import plain_letters

_FEW = 3
"""With fewer cities of a size, cities of any size are drawn."""
_NEAR = 24
"""Number of cities of about the same size to draw from: the nearest ones in the country."""


def place(context: Context, text: str) -> str | None:
    """The surrogate of a place: a country for a country, a state for a state, a city for a city; else None.

    A place of several names is replaced name by name (``Austin, Texas``); an unlisted village becomes a small
    town in the country of the conversation's other places.
    """
    pieces = [piece for piece in text.replace(",", " , ").split(" ") if piece]
    out: list[str] = []
    i = 0
    found = False
    while i < len(pieces):
        for size in range(min(5, len(pieces) - i), 0, -1):
            part = " ".join(pieces[i : i + size])
            if (near := _known(context, part)) is not None:
                out.append(near)
                found, i = True, i + size
                break
        else:
            out.append(pieces[i])
            i += 1
    if not found:
        return _unknown(context, text)
    left = [
        piece for piece in out if piece[0].isupper() and piece in pieces and piece.lower() not in _kinds()
    ]
    if left:
        return _unknown(context, text)
    return " ".join(out).replace(" ,", ",")


def _known(context: Context, text: str) -> str | None:
    base, ending = split_ending(text, _is_place)
    plain = plain_letters(base)
    name = _state(context, base, ending) or _country(context, base, ending)
    if name is None and plain in cities().by_name and len(plain) > 2:
        name = _near_city(context, cities().by_name[plain], ending)
    if name is None:
        return None
    if not context.writes_accents:
        name = without_accents(name)
    cased = in_case_of(text, name)
    return cased if ending is None else with_ending(cased, ending)


def _is_place(word: str) -> bool:
    plain = plain_letters(word)
    return plain in cities().by_name or plain in countries().by_name or plain in _states()


def _near_city(context: Context, number: int, ending: Ending | None) -> str | None:
    name, near = cities().rows[number].name, _near(number)
    return _drawn(context, "city", name, near or _fallback_towns(context.language), ending, bool(near))


@lru_cache(maxsize=8192)
def _near(number: int) -> tuple[str, ...]:
    """The cities near a listed one, of the same country and size if there are enough."""
    known = cities()
    city = known.rows[number]
    own = known.of_country[city.country]
    degrees = known.degrees[own.start : own.stop]
    north = degrees[:, 0] - city.latitude
    east = (degrees[:, 1] - city.longitude) * np.cos(np.radians(city.latitude))
    by_distance = own.start + np.argsort(north * north + east * east, kind="stable")
    # A city with another name in other languages might be out of place in this text's language.
    near = by_distance[~known.are_well_known[by_distance] & (by_distance != number)]
    one_word = known.are_one_word[near]
    near = near[one_word] if one_word.any() else near
    like = near[known.magnitudes[near] == min(city.magnitude, 2)]
    return tuple(known.rows[i].name for i in (like if len(like) >= _FEW else near)[:_NEAR].tolist())


def _country(context: Context, text: str, ending: Ending | None) -> str | None:
    known = countries()
    if (own := known.by_name.get(plain_letters(text))) is None:
        return None
    language, code = own
    names = [known.names[language, other] for other in known.neighbours[code]]
    return _drawn(context, "country", code, [name for name in names if "(" not in name], ending)


def _state(context: Context, text: str, ending: Ending | None) -> str | None:
    entry = _states().get(plain_letters(text))
    if entry is None or (len(text) == 2 and not text.isupper()):
        return None
    return _drawn(context, "state", entry[0], entry[1], ending)


def _unknown(context: Context, text: str) -> str | None:
    """A small town for an unlisted place; a quarter for a quarter."""
    lead = "the " if text.lower().startswith("the ") else ""
    words = text.split()
    kind = words[-1] if len(words) > 1 and words[-1].lower() in _kinds() else ""
    name = _drawn(context, "town", plain_letters(text), _fallback_towns(context.language), None, False)
    if name is None:
        return None
    named = name if context.writes_accents else without_accents(name)
    return lead + in_case_of(words[-1], named) + (f" {kind}" if kind else "")


@lru_cache(maxsize=64)
def _fallback_towns(language: str) -> tuple[str, ...]:
    """Small towns of a country where a language is spoken."""
    known = cities()
    code = _places()["countries_of_languages"].get(language, "US")
    return tuple(
        known.rows[i].name
        for i in known.of_country[code]
        if known.rows[i].magnitude == 1 and known.are_one_word[i]
    )


def _drawn(
    context: Context,
    kind: str,
    original: str,
    names: Sequence[str],
    ending: Ending | None,
    is_own: bool = True,
) -> str | None:
    """The place drawn for an original, whose names are its own or those of any other place."""
    key = f"{kind}:{original}"
    if key in context.places:
        return context.places[key]
    draw: Draw = context.draws.draw("place", kind, plain_letters(original))
    pool = ("place", *((kind, original) if is_own else ()), *(ending or ()))
    context.places[key] = context.pools.drawn(
        pool, names, draw, lambda name: ending is None or takes(name, ending)
    )
    return context.places[key]


@built_once
def _places() -> Any:
    return document("places.yaml")


@built_once
def _kinds() -> frozenset[str]:
    return frozenset(_places()["kinds"].split())


@built_once
def _states() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Each state, in full or as two letters: its name, and other states of its region."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for states in _places()["states"].values():
        rows = [entry.split(":") for entry in states.split(", ")]
        for form in (0, 1):
            for row in rows:
                if form < len(row):
                    others = tuple(other[form] for other in rows if other is not row and form < len(other))
                    found[plain_letters(row[form])] = (row[form], others)
    return found


_TRIES = 20
_PIECE = re.compile(r"\d+|[^\W\d_]+(?:['’][^\W\d_]+)*|[\W_]+")


def street_address(context: Context, text: str) -> str | None:
    """Another address in the same form; None if none of it could be changed."""
    pieces = _PIECE.findall(text)
    words = number_words_for([piece.lower() for piece in pieces])
    out: list[str] = []
    run: list[str] = []
    named = False
    for piece in [*pieces, ""]:
        if piece and _continues(piece, run, words):
            run.append(piece)
            continue
        if run:
            named = _flush(context, run, out, named, words)
            run = []
        if piece and (_is_said(piece, words) or _is_name(piece, words)):
            run = [piece]
        elif piece:
            out.append(piece)
    value = "".join(out)
    return None if value == text else value


def _continues(piece: str, run: list[str], words: NumberWords) -> bool:
    if not run:
        return False
    if not piece.strip(" -"):
        return True
    last = next((word for word in reversed(run) if word.strip(" -")), "")
    return (_is_said(piece, words) and _is_said(last, words)) or (
        _is_name(piece, words) and _is_name(last, words)
    )


def _is_said(piece: str, words: NumberWords) -> bool:
    return piece.isdigit() or words.knows(piece.lower()) or (len(piece) == 1 and piece.isalpha())


def _is_name(piece: str, words: NumberWords) -> bool:
    return piece[:1].isalpha() and not _is_said(piece, words) and piece.lower() not in _street_kinds()


def _flush(context: Context, run: list[str], out: list[str], named: bool, words: NumberWords) -> bool:
    """Write a run of numbers or names; returns whether the street has its name now."""
    tail = ""
    while not run[-1].strip(" -"):
        tail = run.pop() + tail
    text = "".join(run)
    if _is_said(run[0], words):
        out += [_number(context, text), tail]
        return named
    if named:
        out += [place(context, text) or text, tail]
        return True
    out += [_street(context, text), tail]
    return True


def _number(context: Context, text: str) -> str:
    written = read_symbols(text)
    draw = context.draws.draw("house", written.symbols)
    for _ in range(_TRIES):
        new = "".join(
            draw.letters(1).lower() if c.isalpha() else _digit(c, i == 0, len(written.symbols), draw)
            for i, c in enumerate(written.symbols)
        )
        if new != written.symbols:
            return written.with_symbols(new)
    return text


def _digit(digit: str, leads: bool, count: int, draw: Draw) -> str:
    if leads and digit == "0" and count > 1:
        return digit
    return str(draw.between(1 if leads else 0, 9))


def _street(context: Context, text: str) -> str:
    low = text.lower()
    suffix = next(
        (end for end in _suffixes(context.language) if low.endswith(end) and len(low) > len(end) + 1), ""
    )
    draw = context.draws.draw("street", text.lower())
    if suffix not in context.streets:
        names = _compounds(suffix) if suffix else _names(context.language)
        left = [name for name in names if not context.taken.is_word(name + suffix)]
        context.streets[suffix] = left or names
    name = draw.pick(context.streets[suffix])
    if suffix:
        name += text[-len(suffix) :].lower() if not text.isupper() else suffix
    return in_case_of(text, name if context.writes_accents else without_accents(name))


@built_once
def _street_data() -> Any:
    return document("streets.yaml")


@built_once
def _street_kinds() -> frozenset[str]:
    english = {word.lower() for word in inventory.places("street_kinds")}
    return frozenset((*english, *_street_data()["kinds"].split()))


@lru_cache(maxsize=16)
def _suffixes(language: str) -> tuple[str, ...]:
    """Endings of street names in a language, and those of others that are too long to occur by chance."""
    suffixes = [
        suffix
        for own, entry in _street_data()["compounds"].items()
        for suffix in entry["suffixes"].split()
        if own == language or suffix in _street_data()["anywhere"].split()
    ]
    return tuple(sorted(suffixes, key=lambda suffix: -len(suffix)))


def _compounds(suffix: str) -> tuple[str, ...]:
    return next(
        tuple(entry["names"].split())
        for entry in _street_data()["compounds"].values()
        if suffix in entry["suffixes"].split()
    )


def _names(language: str) -> tuple[str, ...]:
    names = _street_data()["names"].get(language)
    return tuple(name.strip() for name in names.split(",")) if names else _english()


@built_once
def _english() -> tuple[str, ...]:
    return tuple(name for name in inventory.places("streets") if name.isascii() and " " not in name)
