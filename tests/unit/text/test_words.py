import pytest

from tacenda.transforms.text.characters import Characters
from tacenda.transforms.text.words import Words


def _read(text: str) -> Words:
    return Words(text, Characters(text))


def _words(read: Words) -> list[str]:
    return list(map(read.word, range(len(read))))


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
    assert _words(_read(text)) == words


def test_offsets_are_code_points() -> None:
    text = "😀 Kavya, 李小 x"
    read = _read(text)
    ranges = zip(read.starts.tolist(), read.ends.tolist(), strict=True)
    assert [text[i:j] for i, j in ranges] == ["Kavya", "李", "小", "x"]


def test_what_folds_alike_has_one_hash() -> None:
    first, second, other = _read("Kavya KAVYA kavyas").hashes.tolist()
    assert first == second != other


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
    few, many = _read(text), _read(f"{text} 李")
    assert _words(few) == _words(many)[:-1]
    assert few.hashes.tolist() == many.hashes[:-1].tolist()
    assert few.starts.tolist() == many.starts[:-1].tolist()
    assert not many.characters.are_bytes
    assert few.characters.are_bytes == ("\x92" not in text)
