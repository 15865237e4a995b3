"""Join token decisions into findings: whole words, and neighbouring words of one infoType as one."""

from collections.abc import Sequence

import numpy as np

from tacenda.models.token_classifier.decoding import Bools, Verdicts, companions
from tacenda.models.token_classifier.encoding import Ints, TokenColumns
from tacenda.transforms.detecting.candidates import Candidates, candidates
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn

_MOST_PUNCTUATION = 2
"""Most punctuation marks between two words of one name, address or date."""

_ABBREVIATION = 2
"""Longest word, in letters, that is joined with the next across a full stop: "J. Smith", "St. John"."""


def spans(
    column: TextColumn,
    encoded: TokenColumns,
    on: Verdicts,
    asked: Sequence[str],
    floors: Sequence[int],
    apart: Sequence[int],
    first_look: Sequence[int],
) -> dict[str, Candidates]:
    """Candidates of each infoType in text order, each with the likelihood of its likeliest token.

    A word is found if any of its tokens is, and may include its neighbours (``hysteresis``). Words of one
    infoType are joined if only white space within a line, or punctuation without white space, separates them.

    Args:
        column: the cells.
        encoded: their tokens.
        on: the verdicts on the tokens.
        asked: infoTypes, in the numbering of the verdicts.
        floors: least likelihood of a token, by infoType.
        apart: words at or above this likelihood, by infoType, are not joined with words below it.
        first_look: ``floors`` of the first look. Tokens that reach it decide their word before others do, so
            that a second look does not change the findings of the first.
    """
    floor = np.asarray(floors, np.int64)
    reached = (on.likelihoods > 0) & (on.likelihoods >= floor[on.info_types])
    word, token = _words(column, encoded, np.flatnonzero(reached | on.near))
    nothing = {name: candidates([]) for name in asked}
    if not len(word):
        return nothing
    seen_first = on.near[token] | (
        on.likelihoods[token] >= np.asarray(first_look, np.int64)[on.info_types[token]]
    )
    # Most of a word's tokens decide, those of the first look if there are any; of these the likeliest or first.
    _, number = np.unique(2 * word + ~seen_first, return_inverse=True)
    votes = np.zeros((number.max() + 1, len(asked)))
    np.add.at(votes, (number, on.info_types[token]), on.scores[token])
    outvoted = votes.argmax(axis=1)[number] != on.info_types[token]
    order = np.lexsort((token, -on.scores[token], -on.likelihoods[token], outvoted, ~seen_first, word))
    word, token = word[order], token[order]
    first = np.ones(len(word), np.bool_)
    first[1:] = word[1:] != word[:-1]
    word, token = word[first], token[first]
    info_type, likelihood = on.info_types[token], on.likelihoods[token]
    with_next = linked(column, word)
    of = companions(likelihood >= Likelihood.POSSIBLE, on.near[token], with_next)
    taken_along = of != np.arange(len(of))
    info_type, likelihood = info_type[of], np.where(taken_along, int(Likelihood.POSSIBLE), likelihood)
    kept = likelihood >= floor[info_type]
    if not kept.any():
        return nothing
    word, info_type, likelihood, with_next = word[kept], info_type[kept], likelihood[kept], with_next[kept]
    sure = likelihood >= np.asarray(apart, np.int64)[info_type]
    joined = with_next[:-1] & (word[1:] == word[:-1] + 1)
    joined &= (info_type[1:] == info_type[:-1]) & (sure[1:] == sure[:-1])
    begins = np.flatnonzero(np.concatenate(([True], ~joined)))
    ends = np.append(begins[1:], len(word)) - 1
    starts_at, ends_at = column.words.starts[word[begins]], column.words.ends[word[ends]]
    cells = column.cells(starts_at)
    likelihoods = np.maximum.reduceat(likelihood, begins)
    places = Candidates(
        cells, starts_at - column.origins[cells], ends_at - column.origins[cells], likelihoods
    )
    return {name: places.filter(info_type[begins] == k) for k, name in enumerate(asked)}


def _words(column: TextColumn, encoded: TokenColumns, chosen: Ints) -> tuple[Ints, Ints]:
    """Pairs of a word and a chosen token that overlaps it."""
    starts, ends = (places[chosen] for places in encoded.places(column.origins))
    first = np.searchsorted(column.words.ends, starts, side="right")
    last = np.searchsorted(column.words.starts, ends, side="left")
    counts = np.maximum(last - first, 0)
    token = np.repeat(chosen, counts)
    offset = np.arange(len(token)) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(first, counts) + offset, token


def linked(column: TextColumn, words: Ints) -> Bools:
    """For each of some words, in text order, whether it and the next may be joined."""
    together = np.zeros(len(words), np.bool_)
    together[:-1] = words[1:] == words[:-1] + 1
    together[together] = _bridged(column, words[together])
    return together


def _bridged(column: TextColumn, words: Ints) -> Bools:
    """For each word, whether the characters between it and the next allow joining them."""
    begins, ends = column.words.ends[words], column.words.starts[words + 1]
    lines = (column.characters.coded == ord("\n")) | (column.characters.coded == ord("\r"))
    spaces, newlines = (_counts(what, begins, ends) for what in (column.characters.spaces, lines))
    signs = ends - begins - spaces
    inside = (spaces == 0) & (signs <= _MOST_PUNCTUATION)
    short = column.words.ends[words] - column.words.starts[words] <= _ABBREVIATION
    stop = column.characters.coded[np.minimum(begins, len(column.characters.coded) - 1)] == ord(".")
    together: Bools = (newlines == 0) & ((signs == 0) | inside | (short & stop & (signs == 1)))
    in_address = _in_written_address(column)
    addressed = in_address[begins - 1] | in_address[ends]
    return together & ~((spaces > 0) & addressed)


def _in_written_address(column: TextColumn) -> Bools:
    """Which code points are in a run of non-white space with an "@", as in an e-mail address."""
    chunk = np.cumsum(column.characters.spaces)
    written = np.zeros(int(chunk[-1]) + 1, np.bool_)
    written[chunk[column.characters.coded == ord("@")]] = True
    inside: Bools = written[chunk]
    return inside


def _counts(what: Bools, begins: Ints, ends: Ints) -> Ints:
    """Number of marked code points in each range."""
    before: Ints = np.append(0, np.cumsum(what, dtype=np.int64))
    return before[ends] - before[begins]
