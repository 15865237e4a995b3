"""Documents with names, a detector that misses some, and what a strategy then leaks: the paper's Table 3 again.

Misses are not independent: a name that is missed once is hard for the detector and missed again. So a name is
hard with one probability, and of a hard name each token is missed with another. With as many independent misses
the baseline leaks more than was seen, and the chain hardly ever.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.replacing.hiding.leaks import leaks_by_mode, mode_count
from tacenda.transforms.replacing.hiding.strategies import markov_sequence, random_tokens

Strategy = Literal["random", "markov"]

PROFILE = (4, 4, 3, 2, 2, 2, 2, 1, 1, 1, 1, 1)
"""How often each name of a document occurs: 24 tokens and a mode of 4, as in the paper's notes."""

PATIENT = 2
"""The first so many names of a profile are the patient's."""


class MissingDetector(NamedTuple):
    """``hard`` is the share of names that are hard to find, ``missed`` that of tokens missed of a hard name."""

    hard: float
    missed: float

    @property
    def recall(self) -> float:
        """Of tokens."""
        return 1 - self.hard * self.missed


TABLE_3 = MissingDetector(0.08, 0.65)
"""The detector with which both strategies leak what they do in the paper: 13.1 % and 3.8 %."""


class Simulated(NamedTuple):
    """One document: the modes before and after, and whether the mode is the patient's name."""

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
    """Documents under a strategy; the same seed has the same names missed under each."""
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
