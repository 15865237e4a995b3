"""Find where a turn starts answering the question before it, when that asked for a name."""

import numpy as np

from tacenda.transforms.detecting.names.facts import Flags
from tacenda.transforms.detecting.names.lexicon import Lexicon
from tacenda.transforms.detecting.names.reading import Reading
from tacenda.transforms.text.word_shapes import Numbers

_BEFORE = 6
"""Words before the word for name among which one shows that it is asked for."""

_BARE = 3
"""Words of a turn that asks by the word for name alone: "Name please"."""

_LONGEST = 12
"""Words of a turn up to which it is taken for an answer; longer ones say where the name is."""

_LEAD_INS = 6
"""Words before the name in an answer: "yes, sure, it's …"."""


def answers(reading: Reading, lexicon: Lexicon, name_words: Flags, closes_question: Flags) -> Flags:
    """The first words of answers, behind what leads in to them; at most one a turn.

    ``name_words`` are the words for name; ``closes_question`` may close a phrase that asks for one.
    """
    kinds, cell = reading.kinds, reading.cell
    begins = np.zeros(len(cell), dtype=np.bool_)
    asking = _asking(reading, lexicon, np.flatnonzero(name_words), np.flatnonzero(closes_question))
    # The turn behind, in the same conversation; a turn without words is no answer and ends the question.
    last = np.searchsorted(cell, asking, side="right") - 1
    first = last + 1
    first = first[(first < len(cell))]
    last = last[: len(first)]
    first = first[
        (cell[first] == cell[last] + 1)
        & (reading.conversation(first) == reading.conversation(last))
        & (reading.size[cell[first]] <= _LONGEST)
    ]
    answer = cell[first]
    leads_in = lexicon.is_in["lead_ins"]
    for _ in range(_LEAD_INS):
        further = leads_in[kinds[first]] & (first + 1 < len(cell))
        further[further] = cell[first[further] + 1] == answer[further]
        first = first + further
    begins[first] = True
    return begins


def _asking(reading: Reading, lexicon: Lexicon, name: Numbers, closing: Numbers) -> Numbers:
    """The cells that ask for a name, in rising order."""
    kinds, cell = reading.kinds, reading.cell
    asks = lexicon.is_in["asking_words"]
    asked = reading.size[cell[name]] <= _BARE
    for back in range(1, _BEFORE + 1):
        before = np.maximum(name - back, 0)
        asked |= asks[kinds[before]] & (cell[before] == cell[name]) & (before < name)
    before = np.maximum(name - 1, 0)
    other = lexicon.is_in["other_names"][kinds[before]] & (cell[before] == cell[name])
    questions = closing[lexicon.questions.strength(reading.hashes, cell, closing) > 0]
    return np.unique(cell[np.concatenate((name[asked & ~other], questions))])
