import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.reviewing.markup import parse, write
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.errors import RecordError
from tests.growth import grows_linearly


@pytest.mark.parametrize(
    ("text", "plain", "spans"),
    [
        ("(Marc)[MISSED_PERSON_NAME]", "Marc", [(0, 4, "MISSED_PERSON_NAME", None)]),
        ("so (Marc)(MISSED_PERSON_NAME) said", "so Marc said", [(3, 7, "MISSED_PERSON_NAME", None)]),
        ("(Marc)([MISSED_PERSON_NAME_PARTIAL]).", "Marc.", [(0, 4, "MISSED_PERSON_NAME_PARTIAL", None)]),
        ("(ABC inc) (MISSED_URL).", "ABC inc.", [(0, 7, "MISSED_URL", None)]),
        ("(Marc)[MISSED_PERSON_NAME#2]", "Marc", [(0, 4, "MISSED_PERSON_NAME", "2")]),
        ("(Marc)[MISSED_PERSON_NAME#the#boss]", "Marc", [(0, 4, "MISSED_PERSON_NAME", "the#boss")]),
        ("(Marc)[MISSED PERSON NAME]", "Marc", [(0, 4, "MISSED_PERSON_NAME", None)]),
        ("(Marc)[MISSED_PERSON NAME_PARTIAL].", "Marc.", [(0, 4, "MISSED_PERSON_NAME_PARTIAL", None)]),
        ("(Marc) (MISSED-PERSON-NAME)", "Marc", [(0, 4, "MISSED_PERSON_NAME", None)]),
        ("(x)[MISSED_NO_SUCH_TAG]", "x", [(0, 1, "MISSED_NO_SUCH_TAG", None)]),
        ("(x)[Missed_email]", "x", [(0, 1, "Missed_email", None)]),
        ("(a)[MISSED_A](b)[MISSED_B]", "ab", [(0, 1, "MISSED_A", None), (1, 2, "MISSED_B", None)]),
        ("(Acme (UK) Ltd)[MISSED_A]", "Acme (UK) Ltd", [(0, 13, "MISSED_A", None)]),
        ("(see (Acme)[MISSED_A] here)", "(see Acme here)", [(5, 9, "MISSED_A", None)]),
        (":( and 1) (Acme)[MISSED_A] :)", ":( and 1) Acme :)", [(10, 14, "MISSED_A", None)]),
        ("[EMAIL_1] (Green)[MISSED_A] [NUMERIC]", "[EMAIL_1] Green [NUMERIC]", [(10, 15, "MISSED_A", None)]),
        ("(x [EMAIL_1])[MISSED_A]", "x [EMAIL_1]", [(0, 11, "MISSED_A", None)]),
        (
            "((Rachel)[MISSED_A] Green)[MISSED_B]",
            "Rachel Green",
            [(0, 12, "MISSED_B", None), (0, 6, "MISSED_A", None)],
        ),
        ("(𝔐ärc 👍)[MISSED_A] 👍", "𝔐ärc 👍 👍", [(0, 6, "MISSED_A", None)]),
    ],
)
def test_markup_is_parsed(text, plain, spans):
    assert parse(text) == (plain, [AnnotatedSpan(*span) for span in spans])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        "(in brackets) and (more (nested)) :( 1)",
        "[PERSON_NAME_1] (laughs) [EMAIL_1](work)",
        "(a missed call) [missed call] (missed) MISSED CALLS, I MISSED HER",
        "(text)[EMAIL_1] (text) [PERSON_NAME_12] (see)([EMAIL_1]) (laughs) [MUSIC]",
        "[MEDICAL_RECORD_NUMBER_1] (MEDICAL RECORD) [MAC_ADDRESS_1]",
    ],
)
def test_ordinary_text_stays(text):
    assert parse(text) == (text, [])


@pytest.mark.parametrize("tag", ["missed person name", "Missed Person Name", "missed-person-name"])
def test_a_tag_in_words_right_behind_what_it_marks_is_one(tag):
    assert parse(f"so (Marc)[{tag}] said") == ("so Marc said", [AnnotatedSpan(3, 7, "MISSED_PERSON_NAME")])


@pytest.mark.parametrize(
    "text", ["(really) [missed you]", "(x)[missing piece]", "(a)[Musical notes]", "[missed call]"]
)
def test_words_that_no_reviewer_wrote_stay(text):
    assert parse(text) == (text, [])


@pytest.mark.parametrize(
    "text",
    [
        "Marc[MISSED_PERSON_NAME]",
        "Marc (MISSED_PERSON_NAME)",
        "Marc)[MISSED_PERSON_NAME]",
        "()[MISSED_PERSON_NAME]",
        "(Marc)[MISSED_PERSON_NAME",
        "(Marc)[MISED_PERSON_NAME]",
        "(Marc)[MISSD_PERSON_NAME]",
        "(Marc)[MSISED PERSON NAME]",
        "(Marc) (MISED_PERSON_NAME)",
        "(Marc){MISSED_PERSON_NAME}",
        "(Marc)<MISSED_PERSON_NAME>",
        "(Marc)MISSED_PERSON_NAME",
        "(Marc) MISSED_PERSON_NAME",
        "Marc [MISSED PERSON NAME]",
        "{Marc}[MISSED_PERSON_NAME]",
        "(Marc)[PERSON_NAME]",
        "(Marc) [PERSON_NAME]",
        "(Marc)(EMAIL_ADDRESS)",
        "(Marc)[URL]",
        "(Marc)[PERSON_NAME_PARTIAL]",
        "(Marc)[MISSED_]",
        "(Marc)[MISSED_PERSON_NAME)",
        "(Marc)[MISSED_PERSON_NAME#]",
        "(Marc)  [MISSED_PERSON_NAME]",
        "(Marc)[MISSED_A][MISSED_B]",
        "(Marc)[missed_person name]",
        "(Marc)[Missed: PERSON_NAME]",
        "(Marc)[MISSED:PERSON_NAME]",
        "(Marc)[Mised_Person_Name]",
        "(Marc)[ MISSED_PERSON_NAME]",
        "(Marc)(\nMISSED_PERSON_NAME )",
        "(Marc)([ MISSED_PERSON_NAME ])",
    ],
)
def test_a_tag_that_marks_nothing_is_an_error_and_no_text(text):
    with pytest.raises(RecordError, match=r"^MalformedMarkup$"):
        parse(text)


def test_table_2_line_of_the_paper():
    text = "It's (M-K two one)[MISSED_EMAIL_PARTIAL] [EMAIL_1]"
    plain, spans = parse(text)
    assert plain == "It's M-K two one [EMAIL_1]"
    assert [plain[span.start : span.end] for span in spans] == ["M-K two one"]
    assert write(plain, spans) == text


def test_the_bracket_form_is_written():
    assert write(*parse("(x)(MISSED_A) (y) ([MISSED_B#1])")) == "(x)[MISSED_A] (y)[MISSED_B#1]"


@pytest.mark.parametrize(
    ("plain", "spans"),
    [
        ("a", [(0, 0, "MISSED_A")]),
        ("a", [(0, 2, "MISSED_A")]),
        ("a", [(-1, 1, "MISSED_A")]),
        ("abc", [(0, 2, "MISSED_A"), (1, 3, "MISSED_B")]),
        ("a", [(0, 1, "EMAIL_ADDRESS")]),
        ("a", [(0, 1, "MISSED_A B")]),
        ("a", [(0, 1, "MISSED_A", "")]),
        ("a", [(0, 1, "MISSED_A", "x]")]),
        ("a (b", [(0, 4, "MISSED_A")]),
        ("a) b", [(0, 4, "MISSED_A")]),
        ("(x)[MISSED_A] y", [(14, 15, "MISSED_B")]),
        ("(x)[MISSED_A] y", []),
        ("[MISSED_A] y", []),
    ],
)
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


def test_nested_spans_are_written_inside_out():
    spans = [
        AnnotatedSpan(0, 3, "MISSED_A"),
        AnnotatedSpan(0, 1, "MISSED_B"),
        AnnotatedSpan(2, 3, "MISSED_C"),
    ]
    assert write("abc", spans) == "((a)[MISSED_B]b(c)[MISSED_C])[MISSED_A]"


def test_two_tags_on_one_span_read_back():
    plain, spans = parse("((a)[MISSED_B])[MISSED_A]")
    assert parse(write(plain, spans)) == (plain, spans)


@pytest.mark.parametrize(
    "unit",
    ["(", ")", "(MISSED_", "()", ") ", ")[MISSED_A", "(a)[MISSED_A]", "(MISSED_A", "( ", "[" * 3, ")\t\n"],
)
def test_hostile_text_takes_linear_time(unit):
    def read(length):
        with contextlib.suppress(RecordError):
            parse("(a)[MISSED_A]" + unit * (length // len(unit)))

    assert grows_linearly(read, 30_000)
