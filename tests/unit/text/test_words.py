import numpy as np
import pytest

from tacenda.transforms.text import words as word_hash
from tacenda.transforms.text.characters import Characters
from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.word_shapes import WordShapes
from tacenda.transforms.text.words import HashIndex, HashTable, Words, joined, word_hashes


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


@pytest.mark.parametrize("count", [1, 2, 3, 1000, 70_000])
def test_what_is_there_is_found_and_nothing_else(count: int) -> None:
    random = np.random.default_rng(count)
    listed = np.unique(random.integers(0, 1 << 64, count, dtype=np.uint64))
    index = HashIndex(listed)
    assert len(index) == len(listed)
    assert index.find(listed).tolist() == list(range(1, len(listed) + 1))
    others = random.integers(0, 1 << 64, count, dtype=np.uint64)
    assert not index.find(others[~np.isin(others, listed)]).any()


def test_hashes_with_equal_first_bits_are_distinguished() -> None:
    listed = np.arange(100, dtype=np.uint64)
    index = HashIndex(listed)
    assert index.find(np.array([99, 0, 100], dtype=np.uint64)).tolist() == [100, 1, 0]
    assert index.find(np.array([1 << 63], dtype=np.uint64)).tolist() == [0]


def test_the_hash_0_is_not_found_by_accident() -> None:
    index = HashIndex(np.array([(1 << 64) - 1], dtype=np.uint64))
    assert index.find(np.array([0, (1 << 64) - 1], dtype=np.uint64)).tolist() == [0, 1]


def test_an_empty_index() -> None:
    index = HashIndex(np.zeros(0, dtype=np.uint64))
    assert index.find(np.array([0, 7], dtype=np.uint64)).tolist() == [0, 0]
    assert len(index) == 0


@pytest.mark.parametrize("count", [0, 1, 200_000])
def test_a_table_has_the_value_of_each_hash_whatever_its_frequency(count: int) -> None:
    random = np.random.default_rng(count)
    listed = np.unique(random.integers(0, 1 << 64, count, dtype=np.uint64))
    values = random.integers(1, 1 << 16, count, dtype=np.uint16)
    table = HashTable(listed, values, random.integers(0, 5, count, dtype=np.uint8))
    assert len(table) == count
    assert (table.find(listed) == values).all()
    others = random.integers(0, 1 << 64, 1000, dtype=np.uint64)
    assert not table.find(others).any()
    # With the same last bits, or all others
    assert not table.find(listed ^ np.uint64(1 << 40)).any()
    assert not table.find(listed ^ np.uint64(1)).any()


def test_a_table_finds_hashes_that_begin_with_zeros() -> None:
    listed = np.array([0, 5, 1 << 16], dtype=np.uint64)
    table = HashTable(listed, np.array([1, 2, 3], dtype=np.uint16), np.array([0, 1, 0], dtype=np.uint8))
    assert table.find(np.array([1 << 16, 5, 0, 7], dtype=np.uint64)).tolist() == [3, 2, 1, 0]


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
