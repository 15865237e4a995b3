import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.linking.propagation.words import (
    distinct_words,
    folded,
    is_unspaced,
    possessive,
    words_of,
)


@given(st.text(st.sampled_from("aB1' -é’\0\x01.र\u0301"), max_size=20))
def test_distinct_words_are_the_words(text: str) -> None:
    assert distinct_words(text) == set(words_of(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Ann-Marie O'Neil's", ["Ann", "Marie", "O'Neil's"]),
        ("'Ann' a''b", ["Ann", "a", "b"]),
        ("रवि है", ["रवि", "है"]),
        ("Jose\u0301", ["Jose\u0301"]),
        ("", []),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("word", "fold", "end"),
    [
        ("Ann's", "ann", 2),
        ("ANN'S", "ann", 2),
        ("James’", "james", 0),
        ("O’Neil", "oneil", 0),
        ("José", "jose", 0),
        ("Jose\u0301", "jose", 0),
    ],
)
def test_folded_words(word: str, fold: str, end: int) -> None:
    assert (folded(word), possessive(word)) == (
        fold,
        end if "’" not in word or re.search("’$", word) is None else 1,
    )


def test_scripts_without_spaces() -> None:
    assert is_unspaced("李伟")
    assert not is_unspaced("Ann é 김")
