import pytest

from tacenda.transforms.detecting.spoken.folded_column import FoldedColumn
from tacenda.transforms.detecting.spoken.lexicon import LANGUAGES
from tacenda.transforms.detecting.spoken.windows import windows_of
from tacenda.transforms.text.column import TextColumn


def windows(texts, language="en"):
    column = FoldedColumn(TextColumn(texts))
    return [
        (window.cell, start, texts[window.cell][start : window.tokens[-1].end])
        for _, some in windows_of(column, (language,))
        for window in some
        for start in [window.tokens[0].start]
    ]


def test_only_texts_with_a_candidate_are_read():
    assert windows(["one of us for you to see", "it is four one five", "nothing"]) == [
        (1, 0, "it is four one five")
    ]


def test_candidates_stay_within_one_text():
    assert windows(["four", "one", "five", "m a", "r k"]) == []


def test_windows_are_cut_where_words_end_and_say_where_they_begin():
    text = "żółw " * 100 + "four one five" + " żółw" * 100
    ((_, start, part),) = windows([text])
    assert text[start : start + len(part)] == part
    assert part == "żółw żółw żółw four one five żółw żółw żółw"


def test_windows_that_touch_are_one():
    text = "four one five and then four one five"
    assert windows([text]) == [(0, 0, text)]
    far = "four one five" + " word" * 100 + " four one five"
    assert len(windows([far])) == 2


@pytest.mark.parametrize(
    "text",
    [
        "one or two of us, twenty three or twenty-four",
        "for a to a for a",
        "fifteen to twenty five",
        "I I I think",
        "a follow-up e-mail to sign",
        "in january let's see, not on april 19",
        "it 's two of them , and it costs $40, 3.5 or 1,000",
        "jane@example.com, see www.example.com.",
    ],
)
def test_too_few_number_words_are_not_a_candidate(text):
    assert windows([text]) == []


@pytest.mark.parametrize(
    "text",
    [
        "triple seven",
        "five hundred and two",
        "555 123 4567",
        "m-a-r",
        "m a r k",
        "bravo tango",
        "M as in Mary, A for apple",
        "b 12 o 9",
        "the third of March",
        "march 3 twenty twenty",
        "example dot com",
        "one dot two",
        "jane underscore doe",
        "mohangmailcom",
        "jo @ example.com",
        "write to jo at example.com",
    ],
)
def test_enough_number_words_are_a_candidate(text):
    assert [part for _, _, part in windows([text])] == [text]


def test_numbers_of_several_parts_in_one_word_are_seen():
    assert windows(["tvåhundratjugofem fyra"], "sv")
    assert not windows(["tvåhundratjugofem", "tvålen fyra"], "sv")
    assert windows(["nollåtta fyra"], "sv")
    assert windows(["treintaitrés cuarentaicuatro"], "es")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", ["", " ", ".", "x", "\n\n", "x" * 1000, "'", "4'"])
def test_texts_with_nothing_have_no_window(language, text):
    assert windows([text] * 3, language) == []
