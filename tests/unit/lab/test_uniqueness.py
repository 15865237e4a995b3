"""Who is unique in a population: shares of values, multiplied."""

import math

import pytest

from tacenda.pipelines.lab.reading import merged
from tacenda.pipelines.lab.uniqueness import PopulationRisk, marginals_of
from tacenda.transforms.schema.errors import UserError

ROWS = [("AGE", "34", 0.01), ("AGE", "90", 0.001), ("LOCATION", "Malmö", 0.03), ("LOCATION", "Kiruna", 0.002)]


@pytest.fixture
def marginals():
    return marginals_of(1_000_001, ROWS, "table.csv")


def test_the_share_of_a_combination_is_the_product_of_its_values(marginals):
    risk = PopulationRisk()
    risk.add([("AGE", "90"), ("LOCATION", "kiruna")], marginals)
    others = 1_000_000 * 0.001 * 0.002
    found = risk.figures()
    assert found["unique"] == round((1 - 0.000002) ** 1_000_000, 2)
    assert found["average_risk"] == pytest.approx((1 - math.exp(-others)) / others, abs=1e-6)
    assert (found["small"], found["small_interval"]) == (1, [0.025, 1.0])
    assert found["info_types"] == {"AGE": 1, "LOCATION": 1}


def test_the_rarest_value_of_a_kind_counts_and_repetition_does_not(marginals):
    one, other = PopulationRisk(), PopulationRisk()
    one.add([("LOCATION", "Malmö"), ("LOCATION", "Kiruna"), ("LOCATION", "Kiruna")], marginals)
    other.add([("LOCATION", "Kiruna")], marginals)
    assert one == other
    assert one.figures()["small"] == 0


def test_what_the_table_does_not_list_counts_as_the_rarest(marginals):
    one, other = PopulationRisk(), PopulationRisk()
    one.add([("LOCATION", "Ystad"), ("PERSON_NAME", "Ann")], marginals)
    other.add([("LOCATION", "Kiruna")], marginals)
    assert (one.unique, one.right, one.unlisted) == (other.unique, other.right, 1)


def test_a_number_in_words_is_that_number(marginals):
    assert marginals.share("AGE", "34 years old") == (0.01, True)
    assert marginals.share("AGE", "34 or 90") == (0.001, False)
    assert marginals.share("GENDER", "female") is None


def test_conversations_without_a_value_have_no_risk_and_sums_add_up(marginals):
    whole, parts = PopulationRisk(), [PopulationRisk(), PopulationRisk()]
    for number, found in enumerate([[], [("AGE", "34")], [("AGE", "90")], [("AGE", "90")]]):
        whole.add(found, marginals)
        parts[number % 2].add(found, marginals)
    assert merged(parts[1], parts[0]) == whole
    assert whole.figures()["with_values"] == 3
    # 10,000 people, and twice 1,000.
    assert whole.figures()["average_risk"] == pytest.approx((0.0001 + 0.001 + 0.001) / 4, rel=0.01)


def test_somebody_alone_is_unique():
    risk = PopulationRisk()
    risk.add([("AGE", "34")], marginals_of(1, [("AGE", "34", 1.0)], "t"))
    assert (risk.figures()["unique"], risk.figures()["average_risk"]) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ([("AGE", "34", 0.0)], "row 1: share must be above 0"),
        ([("AGE", "34", math.nan)], "row 1: share must be above 0"),
        ([("AGE", "34", 0.1), ("AGE", " 34 ", 0.1)], "row 2: its value is listed before"),
        ([("AGE", "34", 0.6), ("AGE", "35", 0.6)], "shares of AGE add up to more than 1"),
        ([], "has no rows"),
    ],
)
def test_a_table_that_cannot_be_is_refused(rows, what):
    with pytest.raises(UserError, match=f"t.csv: .*{what}|t.csv: {what}"):
        marginals_of(10, rows, "t.csv")
