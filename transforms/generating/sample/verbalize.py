"""Write digits, letters, dates and addresses as people say them."""

import re

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample.inventory import DATA
from tacenda.transforms.generating.spoken_words import alphabet, digit_words, number, signs_in_words

_SIGNS = re.compile(r"([._-])")
DIGITS = digit_words("en")
SPELLING_ALPHABETS = (alphabet("nato"), alphabet("phone"))
MISHEARD: dict[str, tuple[str, ...]] = {
    word: tuple(heard.split("|"))
    for word, heard in DATA.document("slips.yaml")["sounds_like_a_digit"].items()
}


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
    if draw.random() < 0.25:
        parts = _SIGNS.split(local)
        said = "".join("-".join(part.upper()) if part.isalnum() else signs_in_words(part) for part in parts)
    else:
        said = signs_in_words(local)
    return f"{said} at {signs_in_words(host)}"


def url(text: str) -> str:
    """A web address with its signs as words."""
    bare = text.removeprefix("https://").replace("www.", "w w w dot ")
    return signs_in_words(bare)


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
