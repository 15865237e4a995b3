"""Sentences with the text to be found between [[ and ]]."""

import re

_MARKED = re.compile(r"\[\[(.*?)\]\]", re.DOTALL)
_MARKS = len("[[]]")


def unmarked(sentence: str) -> tuple[str, list[tuple[int, int]]]:
    """The sentence without marks, and the positions of the marked text."""
    spans = []
    for number, match in enumerate(_MARKED.finditer(sentence)):
        start = match.start() - _MARKS * number
        spans.append((start, start + len(match[1])))
    return _MARKED.sub(r"\1", sentence), spans
