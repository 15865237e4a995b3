"""For any conversations, every token is scored exactly once, with the requested context."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.models.token_classifier.detector import misses_words
from tacenda.models.token_classifier.encoding import TokenColumns
from tacenda.models.token_classifier.packing import blocks, packed, stream
from tacenda.transforms.text.column import TextColumn
from tests.tiny_bert import tiny_scorer

conversations = st.lists(st.lists(st.integers(0, 60), max_size=6), max_size=5)


def encoded(turns):
    first = np.concatenate(([0], np.cumsum(turns))).astype(np.int32)
    ids = np.arange(first[-1], dtype=np.int32) + 100
    return TokenColumns(ids, ids, ids, np.zeros(len(ids), np.int8), first)


def check(lengths_of_turns, max_places, context, budget, padded):
    turns = [count for conversation in lengths_of_turns for count in conversation]
    first_cell = np.concatenate(([0], np.cumsum([len(c) for c in lengths_of_turns]))).astype(int).tolist()
    of = stream(encoded(turns), first_cell, separator=1)
    cut = list(blocks(of, max_places, context))
    times = np.zeros(sum(turns), int)
    rows = packed(of, cut, budget, padded, 2, 3)
    for _, count, width in rows.calls:
        assert count * width <= max(budget, max_places + 1)
    assert padded or rows.mask.all()
    assert (rows.ids[rows.scored] == rows.tokens + 100).all()
    np.add.at(times, rows.tokens, 1)
    assert (times == 1).all()
    owner = np.repeat(np.arange(len(lengths_of_turns)), np.diff(of.first_place))
    for start, end, scored, _ in cut:
        assert end - start <= max_places
        assert len(set(owner[start:end].tolist())) == 1
        assert scored - start == min(context, scored - of.first_place[owner[start]])
    for (_, _, _, before), (_, _, scored, _) in pairwise(cut):
        assert before == scored


@given(conversations, st.integers(1, 12), st.integers(0, 4), st.integers(1, 200), st.booleans())
def test_every_token_is_scored_exactly_once(lengths_of_turns, quarter, context, budget, padded):
    check(lengths_of_turns, 4 * max(quarter, context), context, budget, padded)


def test_tokens_of_a_very_long_turn_are_scored_once():
    for padded in (True, False):
        check([[3, 100_000, 5], [99_999], []], 192, 32, 256, padded)


@pytest.mark.parametrize("text", ["x" * 5000, "\u0301" * 300, "日" * 700, " " * 3000 + "pam"])
def test_unusual_texts_are_scored(text):
    scored = tiny_scorer().score(TextColumn([text]))
    assert not misses_words(TextColumn([text]), scored.encoded)
