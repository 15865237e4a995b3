"""Add the noise of typing, telephones and speech recognition to text, keeping spans aligned with values."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import Piece
from tacenda.transforms.generating.spoken_words import alphabet, digit_words, number, ordinal, signs_in_words
from tacenda.transforms.generating.training import lists

_FILE = "noise.yaml"
_SENTENCE_SIGNS = re.compile(r"[.,!?;:]+(?=\s|$)")
_ALL_SIGNS = re.compile(r"[^\w\s]|_")
_WORD = re.compile(r"[^\W\d_]{4,}")
_ANY_WORD = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
_AFTER_SIGN = re.compile(r"(?<=[.,!?;:]) (?=\S)")
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
    """Kinds of noise; rates are probabilities per word or per value."""

    lower: bool = False
    upper: bool = False
    titled: bool = False
    """Capitalise every word, as in a headline."""
    tokenised: bool = False
    """Put spaces around punctuation, as in a tokenised corpus."""
    unpunctuated: bool = False
    """Drop punctuation at the ends of words."""
    bare: bool = False
    """Drop all punctuation, even inside addresses and numbers."""
    read_out: float = 0.0
    """Write digits as words, and ``dot`` and ``at`` in addresses."""
    spelled: float = 0.0
    """Spell names letter by letter."""
    spaced: float = 0.0
    """Put spaces between letters and digits of codes."""
    typos: float = 0.0
    misheard: float = 0.0
    """Replace everyday words by homophones, or split them."""
    tight: float = 0.0
    """Drop spaces after punctuation."""
    glued: float = 0.0
    """Replace the separator before a value by a colon, a slash or nothing."""
    trailing: float = 0.0


def drawn(draw: Draw, kind: str) -> Noise:
    """The noise of a text of some kind (``clean``, ``social``, ``spoken``, ``command``, ``dialogue``)."""
    forms = lists.document(_FILE)["kinds"][kind]
    chance = draw.below(sum(form["share"] for form in forms))
    for form in forms:
        chance -= form["share"]
        if chance < 0:
            break
    return Noise(
        **{
            name: draw.pick(rate) if isinstance(rate, list) else rate
            for name, rate in form.items()
            if name != "share"
        }
    )


@lru_cache(maxsize=1)
def _homophones() -> dict[str, str]:
    pairs = (pair.split(":", 1) for pair in lists.listed(_FILE, "homophones"))
    return {pair[0]: pair[1] for pair in pairs}


def _aloud(draw: Draw, digits: str, lang: str) -> str:
    """Digits as words: one by one, ``double five``, or in English also in pairs."""
    names = digit_words(lang)
    if lang == "en":
        value = int(digits)
        if len(digits) == 2 and value >= 10 and draw.chance(0.7):
            said = number(value)
            return said.replace(" ", draw.pick((" ", "-", " "))) if " " in said else said
        if len(digits) == 4 and draw.chance(0.3) and digits[0] != "0" and digits[2] != "0":
            return f"{_aloud(draw, digits[:2], lang)} {_aloud(draw, digits[2:], lang)}"
    zero = "oh" if lang == "en" and draw.chance(0.4) else names[0]
    spoken = [zero if d == "0" else names[int(d)] for d in digits]
    if lang == "en" and draw.chance(0.25):
        for i in range(len(spoken) - 1):
            if spoken[i] and spoken[i] == spoken[i + 1]:
                spoken[i], spoken[i + 1] = f"double {spoken[i]}", ""
                break
    return " ".join(word for word in spoken if word)


def _number_aloud(draw: Draw, text: str, lang: str) -> str:
    runs = _DIGIT_RUN.sub(lambda match: f" {_aloud(draw, match.group(), lang)} ", text)
    return _SPACES.sub(" ", re.sub(r" ?[-().+#/]+ ?", " ", runs)).strip()


def _date_aloud(draw: Draw, text: str) -> str:
    """An English date or time of day, as spoken."""

    def said(match: re.Match[str]) -> str:
        digits = match[1]
        if len(digits) > 2:
            return f"{said_of(digits[:2])} {'hundred' if digits[2:] == '00' else said_of(digits[2:])}"
        return ordinal(int(digits)) if match[2] else said_of(digits)

    def said_of(pair: str) -> str:
        return number(int(pair)) if len(pair) == 2 and pair[0] != "0" else _aloud(draw, pair, "en")

    text = re.sub(r":00\b", "", text)
    return _SPACES.sub(" ", re.sub(r"[-:.,/]+", " ", _DAY.sub(said, text))).strip()


def _address_aloud(draw: Draw, text: str, lang: str) -> str:
    spoken = signs_in_words(re.sub(r"^https?://", "", text), lang)
    if draw.chance(0.5):
        spoken = _DIGIT_RUN.sub(lambda match: f" {_aloud(draw, match.group(), lang)} ", spoken)
    return _SPACES.sub(" ", spoken).strip()


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
    at = draw.below(len(word) - 1)
    kind = draw.below(4)
    if kind == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if kind == 1:
        return word[:at] + word[at + 1 :]
    if kind == 2:
        return word[: at + 1] + word[at:]
    return word[: at + 1] + draw.letters(1).lower() + word[at + 2 :]


def _misheard(draw: Draw, word: str) -> str:
    other = _homophones().get(word)
    if other is not None:
        return other
    if len(word) > 7 and draw.chance(0.3):
        at = draw.between(3, len(word) - 3)
        return f"{word[:at]} {word[at:]}"
    return word


def _by_chance(
    draw: Draw, pattern: re.Pattern[str], rate: float, change: Callable[[str], str], text: str
) -> str:
    return pattern.sub(lambda match: change(match.group()) if draw.chance(rate) else match.group(), text)


def _valued(draw: Draw, text: str, label: str, noise: Noise, lang: str) -> str:
    """Apply the noise that concerns values: read out, spelled, spaced."""
    if noise.read_out and draw.chance(noise.read_out):
        if label in _ADDRESSES:
            return _address_aloud(draw, text, lang)
        if lang == "en" and (label == "TIME" or (label in _DATES and _MONTH.search(text))):
            return _date_aloud(draw, text)
        if label in _READ_OUT and any(c.isdigit() for c in text):
            return _number_aloud(draw, text, lang) if label else _number_words(draw, text, lang)
    if noise.spelled and label in _SPELLED and draw.chance(noise.spelled):
        return _letter_by_letter(draw, text, lang)
    if (
        noise.spaced
        and label in ("GENERIC_ID", "ZIP_CODE", "PASSWORD", "DATE", "TIME")
        and draw.chance(noise.spaced)
    ):
        return re.sub(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])", " ", text)
    return text


def _number_words(draw: Draw, text: str, lang: str) -> str:
    return _DIGIT_RUN.sub(lambda match: _aloud(draw, match.group(), lang), _DECIMAL.sub(" ", text))


def noisy(pieces: Sequence[Piece], noise: Noise, draw: Draw, lang: str = "en") -> list[Piece]:
    """Apply noise to each piece; pieces keep their order and labels."""
    out: list[Piece] = []
    for text, label, identity in pieces:
        text = _valued(draw, text, label, noise, lang)
        if noise.misheard and not label and lang == "en":
            text = _by_chance(draw, _ANY_WORD, noise.misheard, lambda w: _misheard(draw, w), text)
        if noise.typos and label not in _ADDRESSES:
            text = _by_chance(draw, _WORD, noise.typos, lambda w: _mistyped(draw, w), text)
        if noise.bare:
            text = _SPACES.sub(" ", _ALL_SIGNS.sub(lambda m: " " if m.group() == "/" else "", text))
        elif noise.unpunctuated:
            text = _SENTENCE_SIGNS.sub("", text)
        elif noise.tight and not label:
            text = _by_chance(draw, _AFTER_SIGN, noise.tight, lambda w: "", text)
        if noise.glued and label and out and draw.chance(noise.glued):
            before = out[-1].text
            if not out[-1].label and before.endswith(" "):
                out[-1] = Piece(before.rstrip(" :,") + draw.pick((":", ": ", "=", "/", ":", " - ", "")))
        if noise.tokenised and label not in _ADDRESSES:
            apart = _COMMA.sub(r" \1 ", text) if label else _TOKEN_SIGN.sub(r" \1\2 ", text)
            text = _CLITIC.sub(r" \1", apart)
            text = _SPACES.sub(" ", text)
        if noise.titled:
            text = _ANY_WORD.sub(lambda m: m.group()[0].upper() + m.group()[1:], text)
        if noise.lower:
            text = text.lower()
        elif noise.upper:
            text = text.upper()
        out.append(Piece(text, label, identity))
    if noise.trailing and lang == "en" and draw.chance(noise.trailing):
        out.append(Piece(" " + draw.pick(lists.listed(_FILE, "fillers"))))
    return out
