"""Evidence: list levels and word classes of every word, looked up once.

Whole columns are numpy arrays; values needed word by word are also available as ``bytes`` (``given_at[i]`` is
an int), which cost nothing to create.
"""

from functools import cached_property

import numpy as np

from tacenda.transforms.detecting.names.facts import Facts, Flags
from tacenda.transforms.detecting.names.lexicon import Lexicon
from tacenda.transforms.detecting.names.lists import Levels
from tacenda.transforms.detecting.names.phrases import Matches
from tacenda.transforms.detecting.names.reading import Reading


class Evidence:
    """One reading, with what the lexicon knows about its words."""

    def __init__(self, reading: Reading, lexicon: Lexicon) -> None:
        self.reading = reading
        self.lexicon = lexicon
        self._facts = Facts(lexicon.facts, reading.kinds)
        self._flags: dict[str, Flags] = {}
        self.given = self._facts.level("given")
        self.family = self._facts.level("family")
        self.place = self._facts.level("place")
        self.word = reading.word
        self.organization = self.is_in("organization")
        self.known: Flags = reading.kinds > 0
        self.opens = self._opens()
        self.given_at = self.given.tobytes()
        self.family_at = self.family.tobytes()
        self.place_at = self.place.tobytes()
        self.word_at = self.word.tobytes()
        self.known_at = self.known.tobytes()
        self.opens_at = self.opens.tobytes()
        self.organization_at = self.organization.tobytes()
        self.cued_at = self.cued.tobytes()

    def _opens(self) -> Flags:
        """Whether a phrase may begin at each word."""
        # Its first two words are adjacent,
        opens = self._facts.flag("opens")
        opens[:-1] &= self._facts.flag("goes_on")[1:]
        opens[-1:] = False
        # and, unless it is a country, one of its first three is not an ordinary word.
        new = self.word == 0
        new[:-1] |= new[1:].copy()
        new[:-1] |= new[1:].copy()
        opens &= new | self.reading.capital | self._facts.flag("opens_country")
        return opens

    @cached_property
    def _continues(self) -> Flags:
        """Whether each word is followed by another in its cell."""
        on = np.zeros(len(self.word), dtype=np.bool_)
        on[:-1] = self.reading.cell[1:] == self.reading.cell[:-1]
        return on

    @cached_property
    def after_cue(self) -> Flags:
        """Whether the previous word may end a phrase that introduces a name."""
        after = np.zeros(len(self.word), dtype=np.bool_)
        after[1:] = self.is_in("closes_cue")[:-1]
        return after

    @cached_property
    def named(self) -> Flags:
        """Whether each word is a given name or a common family name."""
        named: Flags = (self.given > 0) | (self.family > 1)
        return named

    @cached_property
    def cued(self) -> Levels:
        """The strength of the phrase before each word that introduces a name: 2, 1 or 0."""
        read = self.reading
        cued = np.zeros(len(self.word), dtype=np.uint8)
        # Words that no rule accepts as names are skipped, whatever precedes them.
        may_be = (self.word == 0) | ((self.word < 4) & self.named)
        after = np.flatnonzero(self.after_cue & may_be)
        after = after[read.cell[after - 1] == read.cell[after]]
        cued[after] = self.lexicon.cues.strength(read.hashes, read.cell, after - 1)
        return cued

    @cached_property
    def phrases(self) -> Matches:
        """Places and organisations of several words, by their first word."""
        read = self.reading
        return self.lexicon.phrases.find(read.hashes, read.cell, np.flatnonzero(self.opens))

    @cached_property
    def phrase_opens(self) -> Flags:
        """Whether a phrase begins at each word."""
        begins = np.zeros(len(self.word), dtype=np.bool_)
        begins[list(self.phrases)] = True
        return begins

    def phrase(self, i: int, stop: int) -> tuple[int, int]:
        """Number of words (0: none) and level of the longest phrase from word ``i``, ending by ``stop``."""
        for count, level in self.phrases.get(i, ()):
            if i + count <= stop:
                return count, level
        return 0, 0

    def is_in(self, name: str) -> Flags:
        """Whether each word belongs to a closed class, or to parts of the lists."""
        if name not in self._flags:
            self._flags[name] = self._facts.flag(name)
        return self._flags[name]

    def at(self, name: str) -> bytes:
        """:meth:`is_in` as bytes, for access word by word."""
        return self.is_in(name).tobytes()

    def leads(self, name: str) -> Flags:
        """Members of a class that are followed by a word in their own cell."""
        return self.is_in(name) & self._continues
