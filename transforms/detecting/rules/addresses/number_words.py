"""House numbers in words before a street: "sixty one tennyson avenue"."""

import re

from tacenda.transforms.detecting.rules.addresses.tails import is_no_part
from tacenda.transforms.detecting.word_lists import word_list

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_HOUSES = frozenset(("number", "house"))
"""Words before a house number, beside those before a part of a house."""


def said_street(text: str) -> tuple[int, int] | None:
    """From the house number to the word for a street; None if everyday words are in between.

    Number words that only count ("two lane road", "one busy street") are not house numbers. The house number
    may be within the text: "two at sixty one tennyson avenue".
    """
    tokens = [match.span() for match in _TOKEN.finditer(text)]
    words = [text[start:end].lower() for start, end in tokens]
    numbers = word_list("house_number_words")
    last = len(words) - 1
    is_number = [all(part in numbers for part in word.split("-")) for word in words]
    for i in range(1, last):  # as "three hundred and five"
        is_number[i] |= words[i] == "and" and is_number[i - 1] and is_number[i + 1]
    bad = max((i for i in range(last) if not is_number[i] and is_no_part(words[i])), default=-1)
    first = next((i for i in range(bad + 1, last) if is_number[i]), last)
    name = next((i for i in range(first, last) if not is_number[i]), last)
    if name == last or words[first:name] == ["one"]:
        return None
    if name == last - 1 and words[name] in word_list("street_suffixes"):
        return None
    is_introduced = first > bad + 1 and words[first - 1] in word_list("house_parts/dwellings") | _HOUSES
    begin = first - 1 if is_introduced else first
    return tokens[begin][0], len(text)
