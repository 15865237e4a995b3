import pytest

from tacenda.transforms.evaluating.synthetic.questionnaire import (
    SOURCE,
    SYNTHETIC,
    agreement,
    cohens_kappa,
    from_cells,
    sheet,
)


@pytest.mark.parametrize(
    ("cells", "kappa"),
    [((71, 15, 83, 31), 0.089), ((126, 38, 15, 21), 0.281), ((1, 1, 2, 196), 0.393)],
)
def test_the_kappas_of_the_paper(cells: tuple[int, int, int, int], kappa: float):
    assert round(cohens_kappa(*cells) or 0, 3) == kappa


def test_the_papers_third_table_is_refused_for_its_sum_and_right_with_the_cell_that_fits():
    printed = {"yes_yes": (37, 29), "yes_no": (7, 17), "no_yes": (23, 25), "no_no": (23, 25)}

    def cells(table: dict[str, tuple[int, int]]) -> dict[str, dict[str, int]]:
        return {cell: {SOURCE: one, SYNTHETIC: other} for cell, (one, other) in table.items()}

    with pytest.raises(ValueError, match="add up to 186, not to 200"):
        from_cells(cells(printed), 200)
    assert from_cells(cells({**printed, "no_no": (33, 29)}), 200)["kappa"] == 0.2899


def test_people_who_always_say_the_same_leave_nothing_beyond_chance():
    assert cohens_kappa(0, 0, 0, 9) is None


def test_answers_are_counted_by_origin():
    origins = {1: SOURCE, 2: SYNTHETIC, 3: SYNTHETIC}
    report = agreement(origins, {1: True, 2: False, 3: True}, {1: True, 2: False, 3: False})
    assert report["cells"]["yes_no"] == {"total": 1, SOURCE: 0, SYNTHETIC: 1}
    assert report["cells"]["yes_yes"] == {"total": 1, SOURCE: 1, SYNTHETIC: 0}
    assert report["kappa"] == 0.4
    with pytest.raises(ValueError, match="missing"):
        agreement(origins, {1: True}, {1: True, 2: False, 3: False})


def test_the_order_on_the_sheet_does_not_tell_the_origin():
    one = [(f"s{i}", "text") for i in range(100)]
    other = [(f"p{i}", "text") for i in range(100)]
    asked = sheet(one, other, seed=1)
    assert [row.number for row in asked] == list(range(1, 201))
    assert 30 < sum(row.origin == SOURCE for row in asked[:100]) < 70
    assert asked == sheet(one, other, seed=1) != sheet(one, other, seed=2)
    assert {(row.origin, row.record) for row in asked} == {(SOURCE, name) for name, _ in one} | {
        (SYNTHETIC, name) for name, _ in other
    }
