"""Spoken runs: what somebody says in words, letter by letter or figure by figure, and where it stands."""

from bisect import bisect_left
from collections.abc import Sequence

from transforms.normalising.addresses import Addresses
from transforms.normalising.dates import dates
from transforms.normalising.lexicon import lexicon
from transforms.normalising.reading_off import read_off
from transforms.normalising.runs import SpokenRun
from transforms.normalising.seeds import JoinedTexts
from transforms.normalising.sequences import chains
from transforms.normalising.tokens import tokens


def spoken_runs(text: str, languages: Sequence[str] = ("en",)) -> list[SpokenRun]:
    """The runs of one text, in order and without overlap.

    ``languages`` are codes such as ``en`` or ``sv-SE``; where two languages read the same words differently
    the longer run stands, and the earlier language among equals. Raises ``UserError`` for a language without
    words. A text with no candidate costs one pass of one regular expression.

    >>> spoken_runs("it is four one five double two oh nine, thanks")
    [SpokenRun(start=6, end=38, value='4152209', kind='digits', words=7, quantity=False)]
    """
    return spoken_runs_of_column([text], languages)[0]


def spoken_runs_of_column(texts: Sequence[str], languages: Sequence[str] = ("en",)) -> list[list[SpokenRun]]:
    """The runs of every text: ``spoken_runs`` of each, but searched for in all of them at once."""
    runs: list[list[SpokenRun]] = [[] for _ in texts]
    if not texts or not languages:
        return runs
    joined = JoinedTexts(texts)
    for rank, language in enumerate(languages):
        for cell, start, text in joined.windows(language, bare=rank == 0):
            runs[cell].extend(
                run._replace(start=start + run.start, end=start + run.end) for run in _read(text, language)
            )
    return runs if len(languages) == 1 else [_disjoint(found) for found in runs]


def _read(text: str, language: str) -> list[SpokenRun]:
    words = lexicon(language)
    found = tokens(text, words)
    read_in_chains = list(chains(text, found, words))
    elements = {element.last: element for chain in read_in_chains for element in chain}
    taken = _disjoint([*Addresses(found, elements, words).runs(), *dates(found, words)])
    starts = [run.start for run in taken]
    runs = [run for chain in read_in_chains for run in read_off(found, chain, words)]
    return sorted([*taken, *(run for run in runs if not _overlaps(run, taken, starts))])


def _overlaps(run: SpokenRun, others: Sequence[SpokenRun], starts: Sequence[int]) -> bool:
    """Does a run overlap one of ``others``, which are disjoint and begin at ``starts``, in order?"""
    i = bisect_left(starts, run.end)
    return i > 0 and others[i - 1].end > run.start


def _disjoint(runs: Sequence[SpokenRun]) -> list[SpokenRun]:
    """The longest of the runs that overlap, in order of place."""
    kept: list[SpokenRun] = []
    starts: list[int] = []
    for run in sorted(runs, key=lambda run: run.start - run.end):
        if not _overlaps(run, kept, starts):
            i = bisect_left(starts, run.start)
            kept.insert(i, run)
            starts.insert(i, run.start)
    return kept
