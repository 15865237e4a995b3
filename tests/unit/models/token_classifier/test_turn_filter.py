"""A turn filter: what its hashes distinguish, what it considers harmless, and its file."""

from pathlib import Path

import numpy as np
import pytest

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.turn_filter import (
    BUCKETS_LOG2,
    N_GRAMS,
    TurnFilter,
    n_grams,
    read_turn_filter,
    words,
)
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn


def _punctuation(encoder: TurnEncoder) -> np.ndarray:
    tokens = [encoder._tokenizer.id_to_token(i) for i in range(encoder.vocabulary)]
    return np.array([not any(map(str.isalnum, token)) for token in tokens])


def _filter(encoder: TurnEncoder, *known: str, limit: float = 0.0) -> TurnFilter:
    punctuation = _punctuation(encoder)
    _, hashes = words(encoder.encode(TextColumn(known)), punctuation)
    return TurnFilter(np.unique(hashes), np.zeros(1 << BUCKETS_LOG2, np.int8), 0.1, limit, punctuation, "n")


def test_a_turn_of_known_words_alone_is_harmless(encoder: TurnEncoder) -> None:
    known = _filter(encoder, "hello my name is the call ,")
    texts = ["hello, my name", "hello pam", "", "my name is", "hellos"]
    assert known.harmless(encoder.encode(TextColumn(texts))).tolist() == [True, False, True, True, False]


@pytest.mark.parametrize("unknown", ["Hello", "HELLO", "hello 7", "привет", "hello Ω", "你好", "hello @ my"])
def test_case_digits_and_scripts_that_are_not_listed_keep_their_turn(
    encoder: TurnEncoder, unknown: str
) -> None:
    assert not _filter(encoder, "hello my name is").harmless(encoder.encode(TextColumn([unknown]))).any()


def test_pieces_of_known_words_are_no_known_word(encoder: TurnEncoder) -> None:
    punctuation = _punctuation(encoder)
    _, apart = words(encoder.encode(TextColumn(["pam it"])), punctuation)
    _, together = words(encoder.encode(TextColumn(["pamela"])), punctuation)
    assert len(apart) == 2
    assert len(together) == 1
    assert not set(apart.tolist()) & set(together.tolist())


def test_punctuation_is_separate_from_words(encoder: TurnEncoder) -> None:
    punctuation = _punctuation(encoder)
    begins, hashes = words(encoder.encode(TextColumn(["hello,my", "hello"])), punctuation)
    assert begins.tolist() == [0, 1, 2, 3]
    assert hashes[0] == hashes[3]


def test_a_score_above_the_limit_keeps_the_turn(encoder: TurnEncoder) -> None:
    encoded = encoder.encode(TextColumn(["my name is", "is my name"]))
    weights = np.zeros(1 << BUCKETS_LOG2, np.int8)
    weights[n_grams(encoded)[1, N_GRAMS.index((0, 1))]] = 30
    raised = TurnFilter(_filter(encoder, "my name is").words, weights, 0.1, 2.9, _punctuation(encoder), "n")
    assert raised.harmless(encoded).tolist() == [False, True]


def test_n_grams_end_where_their_turn_ends(encoder: TurnEncoder) -> None:
    alone = [n_grams(encoder.encode(TextColumn([text]))) for text in ("hello my name", "is", "the call")]
    together = n_grams(encoder.encode(TextColumn(["hello my name", "is", "", "the call"])))
    assert np.array_equal(together, np.concatenate(alone))
    assert n_grams(encoder.encode(TextColumn([]))).shape == (0, len(N_GRAMS))


def test_a_file_comes_back_as_it_was_and_is_the_same_bytes(encoder: TurnEncoder, tmp_path: Path) -> None:
    written = _filter(encoder, "hello my", limit=-1.5)
    for name in ("a.npz", "b.npz"):
        written.write(tmp_path / name)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    read = read_turn_filter(tmp_path / "a.npz", encoder.vocabulary)
    assert (read.limit, read.scale, read.network) == (-1.5, 0.1, "n")
    for name in ("words", "weights", "punctuation"):
        assert np.array_equal(getattr(read, name), getattr(written, name))


@pytest.mark.parametrize("damage", [b"", b"PK", b"no filter at all"])
def test_a_damaged_file_is_one_clear_line(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "turn_filter.npz").write_bytes(damage)
    with pytest.raises(UserError, match=r"turn_filter\.npz is not a turn filter .* train filter'"):
        read_turn_filter(tmp_path / "turn_filter.npz", 10)
