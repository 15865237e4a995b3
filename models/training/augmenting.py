"""Augment training text with other names, digits, case and punctuation.

A network that sees the same few hundred names memorises them; one that sees each sentence with names of many
origins, other digits and without capitals learns the context.
"""

import random
from functools import lru_cache
from itertools import accumulate, compress, pairwise
from typing import Any

from tacenda.transforms.gazetteers.word_list import NAMES, PLACES, rows

Turn = dict[str, Any]

_PUNCTUATION = frozenset(".,!?;:'\"()-/")
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
    other places, half other digits; a third lose their capitals, and some of these their punctuation.
    """
    turns = [{"text": t["text"], "spans": t["spans"]} for t in record["turns"]]
    inflecting = record.get("lang") in _INFLECTING
    people = rng.random() < (0.1 if inflecting else 0.5)
    places = rng.random() < (0.05 if inflecting else 0.25)
    digits = rng.random() < 0.5
    if people or places or digits:
        renamed: dict[str, str] = {}
        turns = [_replaced(t, rng, renamed, people, places, digits) for t in turns]
    case = rng.random()
    if case < 0.3:
        turns = [_mapped(t, t["text"].lower()) for t in turns]
        if case < 0.12:
            turns = [_without_punctuation(t) for t in turns]
    elif case < 0.33:
        turns = [_mapped(t, t["text"].upper()) for t in turns]
    return turns


def _replaced(
    turn: Turn, rng: random.Random, renamed: dict[str, str], people: bool, places: bool, digits: bool
) -> Turn:
    spans = sorted(turn["spans"], key=lambda span: span["start"])
    if any(one["end"] > other["start"] for one, other in pairwise(spans)):
        # Overlapping spans cannot be replaced independently.
        return turn
    text, moved, at = "", [], 0
    for span in spans:
        value, label = turn["text"][span["start"] : span["end"]], span["label"]
        new = value
        if (people and label == "PERSON_NAME") or (places and label == "LOCATION"):
            if value.lower() not in renamed:
                renamed[value.lower()] = _name(value, label, rng)
            new = _cased_as(value, renamed[value.lower()])
        elif digits and label in _DIGITS_VARY:
            new = "".join(str(rng.randrange(10)) if c.isdigit() else c for c in value)
        text += turn["text"][at : span["start"]]
        moved.append({**span, "start": len(text), "end": len(text) + len(new)})
        text += new
        at = span["end"]
    return {"text": text + turn["text"][at:], "spans": moved}


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


def _mapped(turn: Turn, text: str) -> Turn:
    """Replace the text if the new one has the same length; otherwise keep the turn."""
    return {"text": text, "spans": turn["spans"]} if len(text) == len(turn["text"]) else turn


def _without_punctuation(turn: Turn) -> Turn:
    kept = [c not in _PUNCTUATION for c in turn["text"]]
    new_place = [0, *accumulate(kept)]
    spans = [{**s, "start": new_place[s["start"]], "end": new_place[s["end"]]} for s in turn["spans"]]
    bare = "".join(compress(turn["text"], kept))
    return {"text": bare, "spans": [s for s in spans if s["start"] < s["end"]]}
