"""How much of what is said aloud the rules find: numbers in words, spelled names, addresses.

    python -m tests.benchmarks.bench_speech [--draws 200]

The sentences are drawn by a seed from words of this file alone: none of them is read from the lists of the rules.
"""

import argparse
import random
import time
from collections import Counter

from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.spoken.detector import SpokenDetector
from tacenda.transforms.text.column import TextColumn

DIGITS = {
    "en": "zero one two three four five six seven eight nine",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve",
    "sv": "noll ett två tre fyra fem sex sju åtta nio",
    "nb": "null en to tre fire fem seks sju åtte ni",
    "da": "nul en to tre fire fem seks syv otte ni",
    "fi": "nolla yksi kaksi kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän",
}
TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "sv": "tjugo trettio fyrtio femtio sextio sjuttio åttio nittio",
    "nb": "tjue tretti førti femti seksti sytti åtti nitti",
    "da": "tyve tredive fyrre halvtreds tres halvfjerds firs halvfems",
    "fi": "kaksikymmentä kolmekymmentä neljäkymmentä viisikymmentä kuusikymmentä seitsemänkymmentä kahdeksankymmentä"
    " yhdeksänkymmentä",
}
SIGNS = {
    "en": ("at", "dot"), "es": ("arroba", "punto"), "sv": ("snabel-a", "punkt"), "nb": ("krøllalfa", "punktum"),
    "da": ("snabel-a", "punktum"), "fi": ("ät", "piste"),
}  # fmt: skip
FRAMES = {
    "en": (
        "so the number to call is {} and thanks",
        "okay it is {}, did you get that",
        "she wrote it as {} on the form",
    ),
    "es": ("mire, el teléfono que tengo es {} y gracias", "bueno, sería {}, ¿lo apuntó?"),
    "sv": ("jo, numret du ska ringa är {} och tack", "det är alltså {}, hann du skriva"),
    "nb": ("ja, nummeret jeg har er {} og takk", "det blir altså {}, fikk du med deg det"),
    "da": ("ja, nummeret jeg har er {} og tak", "det er altså {}, fik du det med"),
    "fi": ("joo se numero on {} ja kiitos", "se on siis {}, saitko ylös"),
}
PLAIN = (
    "one of the two said that three more would come at nine", "we paid two hundred for a hotel in mike's town",
    "jeg tror vi er tre eller fire som kommer", "det tog ett par timmar och två bussar", "hay dos o tres cosas que ver",
    "siellä oli kaksi tai kolme autoa", "plan a and plan b and then c", "section 3 a of page 4",
)  # fmt: skip
NAMES = ("karlsen", "moreau", "whitby", "ybarra", "lindqvist", "heikkinen")


def value(kind: str, language: str, draw: random.Random) -> str:
    """A number, name or address as it is said."""
    digits, tens = DIGITS[language].split(), TENS[language].split()
    if kind == "digits":
        return " ".join(draw.choice(digits) for _ in range(draw.randint(7, 11)))
    if kind == "pauses":
        said = [draw.choice(digits) for _ in range(9)]
        return ", ".join(" ".join(said[i : i + 3]) for i in (0, 3, 6))
    if kind == "tens":
        return " ".join(draw.choice(tens) for _ in range(4))
    if kind == "spelled":
        return draw.choice((" ", "-", ", ")).join(draw.choice(NAMES)).upper()
    at, dot = SIGNS[language]
    return f"{draw.choice(NAMES)} {dot} {draw.choice(NAMES)} {at} {draw.choice(NAMES)} {dot} com"


def main() -> None:
    """Print the recall by kind and language, what is found in plain sentences, and the seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=200)
    arguments = parser.parse_args()
    draw = random.Random(7)
    settings = parse_inspect_config({})
    rules = RulesDetector(settings)
    detectors = (rules, SpokenDetector(rules, settings))
    texts: list[str] = []
    places: list[tuple[str, str, int, int]] = []
    for kind in ("digits", "pauses", "tens", "spelled", "email"):
        for language in DIGITS:
            for _ in range(arguments.draws):
                said, frame = value(kind, language, draw), draw.choice(FRAMES[language])
                texts.append(frame.format(said))
                start = frame.index("{}")
                places.append((kind, language, start, start + len(said)))
    column = TextColumn([*texts, *(PLAIN * arguments.draws)])
    for detector in detectors:
        detector.find(TextColumn(texts[:2]))
    started = time.process_time()
    found = [[*one, *other] for one, other in zip(*(d.find(column) for d in detectors), strict=True)]
    seconds = time.process_time() - started
    covered: Counter[tuple[str, str]] = Counter()
    for (kind, language, start, end), cell in zip(places, found, strict=False):
        covered[kind, language] += any(f.start <= start and end <= f.end for f in cell)
    print(f"{'':8}" + "".join(f"{language:>7}" for language in DIGITS))
    for kind in dict.fromkeys(kind for kind, *_ in places):
        print(f"{kind:8}" + "".join(f"{covered[kind, x] / arguments.draws:7.3f}" for x in DIGITS))
    plain = sum(map(bool, found[len(texts) :]))
    print(
        f"plain sentences with a finding: {plain} of {len(PLAIN) * arguments.draws}; {seconds:.2f} CPU seconds"
    )


if __name__ == "__main__":
    main()
