import re
import tracemalloc
from bisect import bisect_right

import pytest

from tacenda.transforms.detecting.candidates import candidates
from tacenda.transforms.detecting.hotwords import HotwordIndex
from tacenda.transforms.detecting.patterns.filtering import Filter
from tacenda.transforms.detecting.settings import Hotword
from tacenda.transforms.text.utf8 import Utf8Column


def _near(texts: list[str], first_cell: list[int], place: tuple[int, int, int], hotword: Hotword) -> bool:
    column = Utf8Column(texts, first_cell)
    found = candidates([(*place, 3)])
    near = bool(HotwordIndex(column).near(found, hotword)[0])
    assert bool(HotwordIndex(column, Filter({hotword.regex: 0}).of(column)).near(found, hotword)[0]) == near
    assert place[0] in HotwordIndex(column).cells_near([hotword]).tolist() or not near
    return near


@pytest.mark.parametrize(("gap", "near"), [(0, True), (95, True), (96, False)])
def test_the_whole_hotword_lies_before_in_the_window(gap: int, near: bool) -> None:
    text = "login" + "." * gap + "enigma52"
    assert _near([text], [0, 1], (0, 5 + gap, 13 + gap), Hotword("login", 100, 0)) is near


@pytest.mark.parametrize(("gap", "near"), [(0, True), (95, True), (96, False)])
def test_the_whole_hotword_lies_after_in_the_window(gap: int, near: bool) -> None:
    text = "enigma52" + "." * gap + "login"
    assert _near([text], [0, 1], (0, 0, 8), Hotword("login", 0, 100)) is near


def test_characters_are_counted_not_bytes() -> None:
    text = "login" + "😀" * 95 + "enigma52"
    assert _near([text], [0, 1], (0, 100, 108), Hotword("login", 100, 0))


@pytest.mark.parametrize(("window", "near"), [(6, True), (5, False)])
def test_a_step_to_the_next_cell_counts_one(window: int, near: bool) -> None:
    assert _near(["login", "enigma52"], [0, 2], (1, 0, 8), Hotword("login", window, 0)) is near


def test_windows_stay_within_their_conversation() -> None:
    assert not _near(["login", "enigma52"], [0, 1, 2], (1, 0, 8), Hotword("login", 1000, 0))
    assert not _near(["enigma52", "login"], [0, 1, 2], (0, 0, 8), Hotword("login", 0, 1000))


def test_the_finding_itself_is_in_the_window() -> None:
    assert _near(["x enigma52 x"], [0, 1], (0, 2, 10), Hotword("enigma"))


def test_positional_hotwords_are_found_in_each_cell() -> None:
    assert _near(["b", "login enigma52"], [0, 2], (1, 6, 14), Hotword("^login", 10, 0))


def test_a_later_hotword_counts_if_an_earlier_one_is_too_far() -> None:
    text = "login " + "." * 50 + " login enigma52"
    assert _near([text], [0, 1], (0, 63, 71), Hotword("login", 10, 0))


def test_cells_near_many_hotwords_take_as_much_memory_as_cells() -> None:
    texts = ["ssn"] * 50_000
    spots = HotwordIndex(Utf8Column(texts, [0, len(texts)]))
    hotword = Hotword("ssn", 1000, 1000)
    spots.cells_near([Hotword("ssn")])
    tracemalloc.start()
    assert spots.cells_near([hotword, hotword]).tolist() == list(range(len(texts)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100 * len(texts)


@pytest.mark.parametrize("window", [(0, 0), (3, 8), (40, 0), (0, 40), (300, 300)])
def test_cells_near_are_those_from_the_first_to_the_last_that_a_window_touches(
    window: tuple[int, int],
) -> None:
    texts = ["ssn", "", "a ssn b", "x" * 30, "y", "z" * 9, "ssn", "w" * 50, "v"]
    column = Utf8Column(texts, [0, 3, len(texts)])
    before, after = window
    origins = column.origins.tolist()
    expected = set()
    for cell, text in enumerate(texts):
        for found in re.finditer("ssn", text):
            start, end = origins[cell] + found.start(), origins[cell] + found.end()
            first = max(bisect_right(origins, end - after) - 1, 0)
            expected.update(range(first, bisect_right(origins, start + before)))
    found = HotwordIndex(column).cells_near([Hotword("ssn", before, after)])
    assert found.tolist() == sorted(expected)
