import sys
import unicodedata

import pytest
from jinja2 import UndefinedError
from markupsafe import Markup

from tacenda.transforms.text.column import TextColumn
from tacenda.transforms.text.html_page import page_environment
from tacenda.transforms.text.readable import (
    breaks_a_value,
    has_forms,
    in_one_piece,
    in_plain_forms,
    line_ends_within,
    may_be_broken,
    unbroken,
    without_marks_in_values,
)
from tests.cases import tabled
from tests.growth import grows_linearly


@tabled("text", "whole")
def test_values_and_names_are_read_in_one_piece(text, whole):
    found = unbroken(text)
    assert found is not None
    assert found.text == whole
    places = found.places
    assert len(places) == len(whole) + 1
    assert all(text[p] == c or text[p].isspace() for p, c in zip(places, whole, strict=False))


@tabled("text")
def test_lines_of_their_own_are_left_alone(text):
    assert unbroken(text) is None


@tabled("value", "whole")
def test_a_broken_value_is_written_as_a_whole_one(value, whole):
    assert in_one_piece(value) == whole


def test_a_range_over_a_break_has_its_place_in_the_original():
    text = "on 1 May call 555-867-\n5309"
    whole = unbroken(text)
    assert whole is not None
    assert whole.crossed(14, 26) == (14, len(text))
    assert whole.crossed(3, 8) is None


def test_ordinary_text_may_not_be_broken():
    assert not may_be_broken("Ödön called 555-867-5309")
    assert may_be_broken("a\u200bb")


def test_time_is_linear():
    assert grows_linearly(lambda n: unbroken("a 1" * n + "\n1@a.\nb-\n" * n), 2_000)


@tabled("text", "places")
def test_line_ends_that_only_break_what_stands_there(text, places):
    assert sorted(line_ends_within(text, 0, len(text))) == places
    assert not line_ends_within(text, 0, 4)


@tabled("text", "read")
def test_marks_within_a_number_or_address_become_spaces(text, read):
    assert breaks_a_value(text)
    assert without_marks_in_values(text) == read
    assert TextColumn([text]).readable.texts == [read]


@pytest.mark.parametrize(
    "text", ["> at 5\n> or 6", "5 >\n> 6", "a\n>b", "> 5.\n> 6 more", "5\n\n> 6", "5\n6"]
)
def test_other_quoted_lines_are_read_as_they_are(text):
    assert not breaks_a_value(text)
    assert without_marks_in_values(text) == text
    column = TextColumn([text])
    assert column.readable is column


def test_turns_are_no_lines_of_one_number():
    column = TextColumn(["is it 5", "> 6"])
    assert column.readable.texts == ["is it 5", "> 6"]


@tabled("text", "plain")
def test_digits_and_full_width_forms_become_ascii(text, plain):
    assert has_forms(text)
    assert in_plain_forms(text) == plain


@pytest.mark.parametrize(
    "text", ["", "call 415", "né en août", "Москва", "東京、日本（关西）：？", "½ ² Ⅳ 三 ①"]
)
def test_other_text_is_returned_as_it_is(text):
    assert not has_forms(text)
    assert in_plain_forms(text) is text


def test_every_character_stays_one_and_every_decimal_digit_keeps_its_value():
    every = "".join(map(chr, range(0x20000)))
    plain = in_plain_forms(every)
    assert len(plain) == len(every)
    for before, after in zip(every, plain, strict=True):
        if before.isdecimal():
            assert after == str(unicodedata.decimal(before)), hex(ord(before))
    assert not any(map(str.isdecimal, map(chr, range(0x20000, sys.maxunicode + 1))))


@pytest.mark.parametrize(
    ("value", "shown"), [("<b>", "&lt;b&gt;"), ("a\u202eb", "a\\u202eb"), (Markup("<b>"), "<b>"), (5, "5")]
)
def test_values_are_escaped_and_visible_but_for_markup(value, shown):
    assert page_environment().from_string("{{ value }}").render(value=value) == shown


def test_a_name_without_a_value_is_an_error():
    with pytest.raises(UndefinedError):
        page_environment().from_string("{{ value }}").render()
