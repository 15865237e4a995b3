import numpy as np
import pytest

from tacenda.transforms.text import words as word_hash
from tacenda.transforms.text.words import joined, word_hashes


def _hashes(*words: str) -> list[int]:
    text = " ".join(words)
    codes = np.frombuffer(text.encode("utf-32-le"), dtype="<u4")
    ends = np.cumsum([len(word) + 1 for word in words]) - 1
    return word_hashes(codes, ends - [len(word) for word in words], ends).tolist()


def test_word_hashes_are_stable() -> None:
    # Worked out with whole numbers of any size.
    assert _hashes("kavya", "åsa") == [1900364142780283831, 12125714530397846182]


def test_a_word_has_one_hash_wherever_it_stands() -> None:
    first, _, second = _hashes("kavya", "x" * 1000, "kavya")
    assert first == second == _hashes("kavya")[0]


def test_words_longer_than_a_piece() -> None:
    long = "ab" * word_hash._PIECE
    first, name, second = _hashes(long, "kavya", long)
    assert first == second != name == _hashes("kavya")[0]


def test_words_across_the_border_of_a_piece() -> None:
    words = ["kavya"] * word_hash._PIECE
    assert set(_hashes(*words)) == set(_hashes("kavya"))


@pytest.mark.parametrize("letters", ["ab", "aé", "李王"])
def test_short_words_of_few_letters_differ(letters: str) -> None:
    a, b = letters
    words = [format(i, "b").replace("0", a).replace("1", b) for i in range(1 << 14)]
    assert len(set(_hashes(*words))) == len(words)


def test_the_order_of_the_words_of_a_phrase_counts() -> None:
    new, york, city = (np.array([h], dtype=np.uint64) for h in _hashes("new", "york", "city"))
    phrases = [joined(new, york), joined(york, new), joined(joined(new, york), city), new, york]
    assert len({int(p[0]) for p in phrases}) == len(phrases)


def test_no_words_give_no_hashes() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert word_hashes(np.zeros(3, dtype=np.uint32), none, none).tolist() == []
