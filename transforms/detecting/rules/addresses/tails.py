"""Extend a street address by what follows it: units, town, state, postal code, country.

Each part is searched for within a bounded distance, so the cost stays linear.
"""

import re

from tacenda.transforms.detecting.word_lists import alternatives, word_list, words_of
from tacenda.transforms.storage.process_cache import built_once

REACH = 160
"""Code points of context after a core."""
WITHIN = frozenset(("of", "the", "de", "del", "la", "di", "do", "da", "an", "am", "der"))
"""Everyday words within the name of a street or place."""
JOINING = WITHIN | {"and", "y", "e", "i"}
"""Those, and words between two names."""
JOINING_ENGLISH = frozenset(("and", "of", "the"))
"""Those of English: "Republic of the Congo", "Trinidad and Tobago"."""

_BEFORE = 80
_MOST_WORDS = 7
"""Most words between a street or its units and a postal code."""
_MOST_UNITS = 3

_WORD = re.compile(r"[,\s]{1,4}([^\W\d_](?:[^\W\d_]|['’.-](?=\w)|\.)*)")
_CODE = re.compile(
    r"[,\s]{1,4}(?:[A-Z]{1,2}-)?(?:\d{4} [A-Z]{2}|\d{4}(?:-\d{3})?|\d{5}(?:-\d{3,4})?|\d{6}|\d{9}|\d{3} \d{2}"
    r"|\d{2}-\d{3}|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[a-z] \d [a-z](?: \d [a-z] \d)?)\b"
    r"(?![ -.]?\d{1,4}\b)"
)
_SHORT_CODE = re.compile(r"[, ]{1,2}[a-zA-Z]{2} (\d{2,6})\b")
_IN_A_TOWN = re.compile(r" in (?:[^\W\d_]+ ){1,4}\d{5}(?:-\d{4})?\b")
_DOOR = re.compile(r"[ ]?[A-Z]\b(?:[ ]\d{1,3}\b)?|[a-z]\b|[ ]\d{1,3}[A-Z]\b|[ ][a-h](?=\s{0,2}(?:$|[\n,.;]))")
_TOWN = re.compile(rf"(,?[ ]|,)(?:Co\.[ ]|(?:(?:{alternatives(WITHIN)}) ){{0,2}})([^\W\d_][\w'’-]*)")
_CAPITAL = "[A-ZÅÄÖÆØÉÁÍÓÚÜ]"
_TOWN_AFTER = re.compile(
    rf"[ ]({_CAPITAL}[^\W\d_]{{2,}}(?:(?:[ -]|[ ]del?[ ](?:la[ ])?){_CAPITAL}[^\W\d_]+){{0,2}})(?![\w:])"
    rf"((?:[ ]{_CAPITAL}{{1,2}}\b(?!-|\.\w))?(?:(?<=(?i:cedex))[ ]\d{{1,2}}\b)?)"
)
_LINE = re.compile(r"[ ]?\n[ >]{0,2}((?:[^\W\d_][\w'’-]*[ ]){0,3}[^\W\d_][\w'’-]*)[ ]?(?=\n|$)")
_ENDS = re.compile(r"\s{0,2}(?:$|[\n,.;?!\d])|\s(?:and|usa|us)\b")
_CLOSING_NAMES = re.compile(r"((?:,?[ ]{1,2}[^\W\d_]{2,}){1,3})\s{0,3}(?=$|[.]$|\d{7,})")
_LETTERS = re.compile(r"[^\W\d_]+")
_TWO = 2
"""Two digits after two letters are a code only if the letters are a state's: not in "um 18"."""
_STATES_THAT_ARE_WORDS = frozenset(("hi", "in", "me", "ok", "or"))


def tail(text: str, end: int, behind_unit: bool = False) -> int:
    """The end of the doors, units, place and country after a core that ends at ``end``."""
    rest = text[end : end + REACH]
    door = _DOOR.match(rest)
    at = door.end() if door else 0
    at += rest[at : at + 2] in (".\n", ".,")
    units = 0
    while units < _MOST_UNITS and (unit := _unit().match(rest, at)):
        at, units = unit.end(), units + 1
    behind_unit |= units > 0
    at = max(_lines(rest, at), _place(rest, at, behind_unit) or _towns(rest, at, behind_unit))
    return end + _country_after(rest, at)


@built_once
def _unit() -> re.Pattern[str]:
    """A unit of a house, or floor and door, after a street and its number: "apt 4", "2. tv", "1 tr ned"."""
    kinds = ("dwellings", "with_numbers", "french_staircases", "after_streets", "spanish")
    numbered = alternatives(words_of(*(f"house_parts/{kind}" for kind in kinds)))
    rear, floor, side = (
        alternatives(word_list(f"house_parts/{kind}")) for kind in ("rear_buildings", "floors", "sides")
    )
    return re.compile(
        rf"[^\w]{{1,6}}(?:(?:{numbered})(?:\b|(?<=\.))[. ]{{0,2}}(?:#|no\.?)?|\#)[ ]?"
        r"(?:[^\W\d_]?-?\d{1,5}[a-z]?\b|[a-z]\b"
        r"|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?: [a-z]\b)?)"
        rf"|,?[ ]\d{{1,2}}[ ]tr\.?[ ](?:ned|ner|upp)\b|,?[ ](?:{rear})\b"
        r"|,?[ ]rd[ ]\d{1,2}\b"
        r"|,?[ ]\d{1,2}(?:st|nd|rd|th)[ ]floor\b|,?[ ]m\.[ ]\d{1,4}\b|,?[ ][HULK]0\d{3}\b"
        r"|,?[ ](?:\d{1,2}\.?|st\.?,?)[ ]?"
        rf"(?:tr|(?:{floor})(?:[., ]{{1,3}}(?:{side}))?|[., ]{{0,2}}(?:{side}))\b\.?",
        re.IGNORECASE,
    )


def closing_names(text: str, end: int) -> int:
    """The end of a town that ends a lower-case text: "12 fourth street namakkal"; otherwise ``end``."""
    names = _CLOSING_NAMES.match(text, end, end + REACH)
    if names is None or not text[max(0, end - _BEFORE) : names.end()].islower():
        return end
    if any(_closes_no_address(n) for n in _LETTERS.findall(names[1])):
        return end
    return names.end(1)


def town_after(text: str, at: int) -> int:
    """The end of a capitalised town right after its postal code, as in most of Europe."""
    town = _TOWN_AFTER.match(text, at, at + REACH)
    if town is None or any(stands_in_no_name(word.lower()) for word in town[1].split()):
        return at
    return town.end()


def stands_in_no_name(word: str) -> bool:
    """Whether a lower-case word never occurs in names of streets or places."""
    return is_no_part(word) or _is_field(word)


def is_no_part(word: str) -> bool:
    """Whether a lower-case word is everyday language that no address contains."""
    return word in word_list("no_street") or word in word_list("not_names")


def _place(text: str, at: int, behind_unit: bool) -> int:
    """The end of words with a postal code, or of a state; 0 if there is none."""
    stops = word_list("no_street")
    if in_a_town := _IN_A_TOWN.match(text, at):
        return in_a_town.end()
    here = at
    if behind_unit and (letter := re.match(r" [a-z]\b", text[at : at + 3])):
        here += letter.end()
    state = 0
    for _ in range(_MOST_WORDS + 1):
        if code := _CODE.match(text, here):
            return town_after(text, code.end()) if state == 0 else code.end()
        word = _WORD.match(text, here)
        lower = word[1].lower().rstrip(".") if word else ""
        if word is None or lower in word_list("months"):
            break
        in_a_name = lower == "in" and text.startswith(" the ", word.end())
        if (lower in stops and lower not in JOINING and not in_a_name) or _is_field(lower):
            is_state = lower in _STATES_THAT_ARE_WORDS or lower in word_list("us_states")
            coded = is_state and _CODE.match(text, word.end())
            return coded.end() if coded else state
        if word[1] in ("DE", "LA") or (lower in word_list("us_states") and _is_state(text, word)):
            state = word.end()
        if (code := _SHORT_CODE.match(text, here)) and (
            here == at or len(code[1]) > _TWO or lower in word_list("us_states")
        ):
            return code.end()
        here = word.end()
    return state


def _is_field(word: str) -> bool:
    """Whether a word introduces another item of data: "telephone", "personnummer"."""
    return word in word_list("field_names")


def _is_state(text: str, word: re.Match[str]) -> bool:
    """Whether it is the code of a state: in capitals, or before a number or the end of a clause."""
    return word[1].isupper() or _ENDS.match(text, word.end()) is not None


def _towns(text: str, at: int, behind_unit: bool) -> int:
    """The end of capitalised names in the same line: any after a unit, otherwise those after commas."""
    named = behind_unit
    for _ in range(_MOST_WORDS):
        town = _TOWN.match(text, at)
        if town is None or not town[2][0].isupper():
            break
        if stands_in_no_name(town[2].lower()) and not (
            behind_unit and town[2].isupper() and len(town[2]) > 2
        ):
            break
        if "," not in town[1] and not named:
            break
        named = True
        at = town.end()
    while behind_unit and (line := _LINE.match(text, at)):
        words = line[1].split()
        if not all(word[0].isupper() and not stands_in_no_name(word.lower()) for word in words):
            break
        at = line.end(1)
    return at


def _lines(text: str, at: int) -> int:
    """The end of lines of which the last is a country, as below a letter; 0 if there are none."""
    lines = _signed().match(text, at)
    return lines.end() if lines else 0


@built_once
def _signed() -> re.Pattern[str]:
    line = r",?\n[ >]{0,2}"
    named = rf"(?:{_countries()})\b(?: \d{{4,6}}\b)?"
    return re.compile(rf"(?:{line}[^\W_][\w .'’-]{{1,40}}){{1,3}}{line}{named}", re.IGNORECASE)


def _country_after(text: str, at: int) -> int:
    """The end of a country that ends an address with more than a street."""
    country = _country().match(text, at) if at else None
    return country.end() if country else at


@built_once
def _country() -> re.Pattern[str]:
    return re.compile(rf"[,.]?\s{{1,2}}(?:\((?:{_countries()})\)|(?:{_countries()})\b)", re.IGNORECASE)


def _countries() -> str:
    return alternatives(word_list("country_names"))


def _closes_no_address(word: str) -> bool:
    return word not in word_list("country_names") and (
        stands_in_no_name(word) or word in word_list("everyday")
    )
