"""Spoken words: numbers, dates and signs in words, and the words in which letters are spelled."""

from functools import cache

from tacenda.transforms.generating.data_folder import DataFolder

DATA = DataFolder(__package__)
_FILE = "speech.yaml"
_DIGITS, _TEENS, _TENS, _ORDINALS = (
    DATA.listed(_FILE, *keys) for keys in (("digits", "en"), ("teens",), ("tens",), ("ordinals",))
)
_SMALL = (*_DIGITS, *_TEENS)
MONTHS = DATA.listed("calendar.yaml", "en", "months")


def digit_words(lang: str) -> tuple[str, ...]:
    """The digits 0 … 9 in a language, by its ISO 639-1 code; raises ``KeyError`` if there are none."""
    return DATA.listed(_FILE, "digits", lang)


def alphabet(kind: str) -> tuple[str, ...]:
    """The words for A … Z in English: of the ``nato``, ``phone`` or ``mixed`` alphabet."""
    return DATA.listed(_FILE, f"{kind}_alphabet")


@cache
def number(value: int) -> str:
    """An integer of 0 … 9999 in English words.

    >>> number(412)
    'four hundred twelve'
    """
    if value < 20:
        return _SMALL[value]
    if value < 100:
        return _TENS[value // 10 - 2] + (f" {_SMALL[value % 10]}" if value % 10 else "")
    size, name = (100, "hundred") if value < 1000 else (1000, "thousand")
    rest = f" {number(value % size)}" if value % size else ""
    return f"{number(value // size)} {name}{rest}"


@cache
def year(value: int) -> str:
    """A year of 1900 … 2099 in words.

    >>> year(1986), year(2004), year(2024)
    ('nineteen eighty six', 'two thousand four', 'twenty twenty four')
    """
    if 2000 <= value < 2010:
        return "two thousand" + (f" {number(value % 10)}" if value % 10 else "")
    century, rest = divmod(value, 100)
    if rest == 0:
        return f"{number(century)} hundred"
    return f"{number(century)} {'oh ' if rest < 10 else ''}{number(rest)}"


def ordinal_ending(value: int) -> str:
    """The letters after an English ordinal of 1 … 31 in digits."""
    return "th" if 11 <= value <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")


@cache
def ordinal(value: int) -> str:
    """An English ordinal of 1 … 31 in words."""
    if value <= 20:
        return _ORDINALS[value - 1]
    return "thirtieth" if value == 30 else f"{_TENS[value // 10 - 2]} {_ORDINALS[value % 10 - 1]}"


def signs_in_words(text: str, lang: str = "en") -> str:
    """An address with the words of a language for its signs, each between spaces.

    >>> signs_in_words("jo.li")
    'jo dot li'
    """
    words = DATA.document(_FILE)["signs"][lang]
    return "".join([f" {words[c]} " if c in words else c for c in text])
