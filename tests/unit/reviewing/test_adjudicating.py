import pytest

from tacenda.transforms.reviewing.adjudicating import adjudicate
from tacenda.transforms.reviewing.marks import Mark, Reading
from tacenda.transforms.schema.errors import UserError

ANN = Mark(0, 0, 3, "MISSED_PERSON_NAME")
ANN_IN_PART = ANN._replace(label="MISSED_PERSON_NAME_PARTIAL")
PARIS = Mark(1, 4, 9, "MISSED_LOCATION")


def test_what_any_reader_marked_counts() -> None:
    (found,) = adjudicate([Reading("c", "B", (ANN,)), Reading("c", "A", (PARIS,))])
    assert (found.readers, found.marks, found.disputed) == (("A", "B"), (ANN, PARIS), True)
    assert found.read_by == "A and B"


def test_both_tags_of_one_place_are_kept_for_the_score_to_choose() -> None:
    (found,) = adjudicate([Reading("c", "A", (ANN_IN_PART,)), Reading("c", "B", (ANN,))])
    assert found.marks == (ANN, ANN_IN_PART)


def test_readers_who_agree_are_not_in_dispute_whatever_their_numbers() -> None:
    one = Reading("c", "A", (ANN._replace(entity="1"), PARIS))
    other = Reading("c", "B", (ANN._replace(entity="7"), PARIS))
    (found,) = adjudicate([one, other])
    assert not found.disputed
    assert [mark.entity for mark in found.marks] == ["1", None]


def test_entities_of_two_readers_are_joined_where_they_share_a_mark() -> None:
    later = Mark(2, 0, 3, "MISSED_PERSON_NAME", "1")
    last = Mark(3, 0, 3, "MISSED_PERSON_NAME", "9")
    one = Reading("c", "A", (ANN._replace(entity="1"), later))
    other = Reading("c", "B", (ANN._replace(entity="9"), last))
    (found,) = adjudicate([one, other])
    assert {mark.entity for mark in found.marks} == {"1"}
    apart = Reading("c", "B", (PARIS._replace(entity="1"),))
    (found,) = adjudicate([one, apart])
    assert [mark.entity for mark in found.marks] == ["1", "2", "1"]


def test_a_decision_replaces_the_marks_and_keeps_the_names() -> None:
    (found,) = adjudicate(
        [Reading("c", "A", (ANN,)), Reading("c", "B", (PARIS,))], [Reading("c", "Oscar", (PARIS,))]
    )
    assert (found.marks, found.disputed) == ((PARIS,), False)
    assert found.readers == ("A", "B", "Oscar")


def test_each_reader_counts_once() -> None:
    with pytest.raises(UserError, match="two readings by one person"):
        adjudicate([Reading("c", "A", ()), Reading("c", "A", (ANN,))])
    with pytest.raises(UserError, match="two people decided"):
        adjudicate([], [Reading("c", "A", ()), Reading("c", "B", (ANN,))])


def test_names_that_are_too_long_together_are_an_error_and_not_unread() -> None:
    (found,) = adjudicate([Reading("c", f"{letter * 60}", ()) for letter in "AB"])
    with pytest.raises(UserError, match="too long"):
        _ = found.read_by
