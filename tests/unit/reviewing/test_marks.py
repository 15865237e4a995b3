import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.reviewing.agreement import adjudicate, measure_agreement, word_tags
from tacenda.transforms.reviewing.marks import Mark, Reading, Talk, check_marks
from tacenda.transforms.reviewing.markup import parse, write
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.scoring.score_table import ScoreTable
from tests.cases import tabled
from tests.growth import grows_linearly

TALK = Talk("c1", "sales", "h", (("Jim", "I am 😀 Pam Beesly"), (None, "hello")))
TABLE = ScoreTable.load()


def _checked(mark, seen):
    return check_marks(TALK, [(mark, seen)], TABLE, "file, conversation 1")


@tabled("mark", "seen", "told")
def test_a_wrong_mark_is_told_by_its_position_and_without_text(mark, seen, told):
    with pytest.raises(UserError, match=told) as raised:
        _checked(Mark(*mark), seen)
    assert "file, conversation 1, mark 1" in str(raised.value)
    assert "Pam" not in str(raised.value)


ANN = Mark(0, 0, 3, "MISSED_PERSON_NAME")
ANN_IN_PART = ANN._replace(label="MISSED_PERSON_NAME_PARTIAL")
PARIS = Mark(1, 4, 9, "MISSED_LOCATION")


@pytest.mark.parametrize(
    ("one", "other", "marks", "disputed"),
    [
        # What any reader marked counts, and both tags of one place, for the score to choose.
        ((ANN,), (PARIS,), (ANN, PARIS), True),
        ((ANN_IN_PART,), (ANN,), (ANN, ANN_IN_PART), True),
        # Readers who agree are not in dispute, whatever their numbers.
        (
            (ANN._replace(entity="4"), PARIS),
            (ANN._replace(entity="7"), PARIS),
            (ANN._replace(entity="1"), PARIS),
            False,
        ),
    ],
)
def test_two_readings_are_combined(one, other, marks, disputed):
    (found,) = adjudicate([Reading("c", "B", other), Reading("c", "A", one)])
    assert (found.readers, found.marks, found.disputed) == (("A", "B"), marks, disputed)
    assert found.read_by == "A and B"


def test_entities_of_two_readers_are_joined_where_they_share_a_mark():
    later = Mark(2, 0, 3, "MISSED_PERSON_NAME", "1")
    last = Mark(3, 0, 3, "MISSED_PERSON_NAME", "9")
    one = Reading("c", "A", (ANN._replace(entity="1"), later))
    other = Reading("c", "B", (ANN._replace(entity="9"), last))
    (found,) = adjudicate([one, other])
    assert {mark.entity for mark in found.marks} == {"1"}
    apart = Reading("c", "B", (PARIS._replace(entity="1"),))
    (found,) = adjudicate([one, apart])
    assert [mark.entity for mark in found.marks] == ["1", "2", "1"]


def test_a_decision_replaces_the_marks_and_keeps_the_names():
    (found,) = adjudicate(
        [Reading("c", "A", (ANN,)), Reading("c", "B", (PARIS,))], [Reading("c", "Oscar", (PARIS,))]
    )
    assert (found.marks, found.disputed) == ((PARIS,), False)
    assert found.readers == ("A", "B", "Oscar")


def test_each_reader_counts_once():
    with pytest.raises(UserError, match="two readings by one person"):
        adjudicate([Reading("c", "A", ()), Reading("c", "A", (ANN,))])
    with pytest.raises(UserError, match="two people decided"):
        adjudicate([], [Reading("c", "A", ()), Reading("c", "B", (ANN,))])


def test_names_that_are_too_long_together_are_an_error_and_not_unread():
    (found,) = adjudicate([Reading("c", f"{letter * 60}", ()) for letter in "AB"])
    with pytest.raises(UserError, match="too long"):
        _ = found.read_by


TALK_OF_AGREEMENT = Talk("c1", "", "h", (("Jim", "Ann met [PERSON_NAME_1] in Paris"),))


ANN_OF_AGREEMENT = Mark(0, 0, 3, "MISSED_PERSON_NAME_PARTIAL")
PARIS_OF_AGREEMENT = Mark(0, 27, 32, "MISSED_LOCATION")


@pytest.mark.parametrize(
    ("marks", "tags"),
    [
        ([], [None] * 5),
        ([ANN_OF_AGREEMENT, PARIS_OF_AGREEMENT], [None, "PERSON_NAME_PARTIAL", None, None, "LOCATION"]),
        ([Mark(0, 0, 3, "MISSED_AGE", None, True)], ["AGE", None, None, None, None]),
    ],
)
def test_words_of_labels_and_texts_are_units_and_tokens_are_not(marks, tags):
    assert word_tags(TALK_OF_AGREEMENT, Reading("c1", "A", tuple(marks))) == tags


def test_agreement_by_tag_of_words():
    found = measure_agreement(
        {"c1": TALK_OF_AGREEMENT},
        [Reading("c1", "A", (ANN_OF_AGREEMENT, PARIS_OF_AGREEMENT)), Reading("c1", "B", (ANN_OF_AGREEMENT,))],
    )
    assert [one.tag for one in found] == [None, "LOCATION", "PERSON_NAME_PARTIAL"]
    every, place, name = found
    assert every.words == 5
    assert every.marked == {"A": 2, "B": 1}
    # One of five words has two values; of the ten values, 7, 2 and 1 are the same.
    assert every.alpha == pytest.approx(1 - 9 * 2 / (100 - 49 - 4 - 1))
    assert place.alpha < 0.2 < name.alpha == 1
    # A conversation with one reader does not count.
    (alone,) = measure_agreement({"c1": TALK_OF_AGREEMENT}, [Reading("c1", "A", (ANN_OF_AGREEMENT,))])
    assert (alone.words, alone.alpha) == (0, None)


@tabled("text", "plain", "spans")
def test_markup_is_parsed(text, plain, spans):
    assert parse(text) == (plain, [AnnotatedSpan(*span) for span in spans])


@tabled("text")
def test_ordinary_text_stays(text):
    assert parse(text) == (text, [])


@tabled("text")
def test_a_tag_that_marks_nothing_is_an_error_and_no_text(text):
    with pytest.raises(RecordError, match=r"^MalformedMarkup$"):
        parse(text)


@tabled("text", "written")
def test_the_bracket_form_is_written_inside_out(text, written):
    assert write(*parse(text)) == written
    assert parse(written) == parse(text)


@tabled("plain", "spans")
def test_what_markup_cannot_say_is_not_written(plain, spans):
    with pytest.raises(RecordError, match=r"^UnwritableMarkup$"):
        write(plain, [AnnotatedSpan(*span) for span in spans])


TEXT = st.text(alphabet="ab ()[]#-é👍", max_size=30)


@st.composite
def reviewed(draw):
    plain = draw(TEXT)
    cuts = sorted(draw(st.lists(st.integers(0, len(plain)), max_size=8)))
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    tag = st.sampled_from(["MISSED_A", "MISSED_A_PARTIAL", "MISSED_X1"])
    entity = st.sampled_from([None, "1", "b"])
    return plain, [AnnotatedSpan(a, b, draw(tag), draw(entity)) for a, b in pairs if a < b]


@given(reviewed())
def test_what_is_written_reads_back(case):
    plain, spans = case
    try:
        text = write(plain, spans)
    except RecordError:
        inside = [plain[span.start : span.end] for span in spans]
        assert any("(" in part or ")" in part for part in inside)
        return
    assert parse(text) == (plain, spans)
    assert write(*parse(text)) == text


@given(
    st.lists(
        st.sampled_from(["(", ")", "[", "]", "(MISSED_A)", "[MISSED_B]", "MISSED_", "x", " "]), max_size=25
    )
)
def test_any_text_is_parsed_or_refused_and_no_tag_is_lost(pieces):
    text = "".join(pieces)
    try:
        plain, spans = parse(text)
    except RecordError:
        return
    assert len(spans) == text.count("(MISSED_") + text.count("[MISSED_")
    assert all(0 <= span.start < span.end <= len(plain) for span in spans)


@pytest.mark.parametrize(
    "unit",
    ["(", ")", "(MISSED_", "()", ") ", ")[MISSED_A", "(a)[MISSED_A]", "(MISSED_A", "( ", "[" * 3, ")\t\n"],
)
def test_hostile_text_takes_linear_time(unit):
    def read(length):
        with contextlib.suppress(RecordError):
            parse("(a)[MISSED_A]" + unit * (length // len(unit)))

    assert grows_linearly(read, 30_000)
