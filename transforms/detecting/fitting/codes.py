"""Edges of numbers and codes: drop the words that introduce them."""

import re

from tacenda.transforms.detecting.fitting.words import words
from tacenda.transforms.schema.finding import Finding

_LEADING = re.compile(r"([^\W\d_]+(?:['’][^\W\d_]+)?)[,:]? +(?=\S)")
_HALF_A_WORD = 2


def _is_filler(text: str, word: re.Match[str]) -> bool:
    """Whether "oh" before a written number is an interjection, not a zero."""
    return word[1].lower() == "oh" and text[word.end()].isdigit()


def trim_code(text: str, finding: Finding) -> Finding:
    """A number or code without the words before it ("says 3-0-8", "It's 925-961-9090")."""
    start, end = finding.start, finding.end
    if not text[start].isalpha():
        return finding
    lead = words("before_addresses" if finding.info_type == "STREET_ADDRESS" else "before_codes")
    while word := _LEADING.match(text, start, end):
        half = start > 0 and text[start - 1] in "'’" and len(word[1]) <= _HALF_A_WORD
        if not half and word[1].lower() not in lead and not _is_filler(text, word):
            break
        start = word.end()
    return finding if start == finding.start else finding._replace(start=start)
