import numpy as np
import pytest

from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.word_shapes import WordShapes

_FLAGS = tuple(name for name in WordShapes.__slots__ if name != "length")


def _shapes(text: str) -> WordShapes:
    return TextColumn([text]).word_shapes


def _flags(text: str, word: str) -> set[str]:
    shapes = _shapes(text)
    (i,) = np.flatnonzero(TextColumn([text]).words.starts == text.index(word)).tolist()
    return {name for name in _FLAGS if getattr(shapes, name)[i]}


@pytest.mark.parametrize(
    ("text", "word", "flags"),
    [
        ("a kavya b", "kavya", {"latin", "space"}),
        ("a Kavya-b", "Kavya", {"latin", "capital", "hyphen"}),
        ("a O'Neil", "O", {"latin", "capital", "apostrophe"}),
        ("a O’Neil", "O", {"latin", "capital", "apostrophe"}),
        ("a NASA, b", "NASA", {"latin", "capital", "shouted", "camel", "comma"}),
        ("a McKenzie. b", "McKenzie", {"latin", "capital", "dot"}),
        ("a McKenzie.b", "McKenzie", {"latin", "capital"}),
        ("a LinkedIn; b", "LinkedIn", {"latin", "capital", "camel"}),
        ("a. B2b ? c", "B2b", {"latin", "odd", "opens_sentence"}),
        ("a b12c34 c", "b12c34", {"latin", "odd", "space"}),
        ("kavya b", "kavya", {"latin", "opens_sentence", "space"}),
        ("a åsa b", "åsa", {"latin", "accented", "space"}),
        ("a Игорь b", "Игорь", {"accented", "capital", "space"}),
        ("a 李B c", "B", {"latin", "capital", "space"}),
        ("a ⒷB c", "B", {"latin", "capital", "space"}),
    ],
)
def test_what_is_reported_of_a_word(text: str, word: str, flags: set[str]) -> None:
    assert _flags(text, word) == flags


def test_it_is_the_same_in_texts_of_bytes_and_others() -> None:
    text = "O’Neil’s Łódź Öl Ωmega (łódź) ŁKS “B2B” MŁ; x • Δ. McŁ’a – µm " + "some other words. " * 20
    few, many = _shapes(f"{text}\n"), _shapes(f"{text}\n李\n")
    for name in WordShapes.__slots__:
        assert getattr(few, name).tolist() == getattr(many, name)[:-1].tolist(), name


def test_no_words_give_no_shapes() -> None:
    for text in ("", "\n", " .\n"):
        shapes = _shapes(text)
        assert all(len(getattr(shapes, name)) == 0 for name in WordShapes.__slots__)
