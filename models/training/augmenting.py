"""Augment training text with other names, digits, case and punctuation.

A network that sees the same few hundred names memorises them; one that sees each sentence with names of many
origins, other digits and without capitals learns the context.
"""

import random
from functools import lru_cache
from itertools import pairwise
from typing import Any

from tacenda.transforms.gazetteers.word_list import NAMES, PLACES, rows
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.templates import Piece, assemble
from tacenda.transforms.generating.training.noise import Noise, noisy

Turn = dict[str, Any]

_DIGITS_VARY = frozenset(
    (
        "PHONE_NUMBER", "US_SOCIAL_SECURITY_NUMBER", "FINANCIAL_ACCOUNT_NUMBER", "CREDIT_CARD_NUMBER",
        "ZIP_CODE", "GENERIC_ID", "MEDICAL_RECORD_NUMBER", "STREET_ADDRESS",
    )
)  # fmt: skip
_INFLECTING = frozenset(("fi",))


@lru_cache(maxsize=1)
def _names() -> tuple[list[str], list[str], list[str]]:
    """Given names, family names and places from the shipped lists."""
    given, family = [], []
    for word, levels in rows(NAMES):
        if levels[0] != "0":
            given.append(word)
        if levels[1] != "0":
            family.append(word)
    return given, family, [place for place, _ in rows(PLACES) if place.count(" ") < 3]


def augmented(record: dict[str, Any], rng: random.Random) -> list[Turn]:
    """Augment the turns of a gold conversation, moving spans along with their values.

    Half of the conversations get other names of people (fewer in languages that inflect them), a quarter
    other places, half other digits; a third lose their capitals, and some of these their punctuation. Turns
    with overlapping spans, which cannot be replaced independently, stay as they are.
    """
    inflecting = record.get("lang") in _INFLECTING
    varied = set[str]()
    if rng.random() < (0.1 if inflecting else 0.5):
        varied.add("PERSON_NAME")
    if rng.random() < (0.05 if inflecting else 0.25):
        varied.add("LOCATION")
    if rng.random() < 0.5:
        varied |= _DIGITS_VARY
    case = rng.random()
    noise = Noise(lower=case < 0.3, bare=case < 0.12, upper=0.3 <= case < 0.33)
    renamed: dict[str, str] = {}
    return [_varied(turn, rng, renamed, varied, noise) for turn in record["turns"]]


def _varied(turn: Turn, rng: random.Random, renamed: dict[str, str], varied: set[str], noise: Noise) -> Turn:
    spans = sorted(turn["spans"], key=lambda span: span["start"])
    if any(one["end"] > other["start"] for one, other in pairwise(spans)):
        return {"text": turn["text"], "spans": turn["spans"]}
    pieces: list[Piece] = []
    at = 0
    for number, span in enumerate(spans):
        value, label = turn["text"][span["start"] : span["end"]], span["label"]
        new = value
        if label in varied and label in _DIGITS_VARY:
            new = "".join(str(rng.randrange(10)) if c.isdigit() else c for c in value)
        elif label in varied:
            if value.lower() not in renamed:
                renamed[value.lower()] = _name(value, label, rng)
            new = _cased_as(value, renamed[value.lower()])
        pieces += Piece(turn["text"][at : span["start"]]), Piece(new, label, str(number))
        at = span["end"]
    pieces.append(Piece(turn["text"][at:]))
    text, moved, numbers = assemble(noisy(pieces, noise, Draw()))
    return {
        "text": text,
        "spans": [{**spans[int(one)], **place} for one, place in zip(numbers, moved, strict=True)],
    }


def _name(value: str, label: str, rng: random.Random) -> str:
    given, family, places = _names()
    if label == "LOCATION":
        return rng.choice(places)
    count = min(len(value.split()), 4)
    if count == 1:
        return rng.choice(given if rng.random() < 0.6 else family)
    return " ".join([rng.choice(given), *(rng.choice(family) for _ in range(count - 1))])


def _cased_as(value: str, new: str) -> str:
    if value.islower():
        return new
    return new.upper() if value.isupper() and len(value) > 3 else new.title()
