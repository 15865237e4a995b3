"""Places: real cities, invented villages, and streets in the format of each language."""

from functools import lru_cache

from tacenda.transforms.gazetteers.word_list import PLACES, rows
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.training import lists, names

_FILE = "places.yaml"
_LATIN_END = "\u024f"


def _capitalised(place: str) -> str:
    parts, small = place.split(" "), lists.listed(_FILE, "small")
    return " ".join(w if w in small and i else w[:1].upper() + w[1:] for i, w in enumerate(parts))


@lru_cache(maxsize=1)
def of_the_world() -> tuple[str, ...]:
    """Places of the gazetteer in Latin letters; larger ones are repeated."""
    found: list[str] = []
    for place, level in rows(PLACES):
        if 3 < len(place) < 24 and max(place) <= _LATIN_END and not any(c.isdigit() for c in place):
            found += [_capitalised(place)] * int(level)
    return tuple(found)


def village(draw: Draw) -> str:
    """The name of an invented village."""
    first = draw.pick(lists.listed(_FILE, "village", "first"))
    last = draw.pick(lists.listed(_FILE, "village", "last"))
    if first in ("Little", "Great", "Upper", "Nether", "Santa", "San", "Villa", "Monte", "Puerto"):
        return f"{first} {last.capitalize()}"
    return first + (last.capitalize() if first.endswith("-") else last)


def _home(lang: str) -> bool:
    return lang in lists.document(_FILE)["home"]


def city(draw: Draw, lang: str = "en") -> str:
    """A city, town or village, usually one where the language is spoken."""
    if _home(lang) and draw.chance(0.6):
        return draw.pick(lists.listed(_FILE, "home", lang, "cities"))
    chance = draw.random()
    if chance < 0.5:
        return draw.pick(lists.listed(_FILE, "cities"))
    if chance < 0.9:
        return draw.pick(of_the_world())
    return village(draw)


def landmark(draw: Draw, lang: str = "en") -> str:
    """A river, mountain, park, stadium, county and so on, named after a place, person or thing."""
    pattern: str = draw.pick(lists.document(_FILE)["landmarks"])
    if "{place}" in pattern:
        return pattern.replace("{place}", city(draw, lang))
    if "{last}" in pattern:
        return pattern.replace("{last}", draw.pick(names.of_the_world()[1]))
    return pattern.replace("{thing}", draw.pick(lists.listed("words.yaml", "en", "thing")).capitalize())


def of_kind(draw: Draw, kind: str, lang: str = "en") -> str:
    """A country, region, water, district or airport, from the list ``kind``, in the language if listed."""
    if kind in ("countries", "regions") and _home(lang) and draw.chance(0.85):
        return draw.pick(lists.listed(_FILE, "home", lang, kind))
    return draw.pick(lists.listed(_FILE, kind))


def _english(draw: Draw, number: str, name: str, kind: str) -> str:
    text = f"{number} {name} {kind}"
    chance = draw.random()
    if chance < 0.12:
        side = draw.pick(("North", "South", "East", "West", "N", "S", "E", "W", "N.", "SW"))
        return f"{number} {side} {name} {kind}"
    if chance < 0.24:
        unit = draw.pick(("Apt", "Apt.", "Unit", "Suite", "Flat", "#", "apartment", "Floor"))
        return f"{text}{draw.pick((', ', ' '))}{unit} {draw.between(1, 40)}{draw.pick(('', '', 'B', 'A'))}"
    if chance < 0.28:
        return f"PO Box {draw.between(10, 9999)}"
    if chance < 0.32:
        return f"Flat {draw.between(1, 30)}, {text}"
    if chance < 0.36:
        return f"no {draw.between(1, 99)} {name} {kind}"
    return text


def street(draw: Draw, lang: str, *, numbered: bool = True) -> str:
    """A street, with a house number in the format of the language if ``numbered``."""
    own = lang if lang in lists.document(_FILE)["streets"] else "en"
    name = draw.pick(lists.listed(_FILE, "streets", own, "names"))
    kind = draw.pick(lists.listed(_FILE, "streets", own, "kinds"))
    if not numbered:
        if own == "en":
            return f"{name} {kind}"
        return f"{kind} {name}" if own in ("es", "it", "pt", "fr") else _germanic(name, kind)
    house = draw.pick((draw.between(1, 99), draw.between(1, 30), draw.between(100, 999)))
    number = f"{house}{draw.pick(('', '', '', '', '', 'A', 'b', ' B'))}"
    if own == "en":
        if draw.chance(0.25):
            number = str(draw.between(1000, 19999))
        if draw.chance(0.2):
            name = draw.pick(of_the_world())
        return _english(draw, number, name, kind)
    if own in ("es", "it", "pt"):
        glue = draw.pick((", ", " ", " nº ", " n. ")) if own == "es" else draw.pick((", ", " "))
        floor = draw.pick(
            ("", "", "", f", {draw.between(1, 9)}º {draw.letters(1)}", f" piso {draw.between(1, 9)}")
        )
        return f"{kind} {name}{glue}{number}{floor if own == 'es' else ''}"
    if own == "fr":
        return f"{number}{draw.pick((' ', ', ', ' bis '))}{kind} {name}"
    if draw.chance(0.25) and own in ("sv", "nb", "da", "fi"):
        number += draw.pick((" lgh 1102", " A 12", ", 3 tr", " B 4", ", 2. tv", " as 5"))
    return f"{_germanic(name, kind)} {number}"


def _germanic(name: str, kind: str) -> str:
    """One word (Skolgränd), except for streets with a person's full name (Lars Kaggs gränd)."""
    return f"{name} {kind}" if " " in name and name.endswith((".", "s")) else name + kind
