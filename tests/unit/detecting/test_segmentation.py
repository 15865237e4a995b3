import pytest

from transforms.detecting.segmentation import Segmentation


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
