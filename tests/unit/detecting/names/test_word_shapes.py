import numpy as np
import pytest

from tacenda.transforms.detecting.names.word_shapes import WordShapes, word_shapes
from tacenda.transforms.text import segmentation

_FLAGS = tuple(name for name in WordShapes.__slots__ if name not in ("starts", "ends", "hashes", "length"))


def _flags(text: str, word: str) -> set[str]:
    shapes, _ = word_shapes(text + "\n")
    (i,) = np.flatnonzero(shapes.starts == text.index(word)).tolist()
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
def test_what_is_told_of_a_word(text: str, word: str, flags: set[str]) -> None:
    assert _flags(text, word) == flags


def test_it_is_the_same_in_texts_of_bytes_and_others() -> None:
    text = "O’Neil’s Łódź Öl Ωmega (łódź) ŁKS “B2B” MŁ; x • Δ. McŁ’a – µm " + "some other words. " * 20
    few, _ = word_shapes(f"{text}\n")
    many, _ = word_shapes(f"{text}\n李\n")
    for name in WordShapes.__slots__:
        assert getattr(few, name).tolist() == getattr(many, name)[:-1].tolist(), name


def test_it_is_the_same_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "Kavya O'Neil, of NASA. B2B – Åsa’s (it). x 李小龙 went, e.g., to McKenzie-Berg?\n" * 20
    whole, folded = word_shapes(text)
    monkeypatch.setattr(segmentation, "_PIECE", 7)
    several, in_pieces = word_shapes(text)
    assert in_pieces == folded
    for name in WordShapes.__slots__:
        assert getattr(several, name).tolist() == getattr(whole, name).tolist(), name


def test_no_words() -> None:
    for text in ("\n", " .\n"):
        shapes, _ = word_shapes(text)
        assert all(len(getattr(shapes, name)) == 0 for name in WordShapes.__slots__)
