"""Voice: how a conversation is transcribed, and how values are written as people say them.

A manner is a way of making transcripts: edited by a person, formatted by inverse text normalisation, or raw.
Each conversation has one manner.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.generating.sample.person import Fact
from tacenda.transforms.generating.spoken_words import (
    MONTHS,
    alphabet,
    digit_words,
    number,
    ordinal,
    ordinal_ending,
    signs_in_words,
)
from tacenda.transforms.generating.spoken_words import year as year_in_words
from tacenda.transforms.generating.templates import Piece
from tacenda.transforms.text.characters import without_accents

_SLIPS: dict[str, Any] = inventory.DATA.document("slips.yaml")
_HEARD_AS: dict[str, str] = inventory.DATA.document("names.yaml")["heard_as"]
_DIGIT, _RUN = re.compile(r"\d"), re.compile(r"(\d)\1{0,2}")
_CODE_PART = re.compile(r"\d+|[^\W\d_]")
DIGITS = digit_words("en")
SPELLING_ALPHABETS = (alphabet("nato"), alphabet("phone"))
MISHEARD: dict[str, tuple[str, ...]] = {
    word: tuple(heard.split("|")) for word, heard in _SLIPS["sounds_like_a_digit"].items()
}


def digits(draw: Draw, value: str, slips: float = 0.0) -> str:
    """A string of digits as words, sometimes with ``double`` and ``triple``.

    With probability ``slips``, a word is the one that a recogniser mistakes it for.
    """
    words = []
    for run in (_RUN if draw.chance(0.2) else _DIGIT).finditer(value):
        word = DIGITS[int(run[0][0])]
        if word == "zero":
            word = "oh" if draw.chance(0.5) else word
        elif slips and word in MISHEARD and draw.chance(slips):
            word = draw.pick(MISHEARD[word])
        words.append(("", "double ", "triple ")[len(run[0]) - 1] + word)
    return " ".join(words)


def spelled(draw: Draw, text: str) -> str:
    """A word letter by letter, in one of the forms used in transcripts.

    Every form keeps the order of letters; digits and special characters are spelled along with them.
    """
    letters = [c for c in text.upper() if c.isalnum()]
    dice = draw.random()
    if dice < 0.88:
        return ("-" if dice < 0.62 else " " if dice < 0.78 else ". ").join(letters)
    words = draw.pick(SPELLING_ALPHABETS)
    return " ".join(
        f"{letter} as in {words[ord(letter) - 65]}" if "A" <= letter <= "Z" and draw.chance(0.45) else letter
        for letter in letters
    )


def code(draw: Draw, text: str, slips: float = 0.0) -> str:
    """The letters and digits of a code, one by one.

    >>> code(Draw(3), "B-2").split()[0]
    'B'
    """
    mark = "." if draw.chance(0.3) else ""
    whole_runs = draw.chance(0.4)
    said = []
    for part in _CODE_PART.findall(text):
        if part.isalpha():
            said.append(part.upper() + mark)
        else:
            said.append(part if whole_runs and len(part) > 1 else digits(draw, part, slips))
    return " ".join(said).removesuffix(".")


def email(draw: Draw, text: str) -> str:
    """An e-mail address with its signs as words; the local part is sometimes spelled.

    >>> email(Draw(1), "jo@example.com").endswith("example dot com")
    True
    """
    local, _, host = text.partition("@")
    if draw.chance(0.25):
        parts = re.split(r"([._-])", local)
        said = "".join("-".join(part.upper()) if part.isalnum() else signs_in_words(part) for part in parts)
    else:
        said = signs_in_words(local)
    return f"{said} at {signs_in_words(host)}"


def url(text: str) -> str:
    """A web address with its signs as words."""
    return signs_in_words(text.removeprefix("https://").replace("www.", "w w w dot "))


HESITATIONS: tuple[str, ...] = tuple(_SLIPS["hesitations"].split("|"))
SOUNDS_LIKE: dict[str, str] = dict(_SLIPS["sounds_like"])
_PUNCTUATION = re.compile(r"[.,!?;:]+(?=\s|$)|^[.,!?;:]+")
_BLANKS = re.compile(r"\s{2,}")
_WORD = re.compile(r"[A-Za-z]+(?=[ ,.])")
_STUTTERED = re.compile(r"(?<![\w'])(" + "|".join(_SLIPS["stuttered"].split()) + r")(?= \w)")
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


def broken_off(pieces: list[Piece], draw: Draw) -> list[Piece]:
    """Break the utterance off in its first word, and start again."""
    first = pieces[0]
    word = _WORD.match(first.text)
    if first.label or word is None or len(word.group()) < 3:
        return pieces
    heard = word.group()[: draw.between(1, len(word.group()) - 1)]
    return [Piece(f"{heard}- "), *pieces]


class Manner(NamedTuple):
    """Probabilities of changes to speech in a transcript; ``share`` is the weight of the manner."""

    name: str
    share: int
    bare: bool
    aloud: float
    folds: float
    hesitates: float
    slips: float
    miscases: float


MANNERS = (
    Manner("edited", 26, bare=False, aloud=0.03, folds=0.2, hesitates=0.02, slips=0.0, miscases=0.0),
    Manner("formatted", 40, bare=False, aloud=0.25, folds=0.7, hesitates=0.10, slips=0.03, miscases=0.06),
    Manner("raw", 20, bare=True, aloud=0.9, folds=1.0, hesitates=0.16, slips=0.06, miscases=0.0),
    Manner("raw_digits", 14, bare=True, aloud=0.25, folds=1.0, hesitates=0.12, slips=0.05, miscases=0.0),
)
_WHEEL = tuple(manner for manner in MANNERS for _ in range(manner.share))
_NATO_LENGTH = 24
PARTS = ("spelled", "head", "tail", "last4", "q1", "q2", "q3", "q4")
"""What a template can request after a colon: ``{C.last:spelled}``, ``{C.phone:head}`` …"""


class Voice:
    """Verbalises facts and utterances in the manner of one transcript."""

    __slots__ = ("bare", "draw", "folds", "manner")

    def __init__(self, draw: Draw) -> None:
        self.draw = draw
        self.manner = draw.pick(_WHEEL)
        self.bare = self.manner.bare
        self.folds = draw.random() < self.manner.folds

    def say(self, fact: Fact, part: str = "") -> Piece:
        """A value as a labelled piece of text; ``part`` is one of ``PARTS`` or empty."""
        if part == "spelled":
            text = spelled(self.draw, without_accents(fact.text))
            lower = self.bare and self.draw.chance(0.5)
        else:
            kind, text, lower = fact.kind, fact.text, self.bare
            if part:
                kind, text = "digits" if kind == "digits" else "code", _part(text, part)
            text = SAYINGS[kind](self, text)
            text = without_accents(text) if self.folds else text
        return Piece(text.lower() if lower else text, fact.label, fact.identity)

    def utter(self, said: list[Piece]) -> list[Piece]:
        """An utterance with slips of speech and recognition errors."""
        draw, manner = self.draw, self.manner
        if not manner.bare:
            said = capitalized(said)
        dice = draw.random()
        if dice < manner.hesitates:
            said = hesitating(said, draw)
        elif dice < manner.hesitates * 1.3:
            said = _changed(said, draw, _STUTTERED, lambda match: f"{match[0]} {match[0]}")
        elif dice < manner.hesitates * 1.4:
            said = broken_off(said, draw)
        if manner.slips and draw.random() < manner.slips:
            said = _changed(said, draw, _CONFUSABLE, lambda match: SOUNDS_LIKE[match[0]])
        # Values have theirs already.
        return [one if one.label else Piece(bare(one.text)) for one in said] if manner.bare else said

    def aloud(self) -> bool:
        """Whether a value is in words, as this manner has them now and then."""
        return self.draw.chance(self.manner.aloud)


def _part(text: str, part: str) -> str:
    """A part of a number: its last four characters, a quarter, or what precedes or follows its middle.

    The middle of a ten-digit telephone number is after its area code.
    """
    characters = [c for c in text if c.isalnum()]
    if part == "last4":
        return "".join(characters[-4:])
    if part[0] == "q":
        quarter = (len(characters) + 3) // 4
        start = quarter * (int(part[1]) - 1)
        return "".join(characters[start : start + quarter])
    middle = (len(characters) + 1) // 2 if len(characters) != 10 else 3
    return "".join(characters[:middle] if part == "head" else characters[middle:])


def _words(voice: Voice, text: str) -> str:
    miscased = voice.manner.miscases and voice.draw.chance(voice.manner.miscases)
    return text.lower() if miscased else text


def _name(voice: Voice, text: str) -> str:
    if voice.manner.slips and voice.draw.chance(2 * voice.manner.slips):
        text = _HEARD_AS.get(text, text)
    return _words(voice, text)


def _digits(voice: Voice, text: str) -> str:
    draw, slips = voice.draw, voice.manner.slips * 2
    plain = "".join([c for c in text if c.isdigit()])
    if voice.aloud():
        if not draw.chance(0.25):
            return digits(draw, plain, slips)
        # One group in digits, the rest in words.
        cut = draw.between(1, len(plain) - 1)
        head, tail = plain[:cut], plain[cut:]
        if draw.chance(0.5):
            return f"{head} {digits(draw, tail, slips)}"
        return f"{digits(draw, head, slips)} {tail}"
    dice = draw.random()
    ten = len(plain) == 10 and not voice.bare
    if dice < 0.55:
        return text.replace("-", " ") if voice.bare else text
    if dice < 0.75:
        return plain
    if dice < 0.85 and ten and text[0] != "+":
        return f"({plain[:3]}) {plain[3:6]}-{plain[6:]}"
    if dice < 0.95 and len(plain) > 5:
        size = draw.pick((2, 3, 4))
        return " ".join(plain[i : i + size] for i in range(0, len(plain), size))
    return text.replace("-", "." if ten else " ")


def _code(voice: Voice, text: str) -> str:
    draw = voice.draw
    if voice.aloud():
        if len(text) < _NATO_LENGTH and draw.chance(0.2):
            return spelled(draw, text)
        return code(draw, text, voice.manner.slips * 2)
    return text.replace("-", " ") if voice.bare or draw.chance(0.12) else text


def _email(voice: Voice, text: str) -> str:
    if voice.bare or voice.aloud():
        return email(voice.draw, text)
    dice = voice.draw.random()
    if dice < 0.08:
        return text.replace("@", voice.draw.pick((" at ", " @ ", "@ ")))
    return text.capitalize() if dice < 0.12 else text


def _network(voice: Voice, text: str) -> str:
    if voice.bare and voice.aloud() and ":" not in text:
        return text.replace(", ", " ").replace(".", " dot ").replace("-", "minus ")
    return text


def _handle(voice: Voice, text: str) -> str:
    if voice.draw.chance(0.12):
        return spelled(voice.draw, text)
    return text.replace("_", " underscore ").replace(".", " dot ") if voice.bare else text


def _street(voice: Voice, text: str) -> str:
    if voice.bare:
        text = text.replace(",", "").replace("#", "number ")
    if not voice.aloud():
        return text
    house, _, rest = text.partition(" ")
    value = int(house)
    spoken = digits(voice.draw, house, voice.manner.slips)
    if value >= 100 and value % 100 >= 10 and voice.draw.chance(0.6):
        spoken = f"{number(value // 100)} {number(value % 100)}"
    return f"{spoken} {rest}"


def _date(voice: Voice, text: str) -> str:
    draw = voice.draw
    *years, month, day = map(int, text.split("-"))
    name = MONTHS[month - 1]
    if voice.aloud():
        spoken = draw.pick((f"{name} {ordinal(day)}", f"the {ordinal(day)} of {name}"))
        return " ".join([spoken, *map(year_in_words, years)])
    dice = draw.random()
    if dice < 0.22:
        mark = draw.pick(("/", "/", "-")) if years else "/"
        shown = [f"{month:02d}", f"{day:02d}", str(*years)] if years else [str(month), str(day)]
        return (" " if voice.bare else mark).join(shown)
    of_year = "".join(f" {year}" for year in years)
    if dice < 0.32:
        return f"{day} {name}{of_year}"
    if dice < 0.45:
        return f"the {day}{ordinal_ending(day)} of {name}{of_year}"
    comma = "," if years and not voice.bare else ""
    return f"{name} {day}{ordinal_ending(day) if dice < 0.8 else ''}{comma}{of_year}"


def _time(voice: Voice, text: str) -> str:
    draw, hour, minute = voice.draw, int(text[:2]), int(text[3:])
    twelve = (hour - 1) % 12 + 1
    half = "PM" if hour >= 12 else "AM"
    if voice.aloud():
        said = number(twelve)
        spaced = "" if draw.chance(0.5) else f" {half[0]} m".lower()
        if minute == 0:
            return f"{said} o'clock" if draw.chance(0.5) else said + spaced
        if minute == 30 and draw.chance(0.3):
            return f"half past {said}"
        if minute == 15 and draw.chance(0.4):
            return f"quarter past {said}"
        return f"{said} {number(minute)}{spaced}"
    dice = draw.random()
    if dice < 0.15:
        return text if minute or hour > 12 else f"{twelve}:00"
    if dice < 0.45:
        return f"{twelve}:{minute:02d}" if minute else f"{twelve} o'clock"
    if voice.bare:
        half = f"{half[0]} {half[1]}"
    elif dice < 0.65:
        half = half.lower()
    elif dice < 0.8:
        half = f"{half[0].lower()}.{half[1].lower()}."
    return f"{twelve}:{minute:02d} {half}" if minute else f"{twelve} {half}"


def _age(voice: Voice, text: str) -> str:
    years = number(int(text)) if voice.aloud() else text
    return f"{years} years old" if voice.draw.chance(0.45) else years


def _money(voice: Voice, text: str) -> str:
    dollars, _, cents = text.partition(".")
    if not voice.bare:
        return f"${int(dollars):,}{'.' if cents else ''}{cents}"
    if voice.aloud():
        said = f"{number(int(dollars))} dollars"
        return f"{said} and {number(int(cents))} cents" if cents else said
    return f"{dollars} {cents} dollars" if cents else f"{dollars} dollars"


SAYINGS: dict[str, Callable[[Voice, str], str]] = {
    "words": _words,
    "first": _name,
    "last": _name,
    "full": lambda voice, text: " ".join(_name(voice, part) for part in text.split(" ", 1)),
    "digits": _digits,
    "code": _code,
    "email": _email,
    "url": lambda voice, text: url(text) if voice.bare or voice.aloud() else text,
    "network": _network,
    "handle": _handle,
    "street": _street,
    "date": _date,
    "time": _time,
    "age": _age,
    "money": _money,
    "count": lambda voice, text: number(int(text)) if voice.aloud() or int(text) < 10 else text,
}
"""How each kind of fact is said."""
