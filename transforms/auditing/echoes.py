"""Echoes: words of the replaced text that were replaced elsewhere in it, in this or a similar spelling.

Propagation replaces further mentions of what was found, unless a word may be an ordinary one (*will*, *mark*).
The second look drops these guards and allows one letter more, less or other: what is left is a suspicion, and
the calibration says how often such a word is a name.
"""

import re
from collections.abc import Iterator, Sequence

from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.text.characters import plain_letters

ECHO, NEAR_ECHO = "echo", "near echo"
"""Detectors: the same letters, and letters that differ in one place."""

_WORD = re.compile(r"[^\W_]+")
_LEAST, _LEAST_NEAR = 3, 5
"""Fewest letters of a word that is looked for in this or a similar spelling."""
_LEAST_DIGITS = 4
_OF_WORDS = frozenset(("PERSON_NAME", "ORGANIZATION_NAME", "LOCATION", "STREET_ADDRESS", "USER_NAME"))


def echoes(
    originals: Sequence[str], replaced: Sequence[Sequence[Finding]], texts: Sequence[str]
) -> Iterator[tuple[int, Finding]]:
    """The cells and places of such words in one conversation.

    Args:
        originals: its cells.
        replaced: the findings that were replaced in each.
        texts: the cells with tokens.
    """
    known = _values(originals, replaced)
    if not known:
        return
    near = {key: kind for word, kind in known.items() for key in _without_a_letter(word)}
    for cell, text in enumerate(texts):
        rest = TOKEN.sub(lambda token: " " * len(token[0]), text) if "[" in text else text
        for match in _WORD.finditer(rest):
            word = plain_letters(match[0])
            kind = known.get(word)
            found = ECHO
            if kind is None and near and match[0][0].isupper() and len(word) >= _LEAST_NEAR:
                kind = near.get(word) or next(
                    (
                        near.get(key) or known[key]
                        for key in _without_a_letter(word)
                        if key in known or ("*" in key and key in near)
                    ),
                    None,
                )
                found = NEAR_ECHO
            if kind is not None:
                yield cell, Finding(match.start(), match.end(), kind, Likelihood.VERY_UNLIKELY, found)


def _values(originals: Sequence[str], replaced: Sequence[Sequence[Finding]]) -> dict[str, str]:
    """The infoType of each word that was replaced, in plain letters."""
    known: dict[str, str] = {}
    for text, cell in zip(originals, replaced, strict=True):
        for start, end, info_type, _, _ in cell:
            for match in _WORD.finditer(text, start, end):
                word = plain_letters(match[0])
                least = _LEAST_DIGITS if word.isdecimal() else _LEAST
                if len(word) >= least and (info_type in _OF_WORDS or any(map(str.isdigit, word))):
                    known.setdefault(word, info_type)
    return known


def _without_a_letter(word: str) -> Iterator[str]:
    """A word of letters less each of them: two words that differ in one place share one of these forms."""
    if len(word) >= _LEAST_NEAR and word.isalpha():
        for place in range(len(word)):
            yield f"{word[:place]}*{word[place + 1 :]}"
            yield word[:place] + word[place + 1 :]
