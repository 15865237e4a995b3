import pytest

from tacenda.transforms.evaluating.synthetic.questionnaire import (
    SOURCE,
    SYNTHETIC,
    agreement,
    from_cells,
    sheet,
)


def test_counts_must_add_up_to_the_number_of_records():
    printed = {"yes_yes": (37, 29), "yes_no": (7, 17), "no_yes": (23, 25), "no_no": (23, 25)}

    def cells(table: dict[str, tuple[int, int]]) -> dict[str, dict[str, int]]:
        return {cell: {SOURCE: one, SYNTHETIC: other} for cell, (one, other) in table.items()}

    with pytest.raises(ValueError, match="add up to 186, not to 200"):
        from_cells(cells(printed), 200)
    assert from_cells(cells({**printed, "no_no": (33, 29)}), 200)["kappa"] == 0.2899


def test_kappa_is_none_if_both_people_always_give_the_same_answer():
    origins = dict.fromkeys(range(9), SOURCE)
    never = dict.fromkeys(origins, False)
    assert agreement(origins, never, never)["kappa"] is None


def test_answers_are_counted_by_origin():
    origins = {1: SOURCE, 2: SYNTHETIC, 3: SYNTHETIC}
    report = agreement(origins, {1: True, 2: False, 3: True}, {1: True, 2: False, 3: False})
    assert report["cells"]["yes_no"] == {"total": 1, SOURCE: 0, SYNTHETIC: 1}
    assert report["cells"]["yes_yes"] == {"total": 1, SOURCE: 1, SYNTHETIC: 0}
    assert report["kappa"] == 0.4
    with pytest.raises(ValueError, match="missing"):
        agreement(origins, {1: True}, {1: True, 2: False, 3: False})


def test_the_order_of_records_does_not_reveal_their_origin():
    one = [(f"s{i}", "text") for i in range(100)]
    other = [(f"p{i}", "text") for i in range(100)]
    asked = sheet(one, other, seed=1)
    assert [row.number for row in asked] == list(range(1, 201))
    assert 30 < sum(row.origin == SOURCE for row in asked[:100]) < 70
    assert asked == sheet(one, other, seed=1) != sheet(one, other, seed=2)
    assert {(row.origin, row.record) for row in asked} == {(SOURCE, name) for name, _ in one} | {
        (SYNTHETIC, name) for name, _ in other
    }
