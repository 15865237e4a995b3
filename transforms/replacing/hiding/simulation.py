"""Simulate documents, a detector that misses some of their names, and the resulting leaks (Table 3).

Misses are not independent: a name that is missed once is hard to detect and will be missed again. So each
name is hard with one probability, and each token of a hard name is missed with another. With the same number
of independent misses, the baseline leaks more than the paper reports, and the chain almost never.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.replacing.hiding.leaks import leaks_by_mode, mode_count
from tacenda.transforms.replacing.hiding.strategies import markov_sequence, random_tokens

Strategy = Literal["random", "markov"]

PROFILE = (4, 4, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1)
"""Occurrences of each name of a document: 24 tokens and a mode of 4, as in the paper's notes."""

PATIENT = 2
"""Number of names, from the start of a profile, that are the patient's."""


class MissingDetector(NamedTuple):
    """``hard``: share of names that are hard to detect; ``missed``: share of such names' tokens missed."""

    hard: float
    missed: float

    @property
    def recall(self) -> float:
        """Of tokens."""
        return 1 - self.hard * self.missed


TABLE_3 = MissingDetector(0.08, 0.65)
"""The detector with which both strategies leak what they do in the paper: 13.1 % and 3.8 %."""


class Simulated(NamedTuple):
    """One document: its mode before and after replacement, and whether the mode is the patient's name."""

    mode_before: int
    mode_after: int
    leaks: bool


def simulate(
    documents: int,
    strategy: Strategy,
    detector: MissingDetector,
    seed: int,
    p: float = 0.5,
    t: int = 4,
    profile: Sequence[int] = PROFILE,
) -> list[Simulated]:
    """Simulate documents; with equal seeds, the same names are missed under each strategy."""
    pool = tuple(f"surrogate {n}" for n in range(sum(profile)))
    names = tuple(f"name {n}" for n in range(len(profile)))
    out = []
    for number in range(documents):
        missing = Draw(seed, "missed", number)
        left: list[str] = []
        for name, count in zip(names, profile, strict=True):
            if missing.chance(detector.hard):
                left += [name for _ in range(count) if missing.chance(detector.missed)]
        replaced = sum(profile) - len(left)
        draw = Draw(seed, strategy, number)
        if strategy == "markov":
            inserted = markov_sequence(replaced, pool, p, t, draw)
        else:
            inserted = random_tokens(replaced, pool, draw)
        after = [*left, *inserted]
        leaks = leaks_by_mode(after, names[:PATIENT])
        out.append(Simulated(max(profile), mode_count(after), leaks))
    return out
