import pytest

from tacenda.transforms.evaluating.bias.name_groups import Cell
from tacenda.transforms.evaluating.bias.tally import ContradictingGoldError, Prediction, Tally

ROWS = [
    Prediction(document, Cell(group, "women"), "good", predicted)
    for document, group, predicted in [
        ("a", "north", "good"),
        ("a", "north", "bad"),
        ("a", "south", "good"),
        ("b", "north", "good"),
    ]
]


@pytest.mark.parametrize("cut", range(5))
def test_merged_parts_equal_the_whole(cut: int):
    assert Tally().add(ROWS[:cut]).merge(Tally().add(ROWS[cut:])) == Tally().add(ROWS)
    assert Tally().add(ROWS[cut:]).merge(Tally().add(ROWS[:cut])) == Tally().add(ROWS)


def test_counts_are_of_documents_and_groups():
    tally = Tally().add(ROWS)
    assert tally.documents["a"].seen == {Cell("north", "women"): 2, Cell("south", "women"): 1}
    assert tally.documents["a"].right[Cell("north", "women")] == 1
    assert tally.predicted == {"good": 3, "bad": 1}


def test_a_document_with_two_golds_is_an_error():
    other = ROWS[0]._replace(gold="bad")
    with pytest.raises(ContradictingGoldError):
        Tally().add([ROWS[0], other])
    with pytest.raises(ContradictingGoldError):
        Tally().add([ROWS[0]]).merge(Tally().add([other]))
