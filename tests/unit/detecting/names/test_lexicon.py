import numpy as np
import pytest

from tacenda.transforms.detecting.names.lexicon import lexicon
from tacenda.transforms.detecting.names.stems import stems
from tacenda.transforms.gazetteers.word_list import NAMES, rows
from tacenda.transforms.text.words import hashes_of


@pytest.mark.parametrize("word", ["john", "mohammed", "åsa", "asa", "nguyen", "oksana"])
def test_names_are_known(word: str) -> None:
    (kind,) = lexicon().kinds_of([word])
    assert max(lexicon().given[kind], lexicon().family[kind]) >= 1


@pytest.mark.parametrize(
    ("word", "language", "least"),
    [
        ("the", "en", 4),
        ("will", "en", 3),
        ("john", "en", 0),
        ("gracias", "es", 3),
        ("ja", "fi", 4),
        ("och", "sv", 4),
    ],
)
def test_words_are_distinguished_from_names(word: str, language: str, least: int) -> None:
    lists = lexicon()
    column = lists.languages.index(language)
    (kind,) = lists.kinds_of([word])
    level = int(lists.word[kind, column])
    assert level >= least
    assert least or level == 0
    assert lists.word_in(1 << column)[kind] == level


def test_unlisted_words_have_kind_0() -> None:
    assert lexicon().kinds_of(["xylophrast", "qwrtzp", ""]).tolist() == [0, 0, 0]
    assert not lexicon().given[0]
    assert not lexicon().word[0].any()


def test_each_line_of_the_lists_is_one_word_of_the_lexicon() -> None:
    words, levels = zip(*rows(NAMES), strict=True)
    kinds = lexicon().kinds_of(words)
    assert lexicon().given[kinds].tolist() == [int(level[0]) for level in levels]
    assert lexicon().family[kinds].tolist() == [int(level[1]) for level in levels]


@pytest.mark.parametrize(
    ("inflected", "stem"),
    [("helsingissä", "helsinki"), ("virtasen", "virtanen"), ("xylophrastissa", None), ("a" * 1000, None)],
)
def test_finnish_cases_lead_to_the_name(inflected: str, stem: str | None) -> None:
    lists = lexicon()
    found = stems([inflected], [lists.languages.index("fi")], lists)
    assert found.tolist() == (lists.kinds_of([stem]).tolist() if stem else [0])


def _phrases(text: str, cells: list[int] | None = None) -> dict[int, list[tuple[int, int]]]:
    words = text.split()
    return lexicon().phrases.find(
        hashes_of(words), np.array(cells or [0] * len(words)), np.arange(len(words))
    )


def test_phrases_are_found_longest_first() -> None:
    assert _phrases("to new york city today") == {1: [(3, 3), (2, 3)]}


def test_a_phrase_does_not_leave_its_cell() -> None:
    assert _phrases("new york city", [0, 0, 1]) == {0: [(2, 3)]}
    assert _phrases("new york city", [0, 1, 1]) == {}


def test_the_strongest_cue_that_ends_with_a_word_counts() -> None:
    words = ["so", "my", "name", "is", "this", "is"]
    places = np.arange(len(words))
    cells = np.zeros(len(words), dtype=np.int64)
    assert lexicon().cues.strength(hashes_of(words), cells, places).tolist() == [0, 0, 2, 2, 0, 1]
    cells[2:] = 1
    assert lexicon().cues.strength(hashes_of(words), cells, places).tolist() == [0, 0, 0, 2, 0, 1]


def test_plurals_that_a_speller_also_has_as_names_are_words() -> None:
    lists = lexicon()
    levels = lists.word[lists.kinds_of(["numbers", "states", "flowers"]), lists.languages.index("en")]
    assert levels.min() >= 1
