"""Street crossings: reduce what follows "the corner of" to the two street names."""

import re

from tacenda.transforms.detecting.rules.addresses.tails import JOINING_ENGLISH
from tacenda.transforms.detecting.word_lists import word_list

Range = tuple[int, int]

_TOKEN = re.compile(r"[^\W_]+(?:[.'’-][^\W_]+)*")
_JOINT = re.compile(r" (?:and|&) ")
_MOST_WORDS_OF_A_STREET = 5


def crossing(text: str) -> Range | None:
    """Two streets after "the corner of", up to the end of the second name; None if there are none."""
    joint = _JOINT.search(text)
    if joint is None:
        return None
    first = _TOKEN.findall(text[: joint.start()].partition(" of ")[2])
    if _names_no_street(first):
        return None
    end = taken = 0
    certain = any(word[0].isupper() or word[0].isdigit() or _ends_a_street(word) for word in first)
    for token in list(_TOKEN.finditer(text, joint.end()))[:_MOST_WORDS_OF_A_STREET]:
        word = token.group()
        closes = taken > 0 and (word[0].isdigit() or _ends_a_street(word.lower()))
        fits = closes or not word[0].islower() or word in word_list("street_particles") or text.islower()
        if _names_no_street([word]) or not fits:
            break
        taken += 1
        end = token.end()
        if closes:
            certain = True
            break
    return (0, end) if taken and certain else None


def numbered_crossing(text: str) -> Range | None:
    """A numbered street and another, "5th and pine"; None if the other word is everyday or part of a date."""
    words = _TOKEN.findall(text.lower())
    others = word_list("no_street") | word_list("months") | word_list("weekdays") | _LAST
    return None if not words or words[-1] in others else (0, len(text))


_LAST = frozenset(("final", "last", "then", "next", "every", "most", "finally"))


def _names_no_street(words: list[str]) -> bool:
    stops = word_list("no_street")
    return not words or any(word in stops and word not in JOINING_ENGLISH for word in words)


def _ends_a_street(word: str) -> bool:
    return word in word_list("street_suffixes") or word.endswith(tuple(word_list("street_endings")))
