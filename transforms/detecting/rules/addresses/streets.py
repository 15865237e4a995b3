"""Trim a street address candidate: find its real start and end.

The patterns match a number, some words, a word for a street and a generous tail. Everyday words show the
limits: in "2 adults to 12 Oak Street and call me" the address begins at 12 and ends before "and".
"""

import re

from tacenda.transforms.detecting.rules.addresses.tails import JOINING_ENGLISH, is_no_part
from tacenda.transforms.detecting.word_lists import alternatives, word_list, words_of
from tacenda.transforms.storage.process_cache import built_once

Range = tuple[int, int]

_TOKEN = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_YEARS = re.compile(r"(?:19|20)\d\d")
_SENTENCE_ENDS = re.compile(r"[^\W\d_]{3}[.?!] +")


def numbered_street(text: str) -> Range | None:
    """An address that begins with a house number; None if the words after the number are not a street's."""
    tokens = [match.span() for match in _TOKEN.finditer(text)]
    words = [text[start:end].lower() for start, end in tokens]
    rare = word_list("rare_street_suffixes")
    ends = [word in rare or word in word_list("street_suffixes") for word in words]
    ends = [end and not _is_doctor(words, i) for i, end in enumerate(ends)]
    first = last = 0
    bad = 0
    while first >= 0 and bad >= 0:
        last = next((i for i in range(first + 2, len(words)) if ends[i]), -1)
        if last < 0:
            return None
        bad = max((i for i in range(first + 1, last) if _ends_it(text, tokens, words, i, last)), default=-1)
        if bad >= 0:
            first = next((j for j in range(bad + 1, len(words)) if words[j][0].isdigit()), -1)
    if first < 0:
        return None
    while first < last - 2 and words[first + 1][0].isdigit() and words[first + 2][0].isdigit():
        first += 1
    if last - first < 2 or (words[last] in rare and _YEARS.fullmatch(words[first])):
        return None
    begin = tokens[first][0] if first else 0
    return begin, _end(text, tokens, words, last)


def _is_doctor(words: list[str], i: int) -> bool:
    """Whether "dr" is a title and no drive: "10 mg enligt dr Berg"."""
    return i > 0 and words[i] == "dr" and words[i - 1] in word_list("before_a_doctor")


def _ends_it(text: str, tokens: list[Range], words: list[str], i: int, last: int) -> bool:
    """Whether an everyday word before the word for the street ends the match, unlike in "12 A Street"."""
    letter = i == last - 1 and text[slice(*tokens[i])].isupper() and len(words[i]) == 1
    numbered = words[i - 1][0].isdigit() and text[tokens[i - 1][1] : tokens[i][0]] == " " and i < last - 1
    taken = text[slice(*tokens[i])]
    letter |= numbered and (taken in _AFTER_A_NUMBER or (len(taken) == 1 and taken.isupper()))
    stops = word_list("no_street"), word_list("no_spanish_street")
    letter |= i == last - 1 and words[i] == "second" and words[last] in _COUNTED
    sentence = i + 1 < len(tokens) and _SENTENCE_ENDS.fullmatch(text, tokens[i][1] - 3, tokens[i + 1][0])
    return (words[i] in stops[0] or text[slice(*tokens[i])] in stops[1] or bool(sentence)) and not letter


_AFTER_A_NUMBER = frozenset(("a", "The", "n", "s", "e", "w", "ne", "nw", "se", "sw"))
"""Everyday words that may stand between house number and street."""
_COUNTED = frozenset(("street", "st", "avenue", "ave"))
"""Words for streets that are numbered: "12 Second Street", but a "10 second drive"."""


def _end(text: str, tokens: list[Range], words: list[str], last: int) -> int:
    """The end before the first word after the street that belongs to no address."""
    stops = word_list("no_street")
    for i in range(last + 1, len(words)):
        joins = words[i] in JOINING_ENGLISH and i + 1 < len(words) and _goes_on(text, tokens, i)
        letter = i == last + 1 and len(words[i]) == 1 and text[tokens[i][0]].isupper()
        if words[i] in stops and not joins and not letter:
            return tokens[i - 1][1]
    return len(text.rstrip(" ,;.\n-"))


def _goes_on(text: str, tokens: list[Range], i: int) -> bool:
    """Whether a capital or another joining word follows in the same line."""
    follows = text[slice(*tokens[i + 1])]
    between = text[tokens[i][1] : tokens[i + 1][0]]
    return between == " " and (follows[:1].isupper() or follows in JOINING_ENGLISH)


def street_name(text: str) -> Range | None:
    """A street with only a name: the words after the last everyday word, which may begin a sentence."""
    tokens = [match.span() for match in _TOKEN.finditer(text)]
    words = [text[start:end].lower() for start, end in tokens]
    first = max((i + 1 for i, word in enumerate(words) if is_no_part(word)), default=0)
    if " ".join(words[first:]) in word_list("known_streets"):
        return None
    if len(words) > 1 and words[-1] == words[-2]:
        tokens.pop()
    return (tokens[first][0], tokens[-1][1]) if first < len(tokens) - 1 else None


def spanish_street(text: str) -> Range | None:
    """A way, its name and a number; None if an everyday word precedes the number."""
    number = _SPANISH_NUMBER.search(text)
    words = [match.group().lower() for match in _TOKEN.finditer(text[: number.start()] if number else text)]
    if len(words) < 2 or any(_is_no_spanish_name(word) for word in words):
        return None
    return 0, len(_POSTAL_CODE_FOLLOWS.sub("", text).rstrip(" ,;.\n-/"))


def _is_no_spanish_name(word: str) -> bool:
    return word in word_list("no_spanish_street") or (
        word in word_list("no_street") and word not in _SPANISH_NAMES
    )


_POSTAL_CODE_FOLLOWS = re.compile(r"[ ,.]+C\.P\.?$")
_SPANISH_NUMBER = re.compile(r"\b(?:\d|[sS] ?/ ?[nN]\b|sn\b)")
_SPANISH_NAMES = frozenset(("a", "i", "km", "me"))
"""Everyday words of other languages that may occur in names of Spanish streets."""


def street_before_code(text: str) -> Range | None:
    """A street, its number, a postal code and a town, without what precedes the street."""
    number = re.search(r"[ ,](?:\d|[sS] ?/)", text)
    if number is None or _month().search(text):
        return None
    begin = 0
    for sentence in re.finditer(r"[^\W\d_]{4,}\. ", text[: number.start()]):
        begin = sentence.end()
    stop = re.search(r"\W+(?:tel|tf?no|fax|e-?mail|correo|tele?f|phone|web)\w*$", text, re.IGNORECASE)
    return begin, stop.start() if stop else len(text)


@built_once
def _month() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives(words_of('months/english', 'months/spanish'))})\b", re.IGNORECASE)


def address_field(text: str) -> Range | None:
    """The content of a form's address field, up to the end of the sentence; at least two words."""
    stop = next((m for m in _field_end().finditer(text) if not _is_short(text[: m.start()])), None)
    kept = _before_field(text[: stop.start()] if stop else text).rstrip(" ,;.|-")
    if "@" in kept or "://" in kept or "www." in kept.lower() or len(_TOKEN.findall(kept)) < 2:
        return None
    return 0, len(kept)


def _before_field(text: str) -> str:
    """The text before the comma or bar that introduces the next field: ", phone 555 0143"."""
    names = word_list("field_names") | word_list("since_words")
    return next((text[: m.start()] for m in _NEXT.finditer(text) if m[1].lower() in names), text)


_NEXT = re.compile(r"[,;|]\s{0,2}([^\W\d_][\w-]*)")


def _is_short(text: str) -> bool:
    """Whether it ends with an abbreviation before a name, "Av.", "Ntra.", or is a single letter."""
    return text[text.rfind(" ") + 1 :].lower() in word_list("spanish_street_abbreviations") or len(text) == 1


@built_once
def _field_end() -> re.Pattern[str]:
    """A full stop that ends the content of a field: a door or floor may still follow it."""
    goes_on = alternatives(words_of("house_parts/spanish_doors_in_full", "house_parts/spanish"))
    return re.compile(
        rf"\.(?=\s*$|\s+(?!(?:{goes_on})\b)(?-i:[A-ZÁÉÍÓÚÄÖÅÆØ]))",
        re.IGNORECASE,
    )


def glued_street(text: str) -> Range | None:
    """A house number, a street and glued text, "12 oak streetdover"; None for other words."""
    tokens = _TOKEN.findall(text.lower())
    stops = word_list("no_street")
    if (
        not tokens
        or tokens[-1] in word_list("street_compounds")
        or any(word in stops for word in tokens[:-1])
    ):
        return None
    return 0, len(text)


def street_with_unit(text: str) -> Range | None:
    """A house number, a name and a unit, "12 san felipe suite 9"; None if an everyday word is in between."""
    words = _TOKEN.findall(text.lower())
    return None if any(word in word_list("no_street") for word in words[1:]) else (0, len(text))


def street_then_number(text: str) -> Range | None:
    """A street followed by its number, "hill street number 5", without the everyday words before it."""
    tokens = [match.span() for match in _TOKEN.finditer(text)]
    words = [text[start:end].lower() for start, end in tokens]
    last = max((i for i, word in enumerate(words) if word in word_list("street_suffixes")), default=0)
    first = max((i + 1 for i in range(last) if is_no_part(words[i])), default=0)
    return (tokens[first][0], len(text)) if first < last else None


def short_street_name(text: str) -> Range | None:
    """As ``street_name``, for a street that ends with an abbreviation ("Craig St") and no further name."""
    kept = text.rstrip(".")
    if kept[kept.rfind(" ") + 1 :].lower() not in word_list("street_suffixes"):
        return None
    return street_name(kept)


def spanish_number(text: str) -> Range | None:
    """A name and "Nº" with a number; None if the name's last word is for counted things other than houses."""
    words = [word.lower() for word in _TOKEN.findall(text)]
    named = words[:-2]
    bad = words_of("no_street", "no_spanish_street", "field_names", "spanish_numbered_things")
    return (
        None
        if not named or any(word in bad and word not in _SPANISH_NAMES for word in named)
        else (0, len(text))
    )


def without_unit(text: str) -> Range | None:
    """A street without the word for a unit at its end, if the unit's number follows."""
    return 0, len(_unit_word().sub("", text))


@built_once
def _unit_word() -> re.Pattern[str]:
    return re.compile(rf"[ ,]+(?:{alternatives(word_list('house_parts/dwellings'))})\.?$", re.IGNORECASE)


def before_postcode(text: str) -> Range | None:
    """A house number, names and a British postcode; including the part before a comma, if it names a house.

    None if an everyday word is between number and code: "there are 3 of us at SW1A 1AA".
    """
    number = next((token for token in _TOKEN.finditer(text) if token[0][0].isdigit()), None)
    if number is None:
        return None
    words = [token[0].lower() for token in _TOKEN.finditer(text, number.end())][:-2]
    if not words or any(word in word_list("no_street") and word not in JOINING_ENGLISH for word in words):
        return None
    named = list(_TOKEN.finditer(text, 0, number.start()))
    while named and _introduces(named[0][0].lower()):
        named.pop(0)
    certain = named and not any(token[0].lower() in word_list("no_street") for token in named[1:])
    return (named[0].start() if certain else number.start()), len(text)


def _introduces(word: str) -> bool:
    return word != "the" and (word in word_list("introducing_addresses") or word in word_list("no_street"))
