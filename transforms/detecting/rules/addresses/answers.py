"""Addresses given as an answer to a question, without a word for a street."""

import re
from collections.abc import Sequence

from tacenda.transforms.detecting.rules.addresses.tails import WITHIN, stands_in_no_name
from tacenda.transforms.detecting.word_lists import word_list

Range = tuple[int, int]

_TOKEN = re.compile(r"[^\W_]+(?:[.'’/-][^\W_]+)*")
_SENTENCE_ENDS = re.compile(r"(?<=[^\W\d_]{4})[.;] ")
_MONEY = re.compile(r"[$£€]\s?$")
_NOT_LAST = WITHIN | {"à"}
_TIMES = frozenset(("about", "after", "around", "before", "between", "by", "from", "past", "till", "until"))
"""Words that make the following number a time of day rather than a house number."""
_MOST_INTRODUCING = 8
_MOST_WORDS = 16
_FEW = 2
"""Most digits of a number in lower-case text that may be a count: "8 large tables"."""
_CODE = 4
"""Fewest digits of a number before a town that count as its postal code."""


def answered_address(text: str) -> Range | None:
    """A house number and a name, from the end of the introduction to the first everyday word.

    None if other words precede it ("we have 3 stores"), if it has no number or no name, or if the number is a
    count.
    """
    stop = _SENTENCE_ENDS.search(text)
    tokens = list(_TOKEN.finditer(text, 0, stop.start() if stop else len(text)))
    called = [
        i
        for i, token in enumerate(tokens[:_MOST_INTRODUCING])
        if token[0].lower() in word_list("address_labels")
    ]
    first = called[-1] + 1 if called else 0
    while first < len(tokens) and tokens[first][0].lower() in word_list("introducing_addresses"):
        first += 1
    kept = []
    for token in tokens[first:]:
        word = token[0].lower()
        if token[0] == "I" or word in word_list("months") or (stands_in_no_name(word) and word not in WITHIN):
            break
        kept.append(token)
    while kept and kept[-1][0].lower() in _NOT_LAST:
        kept.pop()
    if first > _MOST_INTRODUCING or not 2 <= len(kept) <= _MOST_WORDS:
        return None
    start, end = kept[0].start(), kept[-1].end()
    words = [token[0] for token in kept]
    numbered = _number_first(words, text[start:end]) or _number_after(kept, text)
    return (start, end) if numbered and any(map(_is_name, words)) else None


def _number_first(words: Sequence[str], text: str) -> bool:
    """A house number and its street, "48 Larkhill"; lower-case text needs a long number or enough names."""
    if not words[0][0].isdigit():
        return False
    names = [word for word in words[1:] if _is_name(word)]
    certain = not text.islower() or "," in text or words[1] == "the" or len(words[0]) > _FEW
    return certain or len(names) > (2 if names and names[-1].endswith("s") else 1)


def _number_after(tokens: Sequence[re.Match[str]], text: str) -> bool:
    """A name and a number, then at most a unit, a comma or a town with its code: "Solhem 12, Umeå"."""
    for i, token in enumerate(tokens[1:], 1):
        if token[0][0].isdigit() and tokens[i - 1][0].lower() not in _TIMES:
            before = text[: token.start()]
            following = tokens[i + 1] if i + 1 < len(tokens) else None
            apart = (
                following is None or text[token.end() : following.start()] != " " or len(following[0]) == 1
            )
            coded = len(token[0]) >= _CODE and following is not None and following[0][0].isupper()
            housed = token[0].rstrip("abcdefgh").isdecimal() and not _MONEY.search(before)
            return housed and (apart or coded)
    return False


def _is_name(word: str) -> bool:
    return len(word) > 2 and word.isalpha() and word.lower() not in word_list("everyday")
