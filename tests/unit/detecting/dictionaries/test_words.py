import numpy as np

from tacenda.transforms.detecting.dictionaries.folding import Folding
from tacenda.transforms.detecting.dictionaries.words import FoldedWords
from tacenda.transforms.text.column import TextColumn


def _words(*texts: str) -> FoldedWords:
    return FoldedWords(TextColumn(texts), Folding.LOOSE)


def test_one_byte_between_two_words() -> None:
    words = _words("  Élan,   vital B17 王伟!", "", "x")
    assert words.data.tobytes().decode() == "elan vital b\x1f17 王 伟 x"
    assert [words.data[a:b].tobytes().decode() for a, b in zip(words.begins, words.stops, strict=True)] == [
        *("elan", "vital", "b", "17", "王", "伟", "x")
    ]
    assert words.first_words.tolist() == [0, 6, 6, 7]
    assert words.left_in_cell.tolist() == [6, 5, 4, 3, 2, 1, 1]


def test_places_are_those_of_the_text() -> None:
    text = "ß e\u0301 ﬁx \u0301a\u00adb"
    words = _words(text)
    assert [text[a:b] for a, b in zip(words.starts, words.ends, strict=True)] == [
        *("ß", "e\u0301", "ﬁx", "a\u00adb")
    ]


def test_a_combining_mark_without_base_separates_words() -> None:
    assert _words("a \u0301b").data.tobytes() == b"a b"


def test_joined_and_separate_words_have_different_following_hashes() -> None:
    words = _words("17", "b17", "b 17")
    at = np.flatnonzero(words.hashes == words.hashes[0])
    assert at.tolist() == [0, 2, 4]
    assert len(set(words.following[at].tolist())) == 2
