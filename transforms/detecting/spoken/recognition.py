"""Recognise spoken runs: values said in words, letter by letter or digit by digit."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence

from tacenda.transforms.detecting.spoken.addresses import Addresses
from tacenda.transforms.detecting.spoken.digit_runs import parse_digit_runs
from tacenda.transforms.detecting.spoken.lexicon import Lexicon, lexicon
from tacenda.transforms.detecting.spoken.runs import SpokenRun
from tacenda.transforms.detecting.spoken.seeds import GLUED_TOPS, Window, windows_of
from tacenda.transforms.detecting.spoken.sequences import chains
from tacenda.transforms.text.column import TextColumn

_WRITTEN_SIGNS = {"@"}


def spoken_runs(text: str, languages: Sequence[str] = ("en",)) -> list[SpokenRun]:
    """The runs of one text, in order and without overlap.

    ``languages`` are codes such as ``en`` or ``sv-SE``; if two languages read the same words differently, the
    longer run is kept, or else that of the earlier language. Raises ``UserError`` for an unsupported
    language. A text without candidates costs one pass of a regular expression.

    >>> spoken_runs("it is four one five double two oh nine, thanks")
    [SpokenRun(start=6, end=38, value='4152209', kind='digits', words=7, quantity=False)]
    """
    return spoken_runs_by_cell(TextColumn([text]), languages).get(0, [])


def spoken_runs_of_column(column: TextColumn, languages: Sequence[str] = ("en",)) -> list[list[SpokenRun]]:
    """The runs of every cell: as ``spoken_runs``, but searched for in all cells at once."""
    runs = spoken_runs_by_cell(column, languages)
    return [runs.get(cell, []) for cell in range(len(column))]


def spoken_runs_by_cell(column: TextColumn, languages: Sequence[str] = ("en",)) -> dict[int, list[SpokenRun]]:
    """The runs of the cells that have any, by index, in order.

    The first language is read everywhere, the others in conversations that speak them.
    """
    runs: defaultdict[int, list[SpokenRun]] = defaultdict(list)
    if len(column) and languages:
        for language, windows in windows_of(column, tuple(languages)):
            words = lexicon(language)
            for window in windows:
                runs[window.cell] += read(window, words)
    return {cell: longest(runs[cell]) for cell in sorted(runs) if runs[cell]}


def read(window: Window, words: Lexicon) -> list[SpokenRun]:
    """The runs of a window in one language, read word by word."""
    found = window.tokens
    in_chains = list(chains(found, range(len(found)), window.lines, words))
    runs = [run for chain in in_chains for run in parse_digit_runs(found, chain, words)]
    said = {token.folded for token in found}
    if not (_WRITTEN_SIGNS & said or words.signs.keys() & said or any(w.endswith(GLUED_TOPS) for w in said)):
        return runs
    elements = {element.last: element for chain in in_chains for element in chain}
    taken = longest(list(Addresses(found, elements, words).runs()))
    starts = [run.start for run in taken]
    return sorted([*taken, *(run for run in runs if not _overlaps(run, taken, starts))])


def _overlaps(run: SpokenRun, others: Sequence[SpokenRun], starts: Sequence[int]) -> bool:
    """Whether a run overlaps one of ``others``, which are disjoint and sorted by their ``starts``."""
    i = bisect_left(starts, run.end)
    return i > 0 and others[i - 1].end > run.start


def longest(runs: Sequence[SpokenRun]) -> list[SpokenRun]:
    """The longest of overlapping runs, in order of position."""
    kept: list[SpokenRun] = []
    starts: list[int] = []
    for run in sorted(runs, key=lambda run: run.start - run.end):
        if not _overlaps(run, kept, starts):
            i = bisect_left(starts, run.start)
            kept.insert(i, run)
            starts.insert(i, run.start)
    return kept
