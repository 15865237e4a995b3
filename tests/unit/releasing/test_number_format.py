import doctest

import pytest

from tacenda.transforms.releasing import number_format
from tacenda.transforms.releasing.number_format import decimal, percent, whole


def test_examples():
    results = doctest.testmod(number_format)
    assert results.attempted == 4
    assert results.failed == 0


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (4.994, "4.99"),
        (4.9968, "4.997"),
        (4.99999, "4.99999"),
        (5.0, "5.00"),
        (5.0000001, "5.00"),
        (0.0, "0.00"),
    ],
)
def test_a_figure_keeps_to_its_side_of_the_threshold(figure, text):
    assert decimal(figure, threshold=5.0) == text
    assert (float(text) < 5.0) == (figure < 5.0)


@pytest.mark.parametrize("figure", [None, float("nan"), float("inf")])
def test_what_is_not_a_number_is_a_dash(figure):
    assert decimal(figure) == percent(figure) == "–"
    assert whole(None) == "–"


@pytest.mark.parametrize(
    ("share", "text"),
    [(0, "0 %"), (1e-9, "< 0.1 %"), (0.001, "0.1 %"), (0.5, "50.0 %"), (0.9995, "> 99.9 %"), (1, "100 %")],
)
def test_shares_never_round_to_none_or_all(share, text):
    assert percent(share).replace("\u00a0", " ") == text
