"""Evidence: the levels and classes of every word of a reading, looked up once."""

from transforms.detecting.gazetteers.lexicon import Lexicon
from transforms.detecting.gazetteers.reading import Flags, Reading


class Evidence:
    """Arrays by word, as plain lists where single words are asked for."""

    def __init__(self, reading: Reading, lexicon: Lexicon) -> None:
        ids = reading.ids
        self.reading = reading
        self.lexicon = lexicon
        self.given = lexicon.given[ids]
        self.family = lexicon.family[ids]
        self.place = lexicon.place[ids]
        self.word = reading.word
        self.opens = lexicon.opens[ids]
        self.organization = lexicon.organization[ids]
        self.closes_cue = lexicon.closes_cue[ids]

    def is_in(self, name: str) -> Flags:
        """Which words belong to a closed class."""
        return self.lexicon.is_in[name][self.reading.ids]

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
