import pytest

from tacenda.transforms.detecting.spoken.runs import SpokenRun
from tacenda.transforms.detecting.spoken.view import written_out

TEXT = "call four one five now"
VIEW = written_out(TEXT, [SpokenRun(5, 18, "415", "digits", 3)])


def test_the_view_has_values_in_place_of_words():
    assert VIEW.text == "call 415 now"


@pytest.mark.parametrize(
    ("part", "original"),
    [
        ("call", "call"),
        ("1", "four one five"),
        ("l 4", "l four one five"),
        ("5 n", "four one five n"),
        ("w", "w"),
    ],
)
def test_ranges_of_the_view_map_to_the_text(part, original):
    start = VIEW.text.index(part)
    first, last = VIEW.original(start, start + len(part))
    assert TEXT[first:last] == original


@pytest.mark.parametrize(("start", "end"), [(0, 0), (3, 2), (-1, 2), (0, 99)])
def test_ranges_outside_the_view_are_rejected(start, end):
    with pytest.raises(ValueError, match="view of 12 code points"):
        VIEW.original(start, end)


def test_rewritten_text_maps_back_to_its_run():
    assert [VIEW.text[start:end] for start, end in VIEW.rewritings()] == ["415"]
    assert [VIEW.original(start, end) for start, end in VIEW.rewritings()] == [(5, 18)]


def test_the_view_of_a_text_without_numbers_is_the_text():
    assert written_out("", []).text == ""
    assert written_out("héllo", []).original(1, 3) == (1, 3)
