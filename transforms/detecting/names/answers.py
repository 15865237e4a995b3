"""Find where a turn starts to answer a question for a name in the previous turn."""

import numpy as np

from tacenda.transforms.detecting.names.facts import Flags
from tacenda.transforms.detecting.names.lexicon import Lexicon
from tacenda.transforms.detecting.names.reading import Reading
from tacenda.transforms.text.word_shapes import Numbers

_BEFORE = 6
"""Number of words before the word for name in which a question shows itself."""

_BARE = 3
"""Most words of a turn that asks with the word for name alone: "Name please"."""

_LONGEST = 12
"""Maximum length of an answer turn, in words; longer turns introduce the name with a phrase."""

_LEAD_INS = 6
"""Most words before the name in an answer: "yes, sure, it's …"."""


def answers(reading: Reading, lexicon: Lexicon, name_words: Flags, closes_question: Flags) -> Flags:
    """The first word of each answer, after its introduction; at most one per turn.

    ``name_words`` marks the words for name; ``closes_question``, the words that may end a phrase asking for
    one.
    """
    kinds, cell = reading.kinds, reading.cell
    begins = np.zeros(len(cell), dtype=np.bool_)
    asking = _asking(reading, lexicon, np.flatnonzero(name_words), np.flatnonzero(closes_question))
    # The next turn of the same conversation; a turn without words is no answer and ends the question.
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
    """The cells that ask for a name, ascending."""
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
