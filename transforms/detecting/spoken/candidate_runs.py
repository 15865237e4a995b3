"""Find stretches of a column with consecutive spoken numbers and letters.

Every chain of elements (see ``sequences``) lies within one stretch, so only the surroundings of promising
stretches have to be read word by word.
"""

import numpy as np

from tacenda.transforms.detecting.spoken.folded_column import DIGIT, MARK, Offsets
from tacenda.transforms.detecting.spoken.lexicon import Lexicon
from tacenda.transforms.detecting.spoken.prefilter import promising
from tacenda.transforms.detecting.spoken.token_table import Flags, TokenTable, among, byte_table
from tacenda.transforms.detecting.spoken.vocabulary import (
    BEFORE_JOINER,
    ELEMENT,
    FILLER,
    JOINER,
    REPEAT,
)

_APOSTROPHES = byte_table("'_@/&")
"""Characters after which a word belongs to something written."""
_BREAKING = ~byte_table("-–,.")
_GLUING = byte_table(".,:/$%'@_+=#&*")
_UNITS = byte_table("$%")


class Stretches:
    """Stretches of more than one element: the tokens ``first[k]`` to ``last[k]``, both inclusive.

    ``promising`` has the first tokens of parts of stretches that may be a run. A *unit* is a stretch, or a
    token outside of all stretches; units are numbered in order.
    """

    def __init__(self, tokens: TokenTable, words: Lexicon) -> None:
        elements = _elements(tokens)
        linked = _linked(tokens, elements)
        several = linked | np.roll(linked, 1)
        elements, linked = elements[several], linked[several]
        begins = np.flatnonzero(~np.roll(linked, 1))
        self.first = elements[begins]
        self.last = elements[~linked]
        self.promising = promising(tokens, elements, begins, words)
        self._removed = np.zeros(len(begins) + 1, dtype=np.int64)
        np.cumsum(self.last - self.first, out=self._removed[1:])
        self._units = self.first - self._removed[:-1]

    def units(self, tokens: Offsets) -> Offsets:
        """The units of some tokens."""
        if not len(self.first):
            return tokens
        k = np.maximum(np.searchsorted(self.first, tokens, side="right") - 1, 0)
        inside = np.clip(tokens, self.first[k], self.last[k]) - self.first[k]
        return tokens - self._removed[k] - inside

    def first_tokens(self, units: Offsets) -> Offsets:
        """The first token of each unit."""
        return self._tokens(units, self.first)

    def last_tokens(self, units: Offsets) -> Offsets:
        """The last token of each unit."""
        return self._tokens(units, self.last)

    def _tokens(self, units: Offsets, edges: Offsets) -> Offsets:
        if not len(self.first):
            return units
        k = np.searchsorted(self._units, units, side="right") - 1
        return np.where((k >= 0) & (self._units[k] == units), edges[k], units + self._removed[k + 1])


def _elements(tokens: TokenTable) -> Offsets:
    """Numbers, letters and digits that do not belong to something written."""
    words = tokens.where(ELEMENT)
    words = words[(tokens.roles[words] & JOINER) == 0]
    following = np.minimum(words + 1, len(tokens.roles) - 1)
    nothing = ((tokens.roles[following] & (ELEMENT & ~REPEAT)) == 0) & (tokens.kinds[following] != DIGIT)
    words = words[~(nothing & ((tokens.roles[words] & REPEAT) != 0))]
    after_apostrophe = tokens.glued_before(words) & _APOSTROPHES[tokens.bytes[words - 1]]
    figures = np.flatnonzero(tokens.kinds == DIGIT)
    whole = _part_of_a_whole(tokens, figures, -1) | _part_of_a_whole(tokens, figures, 1)
    elements = np.concatenate([words[~after_apostrophe], figures[~whole]])
    elements.sort(kind="stable")
    for step in (-1, 1):
        beside = _beside(tokens, elements, step)
        elements = elements[~(_touching(tokens, elements, step) & (tokens.kinds[beside] != MARK))]
    return elements


def _part_of_a_whole(tokens: TokenTable, figures: Offsets, step: int) -> Flags:
    """Whether a character on one side joins digits to others or to a unit: "3.5", "10:30", "$40"."""
    beside = _beside(tokens, figures, step)
    mark = tokens.bytes[beside]
    inner = _touching(tokens, beside, step) & (tokens.kinds[_beside(tokens, beside, step)] == DIGIT)
    whole: Flags = _touching(tokens, figures, step) & ((inner & _GLUING[mark]) | _UNITS[mark])
    return whole


def _beside(tokens: TokenTable, places: Offsets, step: int) -> Offsets:
    return np.clip(places + step, 0, len(tokens.kinds) - 1)


def _touching(tokens: TokenTable, places: Offsets, step: int) -> Flags:
    """Whether each token touches the next one, or the previous one."""
    if step < 0:
        return tokens.glued_before(places)
    following = _beside(tokens, places, 1)
    return tokens.glued_before(following) & (following > places)


def _linked(tokens: TokenTable, elements: Offsets) -> Flags:
    """For each element, whether only soft marks, fillers or a joiner separate it from the next."""
    breaks = among(tokens.bytes, _BREAKING).copy()
    breaks[elements] = False
    breaks[tokens.where(FILLER)] = False
    joiners = tokens.where(JOINER)
    before = np.maximum(joiners - 1, 0)
    breaks[joiners[(tokens.roles[before] & BEFORE_JOINER) != 0]] = False
    counted = np.cumsum(breaks, dtype=np.int32)[elements]
    linked = np.zeros(len(elements), dtype=np.bool_)
    np.equal(counted[1:], counted[:-1], out=linked[:-1])
    return linked
