import math

import pytest

from tacenda.transforms.releasing.charts import bar_percent, histogram, shared_axis


def layout(counts, threshold=5.0, mean=1.0, top=3.0):
    return histogram(counts, shared_axis([counts], threshold), mean, top)


def test_no_conversation_is_lost_in_the_last_bar():
    chart = layout({0: 10, 5: 2, 20: 1, 21: 3, 400: 4})
    assert sum(bar.count for bar in chart.bars) == 20
    assert (chart.bars[-1].score, chart.bars[-1].count) == ("20+", 8)


def test_a_histogram_that_ends_at_twenty_has_no_plus():
    assert layout({0: 10, 20: 1}).bars[-1].score == "20"


def test_scores_up_to_past_the_threshold_always_have_a_slot():
    assert [bar.score for bar in layout({0: 1}).bars] == [str(score) for score in range(9)]


@pytest.mark.parametrize("threshold", [1.0, 4.5, 5.0, 25.0])
def test_bars_at_or_over_the_threshold_stand_right_of_the_line(threshold):
    chart = layout(dict.fromkeys(range(40), 1), threshold)
    for bar in chart.bars:
        assert bar.over == (int(bar.score.rstrip("+")) >= threshold)
        if bar.over:
            assert bar.x > chart.threshold_x
        else:
            assert bar.x < chart.threshold_x


@pytest.mark.parametrize(("top", "met"), [(4.99, True), (5.0, False), (5.01, False), (900.0, False)])
def test_the_rail_ends_left_of_the_line_exactly_when_the_criterion_is_met(top, met):
    chart = layout({0: 5, 9: 1}, top=top)
    assert (chart.rail.end < chart.threshold_x) == met
    assert chart.rail.end <= chart.right
    assert chart.rail.clipped == (top == 900.0)


def test_heights_are_square_roots_of_shares_on_one_scale():
    first, second = {0: 100}, {0: 25, 1: 75}
    axis = shared_axis([first, second], 5.0)
    tallest = histogram(first, axis, 0.0, 0.0).bars[0].height
    assert histogram(second, axis, 0.75, 1.0).bars[0].height == pytest.approx(tallest / 2, abs=0.01)


def test_one_conversation_among_millions_is_still_seen():
    chart = layout({0: 50_000_000, 12: 1})
    assert chart.bars[12].height >= 2
    assert chart.bars[11].height == 0


def test_wide_labels_are_turned():
    assert not layout({0: 999, 20: 1}).upright_labels
    assert layout({0: 1_200, 20: 1}).upright_labels


def test_nothing_scored_draws_no_rail_and_no_bar():
    chart = histogram({}, shared_axis([], 5.0), None, None)
    assert chart.rail is None
    assert not any(bar.height for bar in chart.bars)
    assert histogram({}, shared_axis([{}], 5.0), math.nan, math.nan).rail is None


def test_table_bars_end_at_their_cell():
    assert bar_percent(7, 7) == 100.0
    assert bar_percent(0, 0) == 0.0
