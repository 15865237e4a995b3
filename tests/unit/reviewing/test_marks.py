import pytest

from tacenda.transforms.reviewing.marks import Mark, Talk, check_marks, find_text, joined_entities
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.scoring.score_table import ScoreTable

TALK = Talk("c1", "sales", "h", (("Jim", "I am 😀 Pam Beesly"), (None, "hello")))
TABLE = ScoreTable.load()


def _checked(mark: Mark, seen: str) -> tuple[Mark, ...]:
    return check_marks(TALK, [(mark, seen)], TABLE, "file, conversation 1")


def test_a_mark_of_the_text_that_was_seen_is_kept() -> None:
    mark = Mark(0, 7, 17, "MISSED_PERSON_NAME")
    assert _checked(mark, "Pam Beesly") == (mark,)
    label = Mark(0, 0, 3, "MISSED_PERSON_NAME_PARTIAL", None, True)
    assert _checked(label, "Jim") == (label,)


@pytest.mark.parametrize(
    ("mark", "seen", "told"),
    [
        (Mark(0, 8, 18, "MISSED_PERSON_NAME"), "Pam Beesly", "outside"),
        (Mark(0, 6, 16, "MISSED_PERSON_NAME"), "Pam Beesly", "another text"),
        (Mark(2, 0, 1, "MISSED_PERSON_NAME"), "h", "outside"),
        (Mark(-1, 0, 1, "MISSED_PERSON_NAME"), "h", "outside"),
        (Mark(1, 0, 1, "MISSED_PERSON_NAME", None, True), "h", "outside"),
        (Mark(0, 7, 7, "MISSED_PERSON_NAME"), "", "outside"),
        (Mark(0, 7, 17, "MISSED_PERSN"), "Pam Beesly", "unknown tag"),
    ],
)
def test_a_wrong_mark_is_told_by_its_position_and_without_text(mark: Mark, seen: str, told: str) -> None:
    with pytest.raises(UserError, match=told) as raised:
        _checked(mark, seen)
    assert "file, conversation 1, mark 1" in str(raised.value)
    assert "Pam" not in str(raised.value)


def test_offsets_of_either_count_are_found_by_their_text() -> None:
    text = TALK.turns[0][1]
    assert find_text(text, 7, 17, "Pam Beesly") == (7, 17)
    assert find_text(text, 8, 18, "Pam Beesly") == (7, 17)
    assert find_text(text, 9, 19, "Pam Beesly") is None
    assert find_text(text, 5, 7, "😀") == (5, 6)
    # Half of a pair is no character, and a text that both counts give at two places is nowhere for sure.
    assert find_text(text, 6, 8, "Pam") is None
    assert find_text("😀aa", 2, 3, "a") is None


def test_pairs_join_marks_however_they_are_told() -> None:
    marks = [Mark(0, i, i + 1, "MISSED_AGE", "x" if i == 3 else None) for i in range(5)]
    joined = joined_entities(marks, [(4, 2), (2, 0)])
    assert [mark.entity for mark in joined] == ["1", None, "1", "x", "1"]
