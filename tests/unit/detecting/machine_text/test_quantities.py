"""Numbers that are nobody's."""

import re

import pytest

from tacenda.transforms.detecting.machine_text.quantities import is_quantity


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("in 2021", True),
        ("between 1999 and 2003", True),
        ("© 2024", True),
        ("250 g of flour", True),
        ("1500 people came", True),
        ("§ 223 applies", True),
        ("section 512 of it", True),
        ("$500", True),
        ("HTTP status 404", True),
        ("12 * 100 = 1200", True),
        ("between 200 and 300", True),
        ("20 % of 500", True),
        ("5000 Japanese yen", True),
        ("it is 231", False),
        ("my code 4471", False),
        ("it ends in 1996", False),
        ("the last four digits, from 2019", False),
        ("2021", False),
        ("account 4471882", False),
        ("B. 231 C. for A. two", False),
        ("I am at 4471 now", False),
        ("在2019年", True),
        ("в 1990 году", True),
        ("1990 में", True),
        ("१९९० में", True),
        ("4471 में", False),
        ("عام 1990", True),
        ("1500 рублей", True),
        ("350명", True),
        ("计数器350人", True),
        ("账号44718谢谢", False),
        ("계좌 44718입니다", False),
        ("счёт 44718 открыт", False),
    ],
)
def test_neighbouring_words_identify_quantities(text: str, quantity: bool) -> None:
    number = re.search(r"\d{3,}", text)
    assert number is not None
    assert is_quantity(text, *number.span()) is quantity


def test_a_fraction_is_a_quantity() -> None:
    assert is_quantity("it is 0.005 or less", 6, 11)
    assert not is_quantity("it is 10.005", 6, 12)
