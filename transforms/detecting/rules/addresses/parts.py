"""The optional parts of a street address, as fragments for patterns.

The patterns find the core, a street and a number, quickly; here names, numbers and units before it are added
one by one, within a bounded distance, so the cost stays linear. ``tails`` handles what follows.
"""

import re

from tacenda.transforms.detecting.rules.addresses.tails import (
    JOINING,
    REACH,
    closing_names,
    stands_in_no_name,
    tail,
    town_after,
)
from tacenda.transforms.detecting.word_lists import alternatives, word_list, words_of
from tacenda.transforms.storage.process_cache import built_once

Range = tuple[int, int]

_BEFORE = 80
"""Code points of context before a core."""
_MOST_NAMES = 3
"""Most capitalised words before the last word of a street's name: "Karl Johans gate"."""
_MOST_UNITS = 2
_MOST_DOORS = 6

_SPANISH_CODE = re.compile(
    r"[\s,.(-]{1,4}(?:C\.?P\.?:?[ ])?(?:[A-Z]{1,2}-)?(?:\d{5}(?:-\d{3})?|\d{4}-\d{3})\b(?![ -.]?\d{1,4}\b)"
)
_QUARTER = re.compile(
    r",?[ ](?:Col|Fracc|Urb|Bo)(?:\.|onia|raccionamiento|anización)?[ ](?:[A-ZÁÉÍÓÚÑ][\w-]*[ ]?){1,3}(?<! )"
)
_CLOSING_TOWN = re.compile(
    r",[ ]([A-ZÁÉÍÓÚÑ][\w-]+(?:[ ](?:de[ ])?[A-ZÁÉÍÓÚÑ][\w-]+){0,2})\s{0,2}(?:$|[.](?=\s|$)|[\n;])"
)
_GLUED_DOOR = re.compile(r"[ºª°](?!\w)|[ ]?(?:bis\b|[a-zA-Z](?!\w))")
_LOWER_NAMES = re.compile(r"(?<![\w.])\d{1,6}[a-z]?[ ]((?:[^\W\d_](?:\w|['’.-])*[ ]){1,4})$")
_GERMAN_STREET = re.compile(r"[A-ZÄÖÜ][\w’'-]*(?:platz|stra(?:ß|ss)e|str\.|weg|gasse|allee)[ ]\d")
"""Street names in one word: a capitalised noun before it is not part of the name; "Obere" and "Alter" are."""
_BEGINS = re.compile(r"((?:S:ta?\b|\w[\w'’-]*)(?:[.'’-][\w'’-]*)*)[ ]$")
_SHORT_NAME = re.compile(r"(?:[^\W\d_]\.){1,3}|(?:[SN]dr|Gm?l|Vest|Øst|Skt|Sct|Kgl|Prof|Gen)\.")
"""Initials, and abbreviated first words of Nordic street names: "Sdr. Ringvej"."""
_NUMBER = re.compile(r"(?:(?<![\w.])\d{1,6}[a-zA-Z]?|\d{1,6}-\d{1,4})[ ]$")
_PAUSE = re.compile(r"\s{0,2}(?:[\n,.;:?!)]|$)")
_FIRST_NUMBER = re.compile(r"(?<![\w.,/-])(?<![,.] )\d{1,3}[ ]$")


def with_tail(text: str, start: int, end: int) -> Range | None:
    """Extend the core ``start:end`` by the units and place after it, and by units or a building before it."""
    further = _further().match(text, end)
    if further and further[1].strip() not in word_list("no_street"):
        end = further.end()
    last = tail(text, end)
    return _units_before(text, start), closing_names(text, last)


def with_needed_tail(text: str, start: int, end: int) -> Range | None:
    """As ``with_tail``; None unless the address continues after the core or a clause ends there."""
    last = tail(text, end)
    return (start, last) if last > end or _PAUSE.match(text, end) else None


def with_name(text: str, start: int, end: int) -> Range | None:
    """As ``with_tail``, plus capitalised words and a number before the core."""
    return _units_before(text, _before(text, start)), tail(text, end)


def with_door(text: str, start: int, end: int) -> Range | None:
    """Extend a Spanish core by entrance, floor, door, postal code and town."""
    first = _FIRST_NUMBER.search(text[max(0, start - 6) : start])
    start -= len(first[0]) if first else 0
    glued = _GLUED_DOOR.match(text, end)
    end = glued.end() if glued else end
    for _ in range(_MOST_DOORS):
        door = _spanish_door().match(text, end, end + REACH)
        if door is None:
            break
        end = door.end()
    quarter = _QUARTER.match(text, end, end + REACH)
    end = quarter.end() if quarter else end
    code = _SPANISH_CODE.match(text, end, end + REACH)
    if code is not None:
        return start, town_after(text, code.end())
    if town := _CLOSING_TOWN.match(text, end, end + REACH):
        return start, end if any(map(stands_in_no_name, town[1].lower().split())) else town.end(1)
    while text[end - 1] in " .,-":
        end -= 1
    return start, end


def with_town(text: str, start: int, end: int) -> Range | None:
    """Extend a core that ends with a postal code by the town after it."""
    return start, town_after(text, end)


def with_needed_name(text: str, start: int, end: int) -> Range | None:
    """As ``with_name``; None if there is no name before the core."""
    first = _before(text, start)
    if first == start and (names := _LOWER_NAMES.search(text[max(0, start - _BEFORE) : start])):
        everyday = any(stands_in_no_name(name) for name in names[1].split())
        first = start if everyday else start - len(names[0])
    return (first, tail(text, end, behind_unit=True)) if re.search(r"[^\W\d_]", text[first:start]) else None


@built_once
def _further() -> re.Pattern[str]:
    """A second word for the street, as in "12 Benson Park Drive" or "new street main road"."""
    suffixes = alternatives(word_list("street_suffixes"))
    return re.compile(rf"((?:[ ][^\W_]{{1,40}})?)[ ](?:{suffixes})\b\.?", re.IGNORECASE)


def _units_before(text: str, start: int) -> int:
    """The start of "no", or of a building and units, before a house number."""
    if counted := _counted().search(text[max(0, start - 10) : start]):
        return start - len(counted[0])
    for _ in range(_MOST_UNITS):
        before = text[max(0, start - _BEFORE) : start]
        found = _unit_before().search(before) or _building_before().search(before)
        if found is None:
            break
        start -= len(before) - found.start()
    return start


@built_once
def _counted() -> re.Pattern[str]:
    """A word after which the number of a house or of its unit stands."""
    units = alternatives(word_list("house_parts/dwellings"))
    return re.compile(rf"\b(?:no\.?|shop|{units})[ ]$", re.IGNORECASE)


@built_once
def _unit_before() -> re.Pattern[str]:
    """A unit before a house number: "flat 2, ", "2nd floor of ", "bât B "."""
    numbered = alternatives(
        words_of("house_parts/dwellings", "house_parts/with_numbers", "house_parts/before_houses")
    )
    lettered = alternatives(words_of("house_parts/french_staircases", "house_parts/french_entrances"))
    return re.compile(
        rf"(?:\b(?:{numbered})"
        r"(?:[ ]no)?[. #]{1,2}(?:[a-z]-?)?\d{1,4}(?:/(?:\d{1,4}|[a-z]))?-?[a-z]?"
        r"|\b(?-i:[A-Z])-?\d{1,4}|\#\d{1,4}"
        rf"|\b(?:{lettered})\.?[ ](?:[a-z]|\d{{1,3}})\b"
        r"|\d{1,2}(?:st|nd|rd|th)[ ]floor)"
        r"(?:,?[ ]|[ ](?:at|of)[ ])$",
        re.IGNORECASE,
    )


@built_once
def _building_before() -> re.Pattern[str]:
    """The name of a building before a house number: "Oak Court, "."""
    ends = alternatives(word.capitalize() for word in word_list("named_buildings"))
    return re.compile(rf"\b(?:[^\W\d_a-zåäöæøéáíóúü][\w'’-]*[ ]){{1,4}}(?:{ends}),[ ]$")


@built_once
def _spanish_door() -> re.Pattern[str]:
    """A floor, door or staircase after a Spanish street and number: ", 2º B", " Esc. 1"."""
    doors = alternatives(
        words_of(
            "house_parts/spanish_doors",
            "house_parts/spanish_doors_in_full",
            "house_parts/spanish",
        )
    )
    return re.compile(
        r"[ºª°]?(?:[ ]?[-,./][ ]?|[ ]{1,2}|(?<=\.))"
        rf"(?:(?:{doors})\b\.?[ªº]?(?:[ ]?\d{{1,4}}(?!\d)[ºª°a]?|[ ](?-i:[A-Z])(?!\w))?"
        r"|\d{1,3}\.?[ºª°o]\.?(?:[ ]?[A-Z]{1,2}(?![^\W\d_]))?|\d{1,3}[ ]?[A-Z]{1,2}(?!\w)"
        r"|\d{1,3}(?=[ ]?[-,.]|[ºª°]|\s{0,2}(?:$|\n))(?![ .,-]{1,3}\d)"
        r"|\d{1,3}[ºª°]?(?!\w|[ .]?\d|(?-i:[ ][a-z]))"
        r"|\d{1,2}(?=[ ]\d{5}\b)|(?-i:[A-ZÑ])(?:-\d{1,2})?(?!\w|\.(?!\s*$|\n)))",
        re.IGNORECASE,
    )


def _before(text: str, start: int) -> int:
    first, names = start, 0
    german = _GERMAN_STREET.match(text, start) is not None
    while names < _MOST_NAMES + 1:
        word = _BEGINS.search(text[max(0, first - _BEFORE) : first])
        if word is None or not word[1][0].isupper() or stands_in_no_name(word[1].lower().rstrip(".")):
            joins = word is not None and word[1] in JOINING
            above = word is not None and _BEGINS.search(text[max(0, first - _BEFORE) : first - len(word[0])])
            named = above and above[1][0].isupper() and not stands_in_no_name(above[1].lower())
            if german or word is None or not (joins and named):
                break
        if german and not word[1].endswith(("e", "en", "er", ".", "-")):
            break
        if len(word[1]) > 3 and word[1].endswith(".") and not _SHORT_NAME.fullmatch(word[1]):
            break
        first -= len(word[0])
        names += 1
    number = _NUMBER.search(text[max(0, first - 12) : first])
    return first - len(number[0]) if number else first
