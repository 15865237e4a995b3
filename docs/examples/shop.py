"""A detector of your own: a function that finds order numbers, and a config that names it.

python docs/examples/shop.py
"""

import re
from collections.abc import Iterator

from tacenda import Anonymizer


def order_numbers(text: str) -> Iterator[tuple[int, int]]:
    """Where order numbers such as "84/1206-1" stand, if their last digit is the sum of the others."""
    for found in re.finditer(r"\b(\d\d/\d{4})-(\d)\b", text):
        if sum(map(int, found[1].replace("/", ""))) % 10 == int(found[2]):
            yield found.span()


CONFIG = {
    "look_for": {"functions": {"ORDER_NUMBER": "shop:order_numbers"}},
    "risk": {"labels": {"ORDER_NUMBER": "GENERIC_ID"}},
}

if __name__ == "__main__":
    print(Anonymizer(CONFIG).anonymize("It is order 84/1206-1 of two shirts.").conversation)
