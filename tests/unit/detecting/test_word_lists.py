"""The word lists: what a reader of the files relies on, and the patterns made of them."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from tacenda.transforms.detecting.word_lists import alternatives, word_list, words_of

WORDS = Path(str(files("tacenda.transforms.detecting"))) / "words"
FOLDERS = sorted(path.name for path in WORDS.iterdir() if path.is_dir())


@pytest.mark.parametrize("path", sorted(WORDS.rglob("*.txt")), ids=lambda path: path.stem)
def test_a_list_says_what_it_is_and_names_each_word_once(path: Path) -> None:
    first, *lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    words = [line for line in lines if not line.startswith("#")]
    assert first.startswith("# ")
    assert len(words) == len(set(words))
    assert all(word == word.strip() != "" for word in words)


@pytest.mark.parametrize("folder", FOLDERS)
def test_lists_of_a_folder_share_no_word(folder: str) -> None:
    lists = [word_list(f"{folder}/{path.stem}") for path in sorted((WORDS / folder).iterdir())]
    assert len(word_list(folder)) == sum(map(len, lists))
    assert not (WORDS / f"{folder}.txt").exists()


def test_a_folder_is_all_of_its_lists() -> None:
    assert {"january", "enero", "jan"} < word_list("months")
    assert words_of("months/english", "months/spanish") < word_list("months")
    assert "enero" not in word_list("months/english")


def test_alternatives_are_literal_and_longest_first() -> None:
    pattern = re.compile(alternatives(["st", "st.", "street"]))
    assert [pattern.findall(text) for text in ("street", "st.", "sty")] == [["street"], ["st."], ["st"]]
