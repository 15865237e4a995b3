"""Write digits, letters, dates and addresses as people say them."""

from functools import cache
from typing import Any

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.inventory import document

_WORDS: dict[str, Any] = document("speech.yaml")
DIGITS: tuple[str, ...] = tuple(_WORDS["digits"].split())
TEENS: tuple[str, ...] = tuple(_WORDS["teens"].split())
TENS: tuple[str, ...] = tuple(_WORDS["tens"].split())
MONTHS: tuple[str, ...] = tuple(_WORDS["months"].split())
ORDINALS: tuple[str, ...] = tuple(_WORDS["ordinals"].split())
SPELLING_ALPHABETS: tuple[tuple[str, ...], ...] = tuple(
    tuple(words.split()) for words in _WORDS["spelling_alphabets"]
)
MISHEARD: dict[str, tuple[str, ...]] = {
    word: tuple(heard.split("|")) for word, heard in _WORDS["sounds_like_a_digit"].items()
}


@cache
def number(value: int) -> str:
    """An integer of 0 … 9999 in words.

    >>> number(412)
    'four hundred twelve'
    """
    if value < 10:
        return DIGITS[value]
    if value < 20:
        return TEENS[value - 10]
    if value < 100:
        return TENS[value // 10] + (f" {DIGITS[value % 10]}" if value % 10 else "")
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
        return "two thousand" + (f" {DIGITS[value % 10]}" if value % 10 else "")
    century, rest = divmod(value, 100)
    if rest == 0:
        return f"{number(century)} hundred"
    return f"{number(century)} {'oh ' if rest < 10 else ''}{number(rest)}"


@cache
def ordinal(value: int) -> str:
    """An ordinal of 1 … 31 in words."""
    if value <= 20:
        return ORDINALS[value - 1]
    tens = "twenty" if value < 30 else "thirty"
    return "thirtieth" if value == 30 else f"{tens} {ORDINALS[value % 10 - 1]}"


def digit(draw: Draw, value: str, slips: float) -> str:
    """A digit as a word; with probability ``slips``, the word that a recogniser mistakes it for."""
    word = DIGITS[int(value)]
    if value == "0":
        return "oh" if draw.random() < 0.5 else "zero"
    if slips and word in MISHEARD and draw.random() < slips:
        return draw.pick(MISHEARD[word])
    return word


def digits(draw: Draw, value: str, slips: float = 0.0) -> str:
    """A string of digits as words, sometimes with ``double`` and ``triple``."""
    doubling = draw.random() < 0.2
    words = []
    position = 0
    while position < len(value):
        run = 1
        if doubling:
            while run < 3 and value[position : position + run + 1] == value[position] * (run + 1):
                run += 1
        word = digit(draw, value[position], slips)
        words.append(word if run == 1 else f"{('double', 'triple')[run - 2]} {word}")
        position += run
    return " ".join(words)


def spelled(draw: Draw, text: str) -> str:
    """A word letter by letter, in one of the forms used in transcripts.

    Every form keeps the order of letters; digits and special characters are spelled along with them.
    """
    letters = [c for c in text.upper() if c.isalnum()]
    dice = draw.random()
    if dice < 0.62:
        return "-".join(letters)
    if dice < 0.78:
        return " ".join(letters)
    if dice < 0.88:
        return ". ".join(letters)
    alphabet = draw.pick(SPELLING_ALPHABETS)
    parts = []
    for letter in letters:
        if "A" <= letter <= "Z" and draw.random() < 0.45:
            parts.append(f"{letter} as in {alphabet[ord(letter) - 65]}")
        else:
            parts.append(letter)
    return " ".join(parts)


def code(draw: Draw, text: str, slips: float = 0.0) -> str:
    """The letters and digits of a code, one by one.

    >>> code(Draw(3), "B-2").split()[0]
    'B'
    """
    mark = "." if draw.random() < 0.3 else ""
    said = []
    whole_runs = draw.random() < 0.4
    run = ""
    for c in f"{text} ":
        if c.isdigit():
            run += c
            continue
        if run:
            said.append(run if whole_runs and len(run) > 1 else digits(draw, run, slips))
            run = ""
        if c.isalpha():
            said.append(c.upper() + mark)
    return " ".join(said).removesuffix(".")


def email(draw: Draw, text: str) -> str:
    """An e-mail address with its signs as words; the local part is sometimes spelled.

    >>> email(Draw(1), "jo@example.com").endswith("example dot com")
    True
    """
    local, _, host = text.partition("@")
    names = {".": " dot ", "_": " underscore ", "-": " dash "}
    if draw.random() < 0.25:
        said = "-".join(c.upper() if c.isalnum() else names[c].strip() for c in local)
        for name in ("dot", "underscore", "dash"):
            said = said.replace(f"-{name}-", f" {name} ")
    else:
        said = "".join(names.get(c, c) for c in local)
    return f"{said} at {host.replace('.', ' dot ')}"


def url(text: str) -> str:
    """A web address with its signs as words."""
    bare = text.removeprefix("https://").replace("www.", "w w w dot ")
    return bare.replace(".", " dot ").replace("/", " slash ")


def clock(hour: int, minute: int, draw: Draw) -> str:
    """A time of day in words; ``hour`` is 0 … 23."""
    twelve = number((hour - 1) % 12 + 1)
    half = "" if draw.random() < 0.5 else (" p m" if hour >= 12 else " a m")
    if minute == 0:
        return f"{twelve} o'clock" if draw.random() < 0.5 else twelve + half
    if minute == 30 and draw.random() < 0.3:
        return f"half past {twelve}"
    if minute == 15 and draw.random() < 0.4:
        return f"quarter past {twelve}"
    return f"{twelve} {number(minute)}{half}"
