import contextlib
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.reviewing.agreement import adjudicate, measure_agreement, word_tags
from tacenda.transforms.reviewing.label_studio import labelling_config, read_annotations, tasks
from tacenda.transforms.reviewing.marks import Mark, Reading, Talk, check_marks, find_text, joined_entities
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


def test_offsets_of_either_count_are_found_by_their_text():
    text = TALK.turns[0][1]
    assert find_text(text, 7, 17, "Pam Beesly") == (7, 17)
    assert find_text(text, 8, 18, "Pam Beesly") == (7, 17)
    assert find_text(text, 9, 19, "Pam Beesly") is None
    assert find_text(text, 5, 7, "😀") == (5, 6)
    # Half of a pair is no character, and a text that both counts give at two places is nowhere for sure.
    assert find_text(text, 6, 8, "Pam") is None
    assert find_text("😀aa", 2, 3, "a") is None


def test_pairs_join_marks_however_they_are_told():
    marks = [Mark(0, i, i + 1, "MISSED_AGE", "x" if i == 3 else None) for i in range(5)]
    joined = joined_entities(marks, [(4, 2), (2, 0)])
    assert [mark.entity for mark in joined] == ["1", None, "1", "x", "1"]


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


def _reading(reader, *marks):
    return Reading("c1", reader, marks)


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
    assert word_tags(TALK_OF_AGREEMENT, _reading("A", *marks)) == tags


def test_agreement_by_tag_of_words():
    found = measure_agreement(
        {"c1": TALK_OF_AGREEMENT},
        [_reading("A", ANN_OF_AGREEMENT, PARIS_OF_AGREEMENT), _reading("B", ANN_OF_AGREEMENT)],
    )
    assert [one.tag for one in found] == [None, "LOCATION", "PERSON_NAME_PARTIAL"]
    every, place, name = found
    assert every.words == 5
    assert every.marked == {"A": 2, "B": 1}
    # 4 of 5 agree; by chance (3 * 4 + 1 * 1 + 1 * 0) / 25.
    assert every.kappa["A", "B"] == pytest.approx((4 / 5 - 13 / 25) / (1 - 13 / 25))
    # One of five words has two values; of the ten values, 7, 2 and 1 are the same.
    assert every.alpha == pytest.approx(1 - 9 * 2 / (100 - 49 - 4 - 1))
    assert place.kappa["A", "B"] == 0
    assert name.kappa["A", "B"] == name.alpha == 1
    # A conversation with one reader does not count.
    (alone,) = measure_agreement({"c1": TALK_OF_AGREEMENT}, [_reading("A", ANN_OF_AGREEMENT)])
    assert (alone.words, alone.alpha, alone.kappa) == (0, None, {})


TALK_OF_LABEL_STUDIO = Talk(
    "c1", "sales", "h1", (("Jim", "😀 Pam Beesly called"), (None, "Pam works for Dunder Mifflin"))
)

READERS = {"3": "Pam", "jim@example.com": "Jim"}


def _region(turn, start, seen, tag, name, **changes):
    value = {"start": str(turn), "end": str(turn), "startOffset": start, "endOffset": start + len(seen)}
    return {
        "id": name,
        "type": "paragraphlabels",
        "value": {**value, "text": seen, "paragraphlabels": [tag], **changes},
    }


NAME = _region(0, 2, "Pam Beesly", "PERSON_NAME", "a")
LONE = _region(1, 0, "Pam", "PERSON_NAME", "b")
FIRM = _region(1, 14, "Dunder Mifflin", "ORGANIZATION_NAME", "c")


def _how(name, *choices):
    return {"id": name, "type": "choices", "value": {"choices": list(choices)}}


def _exported(*result, **changes):
    (task,) = tasks([TALK_OF_LABEL_STUDIO], {})
    return [{"id": 1, **task, "annotations": [{"completed_by": 3, "result": list(result), **changes}]}]


def _read(exported):
    return read_annotations(exported, {"c1": TALK_OF_LABEL_STUDIO}, TABLE, READERS, "file")


def test_tasks_have_no_predictions_and_the_interface_has_every_tag():
    (task,) = tasks([TALK_OF_LABEL_STUDIO], {})
    assert "predictions" not in task
    assert task["data"]["hint"] == ""
    assert task["data"]["dialogue"][1] == {"author": "–", "text": "Pam works for Dunder Mifflin"}
    view = ElementTree.fromstring(labelling_config(TABLE))
    tags = {one.get("value") for one in view.iter("Label")}
    assert tags == {tag for tag in TABLE.rows if not tag.endswith("_SPEAKER")}


def test_regions_choices_and_relations_become_marks():
    same = {"type": "relation", "from_id": "b", "to_id": "a", "direction": "right"}
    (reading,) = _read(_exported(NAME, _how("b", "partial"), LONE, _how("c", "speaker"), FIRM, same))
    assert reading.reader == "Pam"
    assert reading.marks == (
        Mark(0, 2, 12, "MISSED_PERSON_NAME", "1"),
        Mark(1, 0, 3, "MISSED_PERSON_NAME_PARTIAL", "1"),
        Mark(1, 14, 28, "MISSED_ORGANIZATION_NAME_SPEAKER"),
    )


def test_a_skipped_task_is_not_read_and_an_empty_one_is_clean():
    assert _read(_exported(was_cancelled=True)) == []
    (reading,) = _read(_exported(_region(0, 3, "Pam Beesly", "PERSON_NAME", "a")))
    assert reading.marks == (Mark(0, 2, 12, "MISSED_PERSON_NAME"),), "in UTF-16 units"
    (reading,) = _read(_exported(completed_by={"id": 9, "email": "jim@example.com"}))
    assert (reading.reader, reading.marks) == ("Jim", ())


@pytest.mark.parametrize(
    ("exported", "told"),
    [
        (_exported(completed_by=4), "--reader 4=NAME"),
        (_exported(_region(0, 4, "Pam Beesly", "PERSON_NAME", "a")), "another text there"),
        (_exported(_region(0, 2, "Pam Beesly", "PERSON_NAME", "a", end="1")), "within one turn"),
        (_exported(_region(7, 2, "Pam Beesly", "PERSON_NAME", "a")), "within one turn"),
        (_exported(_region(0, 2, "Pam Beesly", "PERSON_NAME", "a", text=None)), "does not have its text"),
        (_exported(_region(0, 2, "Pam Beesly", "X", "a", paragraphlabels=[])), "exactly one tag"),
        (_exported(_region(0, 2, "Pam Beesly", "FRIEND", "a")), "unknown tag"),
        (_exported({"id": "a", "type": "labels", "value": {}}), "of another kind"),
        (_exported(_how("z", "partial")), "without a tag"),
        (_exported(NAME, {"type": "relation", "from_id": "a", "to_id": "z"}), "without a tag"),
        ([{"data": {"conversation_id": "c1", "text_hash": "h9"}, "annotations": []}], "another text"),
        ([{"data": {"conversation_id": "c2"}, "annotations": []}], "not in the corpus"),
        ([{"data": {"conversation_id": "c1", "text_hash": "h1"}}], "no annotations"),
        ([7], "not in the corpus"),
    ],
)
def test_what_cannot_be_taken_for_sure_is_refused(exported, told):
    with pytest.raises(UserError, match=told) as raised:
        _read(exported)
    assert "Pam" not in str(raised.value)


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
