"""Put harmless lines beside the turns of a training conversation: code, settings, logs, exam questions.

What stands beside a name must not change whether it is found. A network learns that from text with and without
such lines, whose other tokens have the same targets.
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from tacenda.transforms.storage.yaml_text import data_file

Turn = dict[str, Any]

_FRAMED = 0.2
"""Share of the lines that stand around a turn, as quotation marks do."""
_CHANCES = 0, 0, 0, 0, 0.3, 1
"""Share of a conversation's turns that get lines, drawn for each conversation."""


@cache
def _grammar() -> dict[str, Any]:
    grammar: dict[str, Any] = data_file(__package__, "surrounding.yaml")
    return grammar


def ordinary_words(texts: Iterable[str]) -> list[str]:
    """Words in small letters that occur three times or more."""
    seen = Counter(word for text in texts for word in text.split() if word.isascii() and word.isalpha())
    return sorted(word for word, n in seen.items() if n > 2 and word.islower() and 2 < len(word) < 10)


def surrounded(turns: Sequence[Turn], words: Sequence[str], rng: random.Random) -> list[Turn]:
    """The turns, some with lines beside them; ``own`` of a changed turn is the range of the text it had."""
    chance = rng.choice(_CHANCES)
    return [_surrounded(turn, words, rng) if rng.random() < chance else turn for turn in turns]


def _surrounded(turn: Turn, words: Sequence[str], rng: random.Random) -> Turn:
    before, behind = _lines(words, rng)
    at, text = len(before), turn["text"]
    spans = [{**s, "start": s["start"] + at, "end": s["end"] + at} for s in turn["spans"]]
    return {"text": before + text + behind, "spans": spans, "own": (at, at + len(text))}


def _lines(words: Sequence[str], rng: random.Random) -> tuple[str, str]:
    """What is put before a turn, and behind it."""
    grammar, drawn = _grammar(), _drawn(words, rng)
    if rng.random() < _FRAMED:
        before, behind = rng.choice(grammar["frames"])
        return before.format(**drawn), behind.format(**drawn)
    count = rng.choice((1, 1, 1, 2, 3))
    lines = [rng.choice(grammar["forms"]).format(**_drawn(words, rng)) for _ in range(count)]
    gap = rng.choice(("\n\n", "\n", "\n", " "))
    added = " ".join(lines) if gap == " " else "\n".join(lines)
    return (added + gap, "") if rng.random() < 0.5 else ("", gap + added)


def _drawn(words: Sequence[str], rng: random.Random) -> dict[str, str]:
    """A value for each name in braces."""
    k, v, w, t, u, z = (rng.choice(words) for _ in range(6))
    numbers = {"n": rng.choice((11, 101, 5001)), "m": 30, "o": 30}
    padded = {"m2": (1, 13), "d2": (1, 29), "h": (0, 24), "i": (0, 60)}
    return {
        **{name: rng.choice(values) for name, values in _grammar()["words"].items()},
        **{name: str(rng.randrange(1, end)) for name, end in numbers.items()},
        **{name: f"{rng.randrange(*ends):02}" for name, ends in padded.items()},
        "k": k,
        "v": v,
        "w": w,
        "K": k.upper(),
        "V": v.upper(),
        "X": w.upper(),
        "T": t.title(),
        "U": u.title(),
        "W": z.title(),
        "y": str(rng.randrange(1995, 2026)),
        "d3": f"{rng.randrange(1000):03}",
    }
