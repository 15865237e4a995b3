"""Where a span begins and ends for comparison: at its first and last letter or digit.

Corpora differ in whether a title is part of a name, so names are compared without titles.
"""

from tacenda.transforms.linking.normalising import without_title


def inner_limits(text: str, start: int, end: int, titled: bool) -> tuple[int, int]:
    """The limits of a range of text without punctuation and white space at its edges.

    Args:
        text: the text of the range.
        start: its first code point.
        end: the code point after its last.
        titled: whether titles before a name are excluded as well; a title on its own is kept.

    >>> inner_limits("ask (Dr. Green), please", 4, 16, True)
    (9, 14)
    """
    start, end = _stripped(text, start, end)
    if titled:
        words = text[start:end].lower()
        title = len(words) - len(without_title(words))
        if title and len(words) == end - start:
            start, end = _stripped(text, start + title, end)
    return start, end


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and not text[start].isalnum():
        start += 1
    while start < end and not text[end - 1].isalnum():
        end -= 1
    return start, end
