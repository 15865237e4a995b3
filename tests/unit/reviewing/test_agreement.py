import pytest

from tacenda.transforms.reviewing.agreement import (
    cohen_kappa,
    krippendorff_alpha,
    measure_agreement,
    word_tags,
)
from tacenda.transforms.reviewing.marks import Mark, Reading, Talk


def _answers(yes_yes: int, yes_no: int, no_yes: int, no_no: int) -> tuple[str, str]:
    return "y" * (yes_yes + yes_no) + "n" * (no_yes + no_no), "y" * yes_yes + "n" * yes_no + "y" * no_yes + (
        "n" * no_no
    )


def test_kappa_computed_by_hand() -> None:
    # 20 + 15 of 50 agree; by chance .5 * .6 + .5 * .4 = .5; so (.7 - .5) / .5 = .4.
    assert cohen_kappa(*_answers(20, 5, 10, 15)) == pytest.approx(0.4)
    assert cohen_kappa("ab", "ab") == 1
    assert cohen_kappa("ab", "ba") == -1


def test_kappa_is_undefined_where_chance_is_certain() -> None:
    assert cohen_kappa("aaa", "aaa") is None
    assert cohen_kappa("", "") is None
    with pytest.raises(ValueError, match="1 and 2"):
        cohen_kappa("a", "ab")


def test_alpha_of_two_readers_of_two_values() -> None:
    # Krippendorff 2011, section A: 4 of 10 units differ, so 8 of 20 coincidences; 14 zeros and 6 ones.
    meg = (0, 1, 0, 0, 0, 0, 0, 0, 1, 0)
    owen = (1, 1, 1, 0, 0, 1, 0, 0, 0, 0)
    assert krippendorff_alpha(zip(meg, owen, strict=True)) == pytest.approx(1 - 19 * 8 / (2 * 14 * 6))
    assert krippendorff_alpha(zip(meg, owen, strict=True)) == pytest.approx(0.095, abs=5e-4)


def test_alpha_of_four_readers_with_missing_values() -> None:
    # The same, section C.
    readers = ("123321412...", "123322412" + "5.3", ".33323422" + "51.", "123324412" + "51.")
    units = [[value for value in unit if value != "."] for unit in zip(*readers, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=5e-4)


def test_alpha_needs_two_values_and_two_readers() -> None:
    assert krippendorff_alpha([["a", "a"], ["a", "a"]]) is None
    assert krippendorff_alpha([["a"], ["b"]]) is None
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([["a", "a"], ["b", "b"], ["c"]]) == 1


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


def test_what_one_person_read_does_not_count() -> None:
    (alone,) = measure_agreement({"c1": TALK}, [_reading("A", ANN)])
    assert (alone.words, alone.alpha, alone.kappa) == (0, None, {})
