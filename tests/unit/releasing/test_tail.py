import pytest

from tacenda.transforms.releasing.tail import tail


def test_rows_count_what_scores_at_least_so_much() -> None:
    found = tail({0: 90, 2: 5, 5: 3, 11: 2}, 5)
    assert [(row.least, row.conversations) for row in found.rows] == [
        (1, 10),
        (2, 10),
        (3, 5),
        (5, 5),
        (10, 2),
    ]
    assert found.rows[3].share == 0.05
    assert found.rows[3].interval == pytest.approx((0.0164, 0.1128), abs=1e-4)


def test_a_threshold_that_nothing_reaches_has_a_row() -> None:
    found = tail({0: 300}, 4.5)
    assert [(row.least, row.conversations) for row in found.rows] == [(1, 0), (2, 0), (3, 0), (4.5, 0)]
    assert found.rows[-1].interval[1] == pytest.approx(0.0122, abs=1e-4)


def test_each_line_is_a_tenth_of_the_one_above() -> None:
    found = tail({0: 990, 6: 10}, 5)
    assert [line.label for line in found.lines] == ["100 %", "10 %", "1 %", "0.1 %"]
    # One hundredth scores 1 to 6: two of three lines down, until past the slot of 6.
    two_down = found.lines[2].y
    assert f"V{two_down}H" in found.path
    assert f"V{float(found.base)}H" in found.path


@pytest.mark.parametrize("n", [1, 10**6])
def test_the_drawing_does_not_grow_with_the_conversations(n: int) -> None:
    found = tail({0: n, 1_000_000: 1}, 5)
    assert len(found.path) < 2_000
    assert len(found.rows) <= 7
