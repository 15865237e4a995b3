"""Detect replacements within a word, which create a new word boundary for the rest of it."""

from collections.abc import Sequence

from tacenda.transforms.schema.finding import Finding

_JOINING = frozenset("_@")
"""Characters that patterns count as part of a word, besides letters and digits."""


def cuts_a_word(text: str, replaced: Sequence[Finding]) -> bool:
    """Whether a token replaces only a part of a word.

    Patterns require word boundaries, so they may find in the rest what they did not find in the whole word.

    >>> from tacenda.transforms.schema.likelihood import Likelihood
    >>> cuts_a_word("id 06fe1234e17c", [Finding(7, 11, "NUMERIC", Likelihood.POSSIBLE, "rules")])
    True

    Args:
        text: a cell as it was.
        replaced: its findings.
    """
    return any(
        (start > 0 and _joins(text[start - 1]) and _joins(text[start]))
        or (end < len(text) and _joins(text[end]) and _joins(text[end - 1]))
        for start, end, _, _, _ in replaced
    )


def _joins(character: str) -> bool:
    return character.isalnum() or character in _JOINING
