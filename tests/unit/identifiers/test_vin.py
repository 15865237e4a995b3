import pytest

from tacenda.transforms.identifiers.vin import check_digit


@pytest.mark.parametrize("number", ["1M8GDM9AXKP042788", "11111111111111111", "1HGCM82633A004352"])
def test_published_examples(number):
    """The worked example of 49 CFR 565.15, the number of ones, and a widely published one."""
    assert check_digit(number) == number[8]


def test_the_present_check_digit_is_ignored():
    assert {check_digit(f"1M8GDM9A{c}KP042788") for c in "0123456789X"} == {"X"}


@pytest.mark.parametrize("number", ["1M8GDM9AXKP04278", "IM8GDM9AXKP042788", "1m8gdm9axkp042788"])
def test_text_that_is_not_a_vin_is_refused(number):
    with pytest.raises(ValueError, match=r"character|zip"):
        check_digit(number)
