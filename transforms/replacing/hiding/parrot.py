"""The parrot attack: someone who reads only the released texts points out the names that were missed.

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
from typing import NamedTuple

from tacenda.transforms.text.characters import plain_letters

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
