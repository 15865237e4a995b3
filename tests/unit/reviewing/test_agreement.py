import pytest

from tacenda.transforms.reviewing.agreement import measure_agreement, word_tags
from tacenda.transforms.reviewing.marks import Mark, Reading, Talk

TALK = Talk("c1", "", "h", (("Jim", "Ann met [PERSON_NAME_1] in Paris"),))


def _reading(reader: str, *marks: Mark) -> Reading:
    return Reading("c1", reader, marks)


ANN = Mark(0, 0, 3, "MISSED_PERSON_NAME_PARTIAL")
PARIS = Mark(0, 27, 32, "MISSED_LOCATION")


def test_words_of_labels_and_texts_are_units_and_tokens_are_not() -> None:
    assert word_tags(TALK, _reading("A")) == [None] * 5
    assert word_tags(TALK, _reading("A", ANN, PARIS)) == [None, "PERSON_NAME_PARTIAL", None, None, "LOCATION"]
    assert word_tags(TALK, _reading("A", Mark(0, 0, 3, "MISSED_AGE", None, True))) == [
        "AGE", None, None, None, None,
    ]  # fmt: skip


def test_agreement_by_tag_of_words() -> None:
    found = measure_agreement({"c1": TALK}, [_reading("A", ANN, PARIS), _reading("B", ANN)])
    assert [one.tag for one in found] == [None, "LOCATION", "PERSON_NAME_PARTIAL"]
    every, place, name = found
    assert every.words == 5
    assert every.marked == {"A": 2, "B": 1}
    # 4 of 5 agree; by chance (3 * 4 + 1 * 1 + 1 * 0) / 25.
    assert every.kappa["A", "B"] == pytest.approx((4 / 5 - 13 / 25) / (1 - 13 / 25))
    assert place.kappa["A", "B"] == 0
    assert name.kappa["A", "B"] == name.alpha == 1


def test_conversations_with_one_reader_do_not_count() -> None:
    (alone,) = measure_agreement({"c1": TALK}, [_reading("A", ANN)])
    assert (alone.words, alone.alpha, alone.kappa) == (0, None, {})
