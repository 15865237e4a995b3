"""Evidence: the levels and classes of every word of a reading, looked up once.

Whole columns are numpy arrays; what is asked for word by word is also there as ``bytes`` (``given_at[i]`` is an
int), which cost nothing to make.
"""

from functools import cached_property

import numpy as np

from transforms.detecting.gazetteers.lexicon import Lexicon
from transforms.detecting.gazetteers.reading import Flags, Reading


class Evidence:
    """One reading and what the lexicon knows of its words."""

    def __init__(self, reading: Reading, lexicon: Lexicon) -> None:
        ids = reading.ids
        self.reading = reading
        self.lexicon = lexicon
        self.given = lexicon.given[ids]
        self.family = lexicon.family[ids]
        self.place = lexicon.place[ids]
        self.word = reading.word
        self.organization: Flags = lexicon.organization[ids]
        self.known: Flags = ids > 0
        # A phrase can only begin where its first two words stand side by side.
        self.opens: Flags = lexicon.opens[ids]
        self.opens[:-1] &= lexicon.goes_on[ids[1:]]
        self.opens[-1:] = False
        # and, unless it is a country, where one of its first three is no word of the language.
        new = self.word == 0
        new[:-1] |= new[1:].copy()
        new[:-1] |= new[1:].copy()
        self.opens &= new | reading.capital | lexicon.opens_country[ids]
        self.given_at = self.given.tobytes()
        self.family_at = self.family.tobytes()
        self.place_at = self.place.tobytes()
        self.word_at = self.word.tobytes()
        self.known_at = self.known.tobytes()
        self.opens_at = self.opens.tobytes()
        self.organization_at = self.organization.tobytes()

    @cached_property
    def after_cue(self) -> Flags:
        """Does the word before end a phrase that introduces a name, maybe?"""
        after = np.zeros(len(self.word), dtype=np.bool_)
        after[1:] = self.lexicon.closes_cue[self.reading.ids[:-1]]
        return after

    def is_in(self, name: str) -> Flags:
        """Which words belong to a closed class."""
        return self.lexicon.is_in[name][self.reading.ids]

    def at(self, name: str) -> bytes:
        """The same, to be asked word by word."""
        return self.is_in(name).tobytes()

    def cued(self, i: int) -> int:
        """How surely a phrase right before word ``i`` introduces a name: 2, 1 or 0."""
        read, cues = self.reading, self.lexicon.cues
        strongest = 0
        for count in (1, 2, 3):
            first = i - count
            if first < 0 or read.cell[first] != read.cell[i]:
                break
            strongest = max(strongest, cues.get(tuple(read.words[first:i]), 0))
        return strongest
