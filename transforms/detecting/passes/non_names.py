"""Names that consist of ordinary words: "Hiring Manager"."""

import re
from functools import lru_cache

from tacenda.transforms.detecting.names.lexicon import lexicon
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_GENITIVE = re.compile(r"['’]s?\b")
_SHORTEST = 3
"""Fewest letters of an ordinary word; shorter ones may be initials."""


def is_non_name(text: str, finding: Finding) -> bool:
    """Whether a doubtful finding of a person's name consists of words that no list has as a name or a place."""
    doubtful = finding.info_type == "PERSON_NAME" and finding.likelihood <= Likelihood.POSSIBLE
    return doubtful and _are_ordinary(text[finding.start : finding.end].casefold())


@lru_cache(maxsize=4096)
def _are_ordinary(said: str) -> bool:
    words = [word for part in _WORD.findall(_GENITIVE.sub("", said)) for word in part.split("-")]
    return bool(words) and all(len(word) >= _SHORTEST and is_word(word) for word in words)


def is_word(word: str) -> bool:
    """Whether the lists have a lower-case word as one of a language, and neither as a name nor a place."""
    lists = lexicon()
    kind = int(lists.kinds_of([word])[0])
    return bool(lists.word[kind].any()) and not (lists.given[kind] or lists.family[kind] or lists.place[kind])
