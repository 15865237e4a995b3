"""Choose the windows of a column to read in each language."""

from collections.abc import Iterator
from itertools import chain

from tacenda.transforms.detecting.spoken.candidate_windows import LanguageSeeds, Window
from tacenda.transforms.detecting.spoken.folded_column import FoldedColumn
from tacenda.transforms.detecting.spoken.language_detection import tokens_spoken
from tacenda.transforms.detecting.spoken.lexicon import lexicon
from tacenda.transforms.detecting.spoken.token_table import TokenTable
from tacenda.transforms.detecting.spoken.vocabulary import vocabulary


def windows_of(column: FoldedColumn, languages: tuple[str, ...]) -> Iterator[tuple[str, Iterator[Window]]]:
    """For each spoken language, its windows; the first language counts as spoken everywhere."""
    known = vocabulary(languages)
    numbers = known.numbers(column)
    spoken = chain([(0, None)], tokens_spoken(column, numbers, known))
    for k, chosen in spoken:
        tokens = TokenTable(column, numbers, known, k, chosen)
        yield languages[k], LanguageSeeds(column, tokens, lexicon(languages[k])).windows()
