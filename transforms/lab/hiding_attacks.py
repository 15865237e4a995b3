"""How often a missed name stands out among surrogates: simulated documents, and an attack on released text.

Simulate documents, a detector that misses some of their names, and the resulting leaks (Table 3).

Misses are not independent: a name that is missed once is hard to detect and will be missed again. So each
name is hard with one probability, and each token of a hard name is missed with another. With the same number
of independent misses, the baseline leaks more than the paper reports, and the chain almost never.

The parrot attack: someone who reads only the released texts points out the names that were missed.

After Carrell et al. (2020): whoever learns what the surrogates of a corpus are like finds what is unlike them.
Here the attacker knows the lists from which surrogates are drawn, which are public, but not the secret:

- A name that is in no list was not drawn: it is somebody's.
- Surrogates are drawn anew for each document. A name that stands in more documents than chance allows is
  the same person's in all of them, such as an agent's.

Nothing here needs gold except to count how often the attacker is right.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.lab.hiding import leaks_by_mode, markov_sequence, mode_count, random_tokens
from tacenda.transforms.text.characters import plain_letters

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


_WORD = re.compile(r"[^\W\d_]{2,}")
"""Initials are nobody's."""


class Released(NamedTuple):
    """The names in a document after replacement, and which of them are true."""

    names: Collection[str]
    missed: Collection[str]


class Attack(NamedTuple):
    """Distinct names of each document, counted over all: pointed out, rightly so, missed, and all."""

    pointed_out: int
    right: int
    missed: int
    names: int

    @property
    def precision(self) -> float:
        """How many of the names pointed out are true; 0 if none is."""
        return self.right / self.pointed_out if self.pointed_out else 0.0

    @property
    def recall(self) -> float:
        """How many of the true names are pointed out; 0 if there is none."""
        return self.right / self.missed if self.missed else 0.0

    @property
    def by_chance(self) -> float:
        """The precision of pointing at any names."""
        return self.missed / self.names if self.names else 0.0


def parrot_attack(documents: Sequence[Released], drawn_from: Collection[str]) -> Attack:
    """How well the attack tells missed names from surrogates.

    Args:
        documents: their names, in any case.
        drawn_from: the lists of surrogates; empty if the attacker does not know them.
    """
    lists = _words(drawn_from)
    names = [_words(document.names) for document in documents]
    often = _too_often(Counter(name for some in names for name in some))
    pointed_out = right = missed = 0
    for some, document in zip(names, documents, strict=True):
        true = _words(document.missed) & some
        pointed = {name for name in some if name in often or (lists and name not in lists)}
        pointed_out += len(pointed)
        right += len(pointed & true)
        missed += len(true)
    return Attack(pointed_out, right, missed, sum(map(len, names)))


def _words(names: Collection[str]) -> set[str]:
    """The words of names in plain letters: surrogates lose their accents where a text has none."""
    return {word for name in names for word in _WORD.findall(plain_letters(name))}


def _too_often(documents: Counter[str]) -> frozenset[str]:
    """Names in so many documents that chance would not have put one of all names into as many.

    The number of documents of a surrogate is taken for Poisson's, with the mean of all names.
    """
    if not documents:
        return frozenset()
    mean = documents.total() / len(documents)
    least, probability, tail = 0, math.exp(-mean), 1.0
    while tail * len(documents) >= 0.5:
        tail -= probability
        least += 1
        probability *= mean / least
    return frozenset(name for name, count in documents.items() if count >= least)
