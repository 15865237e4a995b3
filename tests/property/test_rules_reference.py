"""The rules engine finds what the reference engine finds, on examples spoiled by the whole of Unicode.

``TACENDA_EXAMPLES`` says how many texts (2,000), ``TACENDA_SEED`` which ones (1); millions take hours:

    TACENDA_EXAMPLES=1000000 pytest tests/property/test_rules_reference.py
"""

import os
import random

import pytest

from tacenda.transforms.detecting.patterns import pattern_set as filtering
from tacenda.transforms.detecting.rules import detector as rules_detector
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn
from tests.property.reference_engine import reference_findings

EXAMPLES = int(os.environ.get("TACENDA_EXAMPLES", "2000"))
SEED = int(os.environ.get("TACENDA_SEED", "1"))
BATCH = 250

SEEDS = sorted(
    {text for info_type in catalogue().values() for text, _ in info_type.find}
    | {text for info_type in catalogue().values() for text in info_type.ignore}
)
FULL_WIDTH = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
ARABIC_DIGITS = {ord(str(digit)): 0x660 + digit for digit in range(10)}
HOMOGLYPHS = str.maketrans("aceopxyABEHKMOPTXks", "асеорхуАВЕНКМОРТХ\u212a\u017f")
PUT_IN = (
    *("\u0301", "\u0308", "\u20dd"),  # combining marks
    *("\u202e", "\u200f", "שלום", "مرحبا"),  # from right to left
    *("😀", "👨\u200d👩\u200d👧", "🇸🇪"),
    *("\u200b", "\u200d", "\ufeff", "\u00ad", "\u2060"),  # no width
    *("\u212a", "\u017f", "ß", "İ", "é", "ñ"),
    *("\u00a0", "\u2009", "\u2028", "\n", "\t", "\r"),  # spaces
    *("–", "’", "．", "＠", "-", ".", "@", "_", "/", ":", "[", "]", " ", "  "),
    *("0", "7", "１", "٣", "۴", "²", "Ⅷ", "𝟘", "\x00", "\ud800", "\U0010ffff"),
    *("[PERSON_NAME_1]", "[URL_12", "my name is ", "phone ", "username "),
)


def spoiled(draw):
    """One text: an example or two, or a part of one, with characters changed, inserted and removed."""
    text = " ".join(draw.choices(SEEDS, k=draw.choice((1, 1, 1, 2, 3))))
    if draw.random() < 0.2:
        text = text[: draw.randrange(len(text) + 1)]
    if draw.random() < 0.3:
        changes = draw.choice((FULL_WIDTH, ARABIC_DIGITS, HOMOGLYPHS))
        share = draw.choice((0.1, 0.5, 1.0))
        text = "".join(c.translate(changes) if draw.random() < share else c for c in text)
    if draw.random() < 0.1:
        text = draw.choice((text.lower(), text.upper(), text.title()))
    for _ in range(draw.choice((0, 1, 1, 2, 5))):
        place = draw.randrange(len(text) + 1)
        text = text[:place] + draw.choice(PUT_IN) + text[place + draw.choice((0, 0, 1, 2)) :]
    return text


def batches(count, seed):
    draw = random.Random(seed)
    while count > 0:
        texts: list[str] = []
        first_cell = [0]
        while len(texts) < min(BATCH, count):
            texts += [spoiled(draw) for _ in range(draw.choice((1, 1, 2, 5)))]
            first_cell.append(len(texts))
        yield texts, first_cell
        count -= len(texts)


def plain(findings):
    return sorted((f.start, f.end, f.info_type, int(f.likelihood)) for f in findings)


@pytest.mark.slow
@pytest.mark.parametrize("likelihood", [Likelihood.POSSIBLE, Likelihood.VERY_UNLIKELY])
@pytest.mark.parametrize("sets", [True, False], ids=["sets", "one by one"])
def test_the_engine_finds_what_the_reference_finds(likelihood, sets, monkeypatch):
    if not sets:
        monkeypatch.setattr(filtering.Filter, "of", lambda *_: {})
    # The engine reads what is written otherwise again (``other_writing``), the reference once.
    monkeypatch.setattr(rules_detector, "written_otherwise", lambda *_: None)
    names = default_info_types()
    detector = RulesDetector(InspectSettings(names), likelihood)
    for texts, first_cell in batches(EXAMPLES // 4, SEED + 4 * int(likelihood) + (not sets)):
        found = detector.find(TextColumn(texts, first_cell))
        expected = reference_findings(texts, first_cell, names, likelihood)
        for text, here, wanted in zip(texts, found, expected, strict=True):
            assert plain(here) == wanted, ascii(text)
