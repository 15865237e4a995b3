import lzma
from importlib.resources import files

import pytest

from transforms.detecting.gazetteers.lexicon import lexicon


@pytest.mark.parametrize("word", ["john", "mohammed", "åsa", "asa", "nguyen", "oksana"])
def test_names_are_known(word: str) -> None:
    number = lexicon().number(word)
    assert max(lexicon().given[number], lexicon().family[number]) >= 1


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
def test_words_are_told_from_names(word: str, language: str, least: int) -> None:
    lists = lexicon()
    level = int(lists.word[lists.number(word), lists.languages.index(language)])
    assert level >= least
    assert least or level == 0


@pytest.mark.parametrize(("inflected", "stem"), [("helsingissä", "helsinki"), ("virtasen", "virtanen")])
def test_finnish_cases_lead_to_the_name(inflected: str, stem: str) -> None:
    lists = lexicon()
    assert lists.stem(inflected, lists.languages.index("fi")) == lists.numbers[stem]


def test_the_longest_phrase_is_found() -> None:
    words = ["new", "york", "city", "today"]
    count, level = lexicon().phrase(words, 0, len(words))
    assert (count, level) == (3, 3)


def test_every_list_has_its_source_named() -> None:
    data = files("transforms.detecting.gazetteers") / "data"
    notice = (data / "NOTICE.md").read_text("utf-8")
    lists = [file.name for file in data.iterdir() if file.name.endswith(".xz")]
    assert len(lists) == 4
    for name in lists:
        assert f"`{name}`" in notice
        lzma.decompress((data / name).read_bytes()).decode("utf-8")
