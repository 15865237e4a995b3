"""What stands beside the core of a street address and belongs to it: names and units, a town, a postal code.

The patterns find the core, a street and a number, fast; here the parts around each are taken one by one, within
a bounded reach, so the cost stays linear.
"""

import re
from functools import lru_cache

from transforms.detecting.word_lists import word_list

Range = tuple[int, int]

_AFTER = 160
_BEFORE = 80
"""Code points that are looked at on either side of a core."""
_MOST_NAMES = 3
"""Words with capitals before the last word of a street's name: "Karl Johans gate"."""
_MOST_DOORS = 6
_MOST_WORDS = 7
"""Words between a street or its units and a postal code."""

_JOINING = "of|the|and|de|del|la|di|do|da|an|am|der|y|e|i"
_WORD = re.compile(r"[,\s]{1,4}([^\W\d_](?:[^\W\d_]|['’.-](?=\w)|\.)*)")
_CODE = re.compile(
    r"[,\s]{1,4}(?:[A-Z]{1,2}-)?(?:\d{4} [A-Z]{2}|\d{4,6}(?:-\d{3,4})?|\d{9}|\d{3} \d{2}|\d{2}-\d{3}"
    r"|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[a-z] \d [a-z](?: \d [a-z] \d)?)\b"
    r"(?![ -.]?\d{1,4}\b)"
)
_SHORT_CODE = re.compile(r"[, ]{1,2}[a-zA-Z]{2} \d{2,6}\b")
_UNIT = re.compile(
    r"[^\w]{1,6}(?:(?:apartment|apt|suite|ste|unit|floor|fl|room|rm|flat|building|bldg|tower|block|lot|door|level|no"
    r"|lgh|leil|wohnung|whg|bus|local)\b[. ]{0,2}(?:#|no\.?)?|\#)[ ]?(?:[^\W\d_]?-?\d{1,5}[a-z]?\b|[a-z]\b)"
    r"|,?[ ]\d{1,2}(?:st|nd|rd|th)[ ]floor\b|,?[ ]\d{1,2}[ ]tr\b|,?[ ]m\.[ ]\d{1,4}\b",
    re.IGNORECASE,
)
_DOOR = re.compile(r"[ ]?[A-Z]\b(?:[ ]\d{1,3}\b)?|[a-z]\b|[ ]\d{1,3}[A-Z]\b|[ ][a-h](?=\s{0,2}(?:$|[\n,.;]))")
_TOWN = re.compile(rf"(,?[ ]|,)(?:(?:{_JOINING}) ){{0,2}}([^\W\d_][\w'’-]*)")
_CAPITAL = "[A-ZÅÄÖÆØÉÁÍÓÚÜ]"
_TOWN_AFTER = re.compile(rf"[ ]({_CAPITAL}[^\W\d_]{{2,}}(?:[ -]{_CAPITAL}[^\W\d_]+){{0,2}})(?![\w:])")
_SPANISH_CODE = re.compile(
    r"[\s,.(-]{1,4}(?:C\.?P\.?:?[ ])?(?:[A-Z]{1,2}-)?(?:\d{5}(?:-\d{3})?|\d{4}-\d{3})\b(?![ -.]?\d{1,4}\b)"
)
_LINE = re.compile(r"[ ]?\n[ >]{0,2}((?:[^\W\d_][\w'’-]*[ ]){0,3}[^\W\d_][\w'’-]*)[ ]?(?=\n|$)")
_UNIT_BEFORE = re.compile(
    r"\b(?:apartment|apt|suite|ste|unit|flat|shop|room)[. #]{1,2}\d{1,4}[a-z]?,?[ ]$", re.IGNORECASE
)
_DOORS = (
    r"bajos?|ático|entlo|entresuelo|principal|pral|portal|piso|planta|puerta|pta|pt|esc(?:alera)?|bloque|bl|local|apto"
    r"|apartamento|edificio|edif?|bis|interior|int|izqd?a?|izda?|izquierda|dcha?|derecha|der|centro|ctro|residencial|casa|nave"
    r"|depto|departamento|oficina|of|primero|segundo|tercero|cuarto|quinto|sexto"
)
_SPANISH_DOOR = re.compile(
    r"[ºª°]?(?:[ ]?[-,./][ ]?|[ ]{1,2}|(?<=\.))"
    rf"(?:(?:{_DOORS})\b\.?[ªº]?(?:[ ]?\d{{1,4}}(?!\d)[ºª°a]?|[ ](?-i:[A-Z])(?!\w))?"
    r"|\d{1,3}[ºª°o]\.?(?:[ ]?[A-Z]{1,2}(?![^\W\d_]))?|\d{1,3}[ ]?[A-Z]{1,2}(?!\w)"
    r"|\d{1,3}(?=[ ]?[-,.]|[ºª°]|\s{0,2}(?:$|\n))(?![ .,-]{1,3}\d)|\d{1,3}[ºª°]?(?!\w|[ .]?\d|(?-i:[ ][a-z]))"
    r"|\d{1,2}(?=[ ]\d{5}\b)|(?-i:[A-ZÑ])(?:-\d{1,2})?(?!\w|\.(?!\s*$|\n)))",
    re.IGNORECASE,
)
_GLUED_DOOR = re.compile(r"[ºª°](?!\w)|[ ]?(?:bis\b|[a-zA-Z](?!\w))")
_COUNTED = re.compile(r"\bno\.?[ ]$", re.IGNORECASE)
_ENDS = re.compile(r"\s{0,2}(?:$|[\n,.;?!\d])|\s(?:and|usa|us)\b")
_LOWER_NAMES = re.compile(r"(?<![\w.])\d{1,6}[a-z]?[ ]((?:[^\W\d_](?:\w|['’.-])*[ ]){1,4})$")
_CLOSING_NAMES = re.compile(r"((?:,?[ ]{1,2}[^\W\d_]{2,}){1,3})\s{0,3}(?=$|[.]$|\d{7,})")
_LETTERS = re.compile(r"[^\W\d_]+")
_COUNTRIES = frozenset(("uk", "us", "usa", "england"))
_STATES_THAT_ARE_WORDS = frozenset(("hi", "in", "me", "ok", "or"))
_BEGINS = re.compile(r"(\w[\w'’.-]*)[ ]$")
_NUMBER = re.compile(r"(?:(?<![\w.])\d{1,6}[a-zA-Z]?|\d{1,6}-\d{1,4})[ ]$")


def with_tail(text: str, start: int, end: int) -> Range | None:
    """The core ``start:end`` with the units and the place after it, and "no" before its number."""
    counted = _COUNTED.search(text[max(0, start - 5) : start]) or _UNIT_BEFORE.search(
        text[max(0, start - _BEFORE) : start]
    )
    further = _further().match(text, end)
    if further and further[1].strip() not in word_list("no_street"):
        end = further.end()
    last = _tail(text, end)
    return start - len(counted[0]) if counted else start, _closing_names(text, last)


def with_needed_tail(text: str, start: int, end: int) -> Range | None:
    """As ``with_tail``; None where neither an address goes on after the core nor a clause ends there."""
    last = _tail(text, end)
    return (start, last) if last > end or re.match(r"\s{0,2}[\n,.;:?!)]", text[end : end + 3]) else None


def with_name(text: str, start: int, end: int) -> Range | None:
    """As ``with_tail``, with the words in capitals and the number before the core."""
    return _before(text, start), _tail(text, end)


def with_door(text: str, start: int, end: int) -> Range | None:
    """A core as Spanish writes it, with entrance, floor and door after its number, postal code and town."""
    glued = _GLUED_DOOR.match(text, end)
    end = glued.end() if glued else end
    for _ in range(_MOST_DOORS):
        door = _SPANISH_DOOR.match(text, end, end + _AFTER)
        if door is None:
            break
        end = door.end()
    code = _SPANISH_CODE.match(text, end, end + _AFTER)
    if code is not None:
        return start, _town_after(text, code.end())
    while text[end - 1] in " .,-":
        end -= 1
    return start, end


def with_town(text: str, start: int, end: int) -> Range | None:
    """A core that ends with a postal code, and the town after it."""
    return start, _town_after(text, end)


def with_needed_name(text: str, start: int, end: int) -> Range | None:
    """As ``with_name``; None where no name stands before the core."""
    first = _before(text, start)
    if first == start and (names := _LOWER_NAMES.search(text[max(0, start - _BEFORE) : start])):
        everyday = any(_is_everyday(name) for name in names[1].split())
        first = start if everyday else start - len(names[0])
    return (first, _tail(text, end, behind_unit=True)) if re.search(r"[^\W\d_]", text[first:start]) else None


@lru_cache(maxsize=1)
def _further() -> re.Pattern[str]:
    """A second word for the street, as in "Park Drive" after "12 Benson Park" or "new street main road"."""
    suffixes = "|".join(sorted(map(re.escape, word_list("street_suffixes"))))
    return re.compile(rf"((?:[ ][^\W_]{{1,40}})?)[ ](?:{suffixes})\b\.?", re.IGNORECASE)


def _before(text: str, start: int) -> int:
    first, names = start, 0
    while names < _MOST_NAMES + 1:
        word = _BEGINS.search(text[max(0, first - _BEFORE) : first])
        if word is None or not word[1][0].isupper() or _is_everyday(word[1].lower().rstrip(".")):
            joins = word is not None and word[1] in _JOINING.split("|")
            above = word is not None and _BEGINS.search(text[max(0, first - _BEFORE) : first - len(word[0])])
            if not (
                joins and above and word and above[1][0].isupper() and not _is_everyday(above[1].lower())
            ):
                break
        if len(word[1]) > 3 and word[1].endswith("."):
            break
        first -= len(word[0])
        names += 1
    number = _NUMBER.search(text[max(0, first - 12) : first])
    return first - len(number[0]) if number else first


def _tail(text: str, end: int, behind_unit: bool = False) -> int:
    text = text[end : end + _AFTER]
    door = _DOOR.match(text)
    at = door.end() if door else 0
    at += text[at : at + 2] == ".\n"
    units = 0
    while units < 3 and (unit := _UNIT.match(text, at)):
        at, units = unit.end(), units + 1
    behind_unit |= units > 0
    return end + (_place(text, at, behind_unit) or _towns(text, at, behind_unit))


def _closing_names(text: str, end: int) -> int:
    """The end of a town that closes a text without capitals: "12 fourth street namakkal"; else ``end``."""
    names = _CLOSING_NAMES.match(text, end, end + _AFTER)
    if names is None or not text[max(0, end - _BEFORE) : names.end()].islower():
        return end
    if any(_closes_no_address(n) for n in _LETTERS.findall(names[1])):
        return end
    return names.end(1)


def _place(text: str, at: int, behind_unit: bool) -> int:
    """The end of words and a postal code, or a state; 0 for none."""
    stops = word_list("no_street")
    here = at
    if behind_unit and (letter := re.match(r" [a-z]\b", text[at : at + 3])):
        here += letter.end()
    state = 0
    for _ in range(_MOST_WORDS + 1):
        if code := _CODE.match(text, here):
            return _town_after(text, code.end()) if state == 0 else code.end()
        word = _WORD.match(text, here)
        lower = word[1].lower().rstrip(".") if word else ""
        if word is None:
            break
        in_a_name = lower == "in" and text.startswith(" the ", word.end())
        if lower in stops and lower not in _JOINING.split("|") and not in_a_name:
            is_state = lower in _STATES_THAT_ARE_WORDS or lower in word_list("us_states")
            coded = is_state and _CODE.match(text, word.end())
            return coded.end() if coded else state
        if word[1] in ("DE", "LA") or (lower in word_list("us_states") and _is_state(text, word)):
            state = word.end()
        if (code := _SHORT_CODE.match(text, here)) and lower not in stops:
            return code.end()
        here = word.end()
    return state


def _town_after(text: str, at: int) -> int:
    """The end of a town in capitals right after its postal code, as most of Europe writes it."""
    town = _TOWN_AFTER.match(text, at, at + _AFTER)
    if town is None or any(_is_everyday(word.lower()) for word in town[1].split()):
        return at
    return town.end()


def _is_state(text: str, word: re.Match[str]) -> bool:
    """The code of a state in capitals, or with a number or the end of a clause behind it."""
    return word[1].isupper() or _ENDS.match(text, word.end()) is not None


def _towns(text: str, at: int, behind_unit: bool) -> int:
    """The end of names in capitals in the same line: any after a unit, else those after commas."""
    named = behind_unit
    for _ in range(_MOST_WORDS):
        town = _TOWN.match(text, at)
        if town is None or not town[2][0].isupper():
            break
        if _is_everyday(town[2].lower()) and not (behind_unit and town[2].isupper() and len(town[2]) > 2):
            break
        if "," not in town[1] and not named:
            break
        named = True
        at = town.end()
    while behind_unit and (line := _LINE.match(text, at)):
        words = line[1].split()
        if not all(word[0].isupper() and not _is_everyday(word.lower()) for word in words):
            break
        at = line.end(1)
    return at


def _closes_no_address(word: str) -> bool:
    return word not in _COUNTRIES and (_is_everyday(word) or word in word_list("everyday"))


def _is_everyday(word: str) -> bool:
    return word in word_list("no_street") or word in word_list("not_names")
