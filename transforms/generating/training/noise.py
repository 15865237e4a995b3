"""Add the noise of typing, telephones and speech recognition to text, keeping spans aligned with values."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.spoken_words import alphabet, digit_words, number, ordinal, signs_in_words
from tacenda.transforms.generating.templates import Piece
from tacenda.transforms.generating.training.grammar import DATA

_FILE = "noise.yaml"
_SENTENCE_SIGNS = re.compile(r"[.,!?;:]+(?=\s|$)")
_ALL_SIGNS = re.compile(r"[^\w\s]|_")
_WORD = re.compile(r"[^\W\d_]{4,}")
_ANY_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
_TITLES = "".join(f"(?<!{title})" for title in ("Dr", "Mr", "Ms", "Mrs", "Sr", "Sra", "St", "nr", "kl", "no"))
_TOKEN_SIGN = re.compile(_TITLES + r" ?([.,!?;:()\"“”]+)(?=\s|$)|([(\"“”])")
_COMMA = re.compile(r" ?([,“”])")
_CLITIC = re.compile(r"(?<=\w)('s|n't|'re|'m|'ve|'ll|'d)\b")
_DECIMAL = re.compile(r"(?<=\d)[.,](?=\d)")
_DIGIT_RUN = re.compile(r"\d+")
_DAY = re.compile(r"(\d+)(st|nd|rd|th)?\b")
_MONTH = re.compile(r"[^\W\d_]{3}")
_SPACES = re.compile(r"  +")
_SPELLED = {"PERSON_NAME", "USER_NAME"}
_READ_OUT = {
    "PHONE_NUMBER", "US_SOCIAL_SECURITY_NUMBER", "CREDIT_CARD_NUMBER", "FINANCIAL_ACCOUNT_NUMBER", "ZIP_CODE",
    "GENERIC_ID", "MEDICAL_RECORD_NUMBER", "US_DRIVERS_LICENSE_NUMBER", "PASSWORD", "AGE", "STREET_ADDRESS", "",
    "VEHICLE_IDENTIFICATION_NUMBER", "IBAN_CODE",
}  # fmt: skip
_ADDRESSES = {"EMAIL_ADDRESS", "URL"}
_DATES = {"DATE", "DATE_OF_BIRTH"}


@dataclass(frozen=True)
class Noise:
    """Kinds of noise; rates are probabilities per word or per value.

    ``lower``, ``upper``: the case of all words. ``tokenised``: spaces around punctuation, as in a tokenised
    corpus. ``unpunctuated``: no punctuation at the ends of words; ``bare``: none at all, even inside addresses
    and numbers. ``read_out``: digits as words, and ``dot`` and ``at`` in addresses. ``spelled``: names letter
    by letter. ``misheard``: homophones of everyday words, or words in two. ``glued``: a colon, a slash or
    nothing before a value.
    """

    lower: bool = False
    upper: bool = False
    tokenised: bool = False
    unpunctuated: bool = False
    bare: bool = False
    read_out: float = 0.0
    spelled: float = 0.0
    typos: float = 0.0
    misheard: float = 0.0
    glued: float = 0.0


def drawn(draw: Draw, kind: str) -> Noise:
    """The noise of a text of some kind (``clean``, ``social``, ``spoken``, ``command``, ``dialogue``)."""
    forms = DATA.document(_FILE)["kinds"][kind]
    rates = dict(draw.pick([form for form in forms for _ in range(form["share"])]))
    del rates["share"]
    return Noise(
        **{name: draw.pick(rate) if isinstance(rate, list) else rate for name, rate in rates.items()}
    )


@cache
def _homophones() -> dict[str, str]:
    return dict(pair.split(":", 1) for pair in DATA.listed(_FILE, "homophones"))


def _aloud(draw: Draw, digits: str, lang: str) -> str:
    """Digits as words: one by one, ``double five``, or in English also in pairs."""
    names = digit_words(lang)
    if lang == "en":
        if len(digits) == 2 and digits[0] != "0" and draw.chance(0.7):
            return number(int(digits)).replace(" ", draw.pick((" ", "-", " ")))
        if len(digits) == 4 and draw.chance(0.3) and digits[0] != "0" and digits[2] != "0":
            return f"{_aloud(draw, digits[:2], lang)} {_aloud(draw, digits[2:], lang)}"
    zero = "oh" if lang == "en" and draw.chance(0.4) else names[0]
    spoken = [zero if d == "0" else names[int(d)] for d in digits]
    if lang == "en" and draw.chance(0.25):
        for i in range(len(spoken) - 1):
            if spoken[i] == spoken[i + 1]:
                spoken[i : i + 2] = [f"double {spoken[i]}"]
                break
    return " ".join(spoken)


def _digits_aloud(draw: Draw, text: str, lang: str, around: str = " ") -> str:
    return _DIGIT_RUN.sub(lambda match: f"{around}{_aloud(draw, match.group(), lang)}{around}", text)


def _tidy(text: str) -> str:
    return _SPACES.sub(" ", text).strip()


def _date_aloud(draw: Draw, text: str) -> str:
    """An English date or time of day, as spoken."""

    def pair(digits: str) -> str:
        return number(int(digits)) if len(digits) == 2 and digits[0] != "0" else _aloud(draw, digits, "en")

    def said(match: re.Match[str]) -> str:
        digits = match[1]
        if len(digits) > 2:
            return f"{pair(digits[:2])} {'hundred' if digits[2:] == '00' else pair(digits[2:])}"
        return ordinal(int(digits)) if match[2] else pair(digits)

    text = re.sub(r":00\b", "", text)
    return _tidy(re.sub(r"[-:.,/]+", " ", _DAY.sub(said, text)))


def _read_out(draw: Draw, text: str, label: str, lang: str) -> str | None:
    """A value as it is read out; None if such values are not."""
    if label in _ADDRESSES:
        spoken = signs_in_words(re.sub(r"^https?://", "", text), lang)
        return _tidy(_digits_aloud(draw, spoken, lang) if draw.chance(0.5) else spoken)
    if lang == "en" and (label == "TIME" or (label in _DATES and _MONTH.search(text))):
        return _date_aloud(draw, text)
    if label not in _READ_OUT or not any(c.isdigit() for c in text):
        return None
    if not label:
        return _digits_aloud(draw, _DECIMAL.sub(" ", text), lang, around="")
    return _tidy(re.sub(r" ?[-().+#/]+ ?", " ", _digits_aloud(draw, text, lang)))


def _letter_by_letter(draw: Draw, text: str, lang: str) -> str:
    word = text.split(" ")[-1]
    if len(word) > 14 or not word.isalpha():
        return text
    letters = list(word.upper() if draw.chance(0.5) else word.lower())
    style = draw.random()
    if style < 0.35:
        spelled = "-".join(letters)
    elif style < 0.8:
        spelled = " ".join(letters)
    elif lang == "en":
        words = alphabet("mixed")
        said = [f"{c} as in {words[ord(c.lower()) - 97]}" if c.isascii() else c for c in letters[:8]]
        spelled = ", ".join(said)
    else:
        spelled = ", ".join(letters)
    return f"{text} {spelled}" if draw.chance(0.5) else spelled


def _mistyped(draw: Draw, word: str) -> str:
    """A word with two letters swapped, or one dropped, doubled or wrong."""
    at = draw.below(len(word) - 1)
    middle = draw.pick((word[at + 1] + word[at], word[at + 1], word[at] * 2 + word[at + 1], None))
    return word[:at] + (middle or word[at] + draw.letters(1).lower()) + word[at + 2 :]


def _misheard(draw: Draw, word: str) -> str:
    other = _homophones().get(word)
    if other is None and len(word) > 7 and draw.chance(0.3):
        at = draw.between(3, len(word) - 3)
        return f"{word[:at]} {word[at:]}"
    return other or word


def _by_chance(
    draw: Draw, pattern: re.Pattern[str], rate: float, change: Callable[[Draw, str], str], text: str
) -> str:
    return pattern.sub(
        lambda match: change(draw, match.group()) if draw.chance(rate) else match.group(), text
    )


def noisy(pieces: Sequence[Piece], noise: Noise, draw: Draw, lang: str = "en") -> list[Piece]:
    """Apply noise to each piece; pieces keep their order and labels."""
    out: list[Piece] = []
    for text, label, identity in pieces:
        is_read_out = noise.read_out and draw.chance(noise.read_out)
        if is_read_out and (spoken := _read_out(draw, text, label, lang)) is not None:
            text = spoken
        elif noise.spelled and label in _SPELLED and draw.chance(noise.spelled):
            text = _letter_by_letter(draw, text, lang)
        if noise.misheard and not label and lang == "en":
            text = _by_chance(draw, _ANY_WORD, noise.misheard, _misheard, text)
        if noise.typos and label not in _ADDRESSES:
            text = _by_chance(draw, _WORD, noise.typos, _mistyped, text)
        if noise.bare:
            text = _SPACES.sub(" ", _ALL_SIGNS.sub(lambda m: " " if m.group() == "/" else "", text))
        elif noise.unpunctuated:
            text = _SENTENCE_SIGNS.sub("", text)
        if noise.glued and label and out and draw.chance(noise.glued):
            before = out[-1].text
            if not out[-1].label and before.endswith(" "):
                out[-1] = Piece(before.rstrip(" :,") + draw.pick((":", ": ", "=", "/", ":", " - ", "")))
        if noise.tokenised and label not in _ADDRESSES:
            apart = _COMMA.sub(r" \1 ", text) if label else _TOKEN_SIGN.sub(r" \1\2 ", text)
            text = _SPACES.sub(" ", _CLITIC.sub(r" \1", apart))
        text = text.lower() if noise.lower else text.upper() if noise.upper else text
        out.append(Piece(text, label, identity))
    return out
