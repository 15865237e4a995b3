"""The tokens that stand in a corpus, as a list for a tokenizer: ``tokenizer.add_tokens(json.load(file))``."""

from collections import Counter
from collections.abc import Iterable, Mapping

from tacenda.transforms.schema.token import TOKEN, token

MOST = 1_000
"""Numbers from here on are not counted: such tokens are too rare to be learnt as words."""


def counted_tokens(values: Mapping[str, int]) -> dict[str, int]:
    """Those of some values, with their counts, that are numbered tokens."""
    counts: Counter[str] = Counter()
    for value, count in values.items():
        if (match := TOKEN.fullmatch(value)) and len(match[2]) <= len(str(MOST - 1)):
            counts[token(match[1], int(match[2]))] += count
    return dict(counts)


def added_tokens(tokens: Iterable[str]) -> list[str]:
    """Tokens by infoType and number.

    >>> added_tokens(["[AGE_10]", "[PERSON_NAME_1]", "[AGE_2]"])
    ['[AGE_2]', '[AGE_10]', '[PERSON_NAME_1]']
    """
    return sorted(tokens, key=_place)


def _place(token: str) -> tuple[str, int]:
    match = TOKEN.fullmatch(token)
    return (match[1], int(match[2])) if match else (token, 0)
