"""Write digits, letters, dates and addresses as people say them."""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece
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


_WORDS: dict[str, Any] = DATA.document("slips.yaml")
HESITATIONS: tuple[str, ...] = tuple(_WORDS["hesitations"].split("|"))
SOUNDS_LIKE: dict[str, str] = dict(_WORDS["sounds_like"])
_PUNCTUATION = re.compile(r"[.,!?;:]+(?=\s|$)|^[.,!?;:]+")
_BLANKS = re.compile(r"\s{2,}")
_WORD = re.compile(r"[A-Za-z]+(?=[ ,.])")
_STUTTERED = re.compile(r"(?<![\w'])(" + "|".join(_WORDS["stuttered"].split()) + r")(?= \w)")
_CONFUSABLE = re.compile(r"\b(" + "|".join(SOUNDS_LIKE) + r")\b")
_KEEPS_CAPITAL = re.compile(r"I\b|[A-Z]{2}")


def without_doubled_stops(pieces: Iterable[Piece]) -> list[Piece]:
    """A full stop goes behind a piece that ends with one: "at 3 p.m." ends the sentence, too."""
    kept: list[Piece] = []
    for piece in pieces:
        doubled = not piece.label and piece.text.startswith(".") and kept and kept[-1].text.endswith(".")
        kept.append(Piece(piece.text[1:]) if doubled else piece)
    return kept


@cache
def bare(text: str) -> str:
    """Lower case without punctuation, as from a recogniser without a formatter; keeps spaces at both ends.

    >>> bare("Hi, thanks! My name is ")
    'hi thanks my name is '
    """
    return _BLANKS.sub(" ", _PUNCTUATION.sub("", text).replace("(", "").replace(")", "")).lower()


def _changed(
    pieces: list[Piece], draw: Draw, pattern: re.Pattern[str], change: Callable[[re.Match[str]], str]
) -> list[Piece]:
    """The pieces with one match of a pattern changed, in one of the unlabelled pieces that have one."""
    candidates = [i for i, piece in enumerate(pieces) if not piece.label and pattern.search(piece.text)]
    if not candidates:
        return pieces
    index = draw.pick(candidates)
    match = draw.pick(list(pattern.finditer(pieces[index].text)))
    text = pieces[index].text
    changed = list(pieces)
    changed[index] = Piece(f"{text[: match.start()]}{change(match)}{text[match.end() :]}")
    return changed


def without_punctuation(pieces: list[Piece]) -> list[Piece]:
    """All unlabelled text in lower case without punctuation; the voice handles values."""
    return [piece if piece.label else Piece(bare(piece.text)) for piece in pieces]


def capitalized(pieces: list[Piece]) -> list[Piece]:
    """A capital at the start of the utterance, unless it starts with a value."""
    text = pieces[0].text
    if pieces[0].label or not text or not text[0].islower():
        return pieces
    return [Piece(text[0].upper() + text[1:]), *pieces[1:]]


def hesitating(pieces: list[Piece], draw: Draw) -> list[Piece]:
    """A filler before the utterance."""
    first = pieces[0]
    text = first.text
    if not first.label and text and not _KEEPS_CAPITAL.match(text):
        first = Piece(text[0].lower() + text[1:])
    return [Piece(draw.pick(HESITATIONS)), first, *pieces[1:]]


def stuttering(pieces: list[Piece], draw: Draw) -> list[Piece]:
    """Repeat one short word."""
    return _changed(pieces, draw, _STUTTERED, lambda match: f"{match.group()} {match.group()}")


def misheard(pieces: list[Piece], draw: Draw) -> list[Piece]:
    """Replace one word by another that sounds alike."""
    return _changed(pieces, draw, _CONFUSABLE, lambda match: SOUNDS_LIKE[match.group()])


def broken_off(pieces: list[Piece], draw: Draw) -> list[Piece]:
    """Break the utterance off in its first word, and start again."""
    first = pieces[0]
    word = _WORD.match(first.text)
    if first.label or word is None or len(word.group()) < 3:
        return pieces
    heard = word.group()[: draw.between(1, len(word.group()) - 1)]
    return [Piece(f"{heard}- "), *pieces]
