import pytest

from tacenda.transforms.text import segmentation
from tacenda.transforms.text.segmentation import Segmentation, pieces


def _words(text: str) -> list[str]:
    read = Segmentation(text)
    assert [read.word(i) for i in range(len(read))] == read.words
    return read.words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        (" \n\t-", []),
        ("a", ["a"]),
        ("Kavya O'Neil-Åberg", ["kavya", "o", "neil", "åberg"]),
        ("B2B room_3", ["b2b", "room", "3"]),
        ("e\u0301tude", ["e\u0301tude"]),
        ("STRAßE İzmir", ["straße", "izmir"]),
        ("李小龙 called", ["李", "小", "龙", "called"]),
        ("a李b", ["a", "李", "b"]),
        ("\U00020000\U00020001", ["\U00020000", "\U00020001"]),
        ("half \ud83d pair", ["half", "pair"]),
    ],
)
def test_words_are_runs_of_letters_digits_and_marks(text: str, words: list[str]) -> None:
    assert _words(text) == words


def test_offsets_are_code_points() -> None:
    text = "😀 Kavya, 李小 x"
    read = Segmentation(text)
    ranges = zip(read.starts.tolist(), read.ends.tolist(), strict=True)
    assert [text[i:j] for i, j in ranges] == ["Kavya", "李", "小", "x"]


def test_what_folds_alike_has_one_hash() -> None:
    first, second, other = Segmentation("Kavya KAVYA kavyas").hashes.tolist()
    assert first == second != other


@pytest.mark.parametrize(
    "text",
    [
        "Kavya, hello. " * 200,
        "’tis naïve – 李小龙 said.\n" * 200,
        "a" * 3000,
        "a" * 3000 + " b " * 1000,
        "李小" * 1500,
        "...  " * 600 + "e\u0301 x" * 500,
    ],
)
def test_pieces_cut_no_word_and_end_before_one(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segmentation, "_PIECE", 1000)
    several = list(pieces(text))
    assert "".join(piece for _, piece in several) == text
    assert len(several) > 1 or " " not in text
    whole, words = Segmentation(text), []
    for origin, piece in several:
        assert text[origin : origin + len(piece)] == piece
        of_piece = Segmentation(piece)
        assert not origin or of_piece.starts[0] == 0
        words += zip((of_piece.starts + origin).tolist(), (of_piece.ends + origin).tolist(), strict=True)
    assert words == list(zip(whole.starts.tolist(), whole.ends.tolist(), strict=True))


@pytest.mark.parametrize(
    "text",
    [
        "Åsa STRASSE ª ² ÿ",
        "O’Neil – a “quoted” word… \U0001f600 and łódź, İzmir, Ἀθηνᾶ?",
        "µm? Δx? a\u0301b e\u0301",
        "control \x92 \x9f ł",
        "half \ud83d pair",
        "Ⓐ aⒷb",
    ],
)
def test_texts_of_bytes_are_read_as_others(text: str) -> None:
    text += " some more words with no other letters." * 60 + "?"
    few, many = Segmentation(text), Segmentation(f"{text} 李")
    assert few.words == many.words[:-1]
    assert few.hashes.tolist() == many.hashes[:-1].tolist()
    assert few.starts.tolist() == many.starts[:-1].tolist()
    assert few.codes.tolist() == [*map(ord, text)]
    assert many.coded.itemsize == 4
    assert few.coded.itemsize == (4 if "\x92" in text else 1)
