"""Given names and surnames spelled with digits and signs for letters, as m4rk and j0hn."""

import re

from tacenda.transforms.detecting.names.lexicon import kind_of, lexicon, plain

_LETTERS = str.maketrans("013457@$", "oieastas")
_MAY_BE = re.compile(r"[^\W\d_][013457@$]|[013457@$][^\W\d_]")
_WORD = re.compile(
    r"(?<![\w@$.:/+#&=-])(?=[^\W\d_]*[013457@$])(?!\d\d|[^\W\d_]+\d+\b)(?:[^\W\d_]|[013457@$]){4,15}(?![\w@$:/+#&=-]|\.\w)"
)
"""Words with signs at their beginning or within; behind them stands a number, as in *num1*."""
_KNOWN = 2
"""Least level of a name in the lists: that of names which are more than rare."""


def in_letters(text: str) -> str:
    """The text with letters in names spelled so; as many code points as before.

    >>> in_letters("thanks m4rk, my code is a4b7")
    'thanks mark, my code is a4b7'
    """
    return _WORD.sub(_spelled, text) if _MAY_BE.search(text) else text


def _spelled(word: re.Match[str]) -> str:
    said = word[0]
    signs = sum(not letter.isalpha() for letter in said)
    if 2 * signs > len(said):
        return said
    letters = said.translate(_LETTERS)
    kind = kind_of(plain(letters.lower()))
    known = max(lexicon().given[kind], lexicon().family[kind])
    return letters if known >= _KNOWN else said
