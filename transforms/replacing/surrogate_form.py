"""The mark by which a reversible value is found again: ``NAME(length):value``."""

import re
from collections.abc import Callable, Iterable


def annotated(info_type: str | None, surrogate: str) -> str:
    """The surrogate with its mark; without an infoType, as it is.

    >>> annotated("MY_TOKEN", "abc")
    'MY_TOKEN(3):abc'
    """
    return surrogate if info_type is None else f"{info_type}({len(surrogate)}):{surrogate}"


class Surrogates:
    """Finds marked surrogates in texts.

    Args:
        info_types: the names in the marks.
    """

    def __init__(self, info_types: Iterable[str]) -> None:
        # Longer names first: one may be a suffix of another.
        names = sorted(info_types, key=len, reverse=True)
        self._mark = re.compile(f"({'|'.join(map(re.escape, names))})\\(([1-9][0-9]{{0,8}})\\):")

    def sub(self, reverse: Callable[[str, str], str], text: str) -> str:
        """Replace each surrogate by the result of ``reverse`` for its infoType and value.

        A mark whose value would extend beyond the end of the text is ignored.
        """
        pieces: list[str] = []
        position = 0
        while found := self._mark.search(text, position):
            end = found.end() + int(found[2])
            if end > len(text):
                pieces.append(text[position : found.end()])
                position = found.end()
                continue
            pieces += text[position : found.start()], reverse(found[1], text[found.end() : end])
            position = end
        return "".join([*pieces, text[position:]])
