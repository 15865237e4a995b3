from collections.abc import Mapping

import pytest

from tacenda.transforms.evaluating.synthetic.parts_of_speech import TagCounts, compare_tags, tags_of


def _counted(tags: Mapping[str, int], records: int = 1, first: int = 0) -> TagCounts:
    counts = TagCounts()
    for record in range(first, first + records):
        counts.add(f"r{record}", [tag for tag, times in tags.items() for _ in range(times)])
    return counts


def test_tags_are_a_list_or_words() -> None:
    assert tags_of(" DET  NOUN ") == ("DET", "NOUN")
    assert tags_of([1, "X"]) == ("1", "X")
    assert tags_of({"a": 1}) == ()


def test_shares_are_compared_with_samples_of_the_source() -> None:
    samples = [_counted({"NOUN": 1, "VERB": 1}), _counted({"NOUN": 3, "ADJ": 1})]
    found = compare_tags(_counted({"NOUN": 6, "VERB": 2}), samples)
    # Of the samples: nouns .5 and .75, verbs .5 and 0, adjectives 0 and .25; deviation with ddof 1.
    assert found["shares"] == {
        "ADJ": {"synthetic": 0.0, "source": [0.125, 0.1768]},
        "NOUN": {"synthetic": 0.75, "source": [0.625, 0.1768]},
        "VERB": {"synthetic": 0.25, "source": [0.25, 0.3536]},
    }
    assert found["distance"] == 0.125
    assert found["by_chance"] == 0.5
    assert found["kinds"] == {"synthetic": 2, "source": [2.0, 0.0]}


def test_equal_corpora_have_distance_0_and_disjoint_ones_1() -> None:
    assert compare_tags(_counted({"A": 1, "B": 1}), [_counted({"A": 2, "B": 2})])["distance"] == 0
    found = compare_tags(_counted({"A": 1}), [_counted({"B": 5})])
    assert (found["distance"], found["by_chance"]) == (1, None)


def test_records_that_vary_give_an_interval_around_the_distance() -> None:
    few, many = (
        _counted({"A": 3, "B": 1}, n).merge(_counted({"A": 1, "B": 3}, n // 3, n)) for n in (30, 3000)
    )
    source = [_counted({"A": 1, "B": 1}, 30, 10_000).merge(_counted({"A": 2}, 5, 20_000))]
    wide, narrow = (compare_tags(counts, source)["interval"] for counts in (few, many))
    assert wide[0] <= compare_tags(few, source)["distance"] <= wide[1]
    assert narrow[1] - narrow[0] < wide[1] - wide[0]
    # Of corpora that are alike, it begins at 0.
    alike = _counted({"A": 3, "B": 1}, 30, 30_000).merge(_counted({"A": 1, "B": 3}, 10, 40_000))
    assert compare_tags(few, [alike])["interval"][0] == 0


def test_counts_are_the_same_in_any_order_and_division() -> None:
    whole = _counted({"A": 1, "B": 2}, 40)
    parts = _counted({"A": 1, "B": 2}, 10, 30).merge(_counted({"A": 1, "B": 2}, 30))
    assert compare_tags(whole, [parts])["distance"] == 0
    for tag in "AB":
        assert (whole.resampled[tag] == parts.resampled[tag]).all()


@pytest.mark.parametrize("tags", [{}, {"A": 1}])
def test_records_without_variation_have_no_interval(tags: dict[str, int]) -> None:
    assert compare_tags(_counted(tags), [_counted(tags)])["interval"] is None
