"""The words of a mention that name somebody: without titles, particles and a possessive s."""

import re
from collections.abc import Iterator

from tacenda.transforms.linking.names import parse_name, titles
from tacenda.transforms.text.plain_letters import plain_letters

_WORD = re.compile(r"[^\W\d_]+")
_POSSESSIVE = re.compile(r"(?<=['’])s\b", re.IGNORECASE)


def name_words(text: str) -> Iterator[re.Match[str]]:
    """The words of a person's name.

    >>> [match[0] for match in name_words("Dr. Ann van Lee's")]
    ['Ann', 'Lee']
    """
    name = parse_name(text)
    possessive = {match.start() for match in _POSSESSIVE.finditer(text)}
    for match in _WORD.finditer(text):
        plain = plain_letters(match[0])
        kept = plain in titles() and plain not in name.words
        if not kept and plain not in name.particles and match.start() not in possessive:
            yield match
