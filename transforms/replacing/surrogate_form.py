"""The mark by which a reversible value is found again: ``NAME(length):value``, in URLs with escapes."""

import re
from collections.abc import Callable, Iterable
from urllib.parse import quote, unquote

_BYTE = re.compile(r"%([0-9A-Fa-f]{2})")


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
        self._named = {one: name for name in names for one in (quote(name, safe=""), name)}
        self._mark = re.compile(
            f"({'|'.join(map(re.escape, self._named))})(?:\\(|(%28))([1-9][0-9]{{0,8}})(?(2)%29%3A|\\):)"
        )

    def sub(self, reverse: Callable[[str, str], str], text: str) -> str:
        """Replace each surrogate by the result of ``reverse`` for its infoType and value.

        A mark whose value would extend beyond the end of the text is ignored.
        """
        pieces: list[str] = []
        position = 0
        while found := self._mark.search(text, position):
            escaped, length = found[2] is not None, int(found[3])
            end = _end_of_escaped(text, found.end(), length) if escaped else found.end() + length
            if end > len(text):
                pieces.append(text[position : found.end()])
                position = found.end()
                continue
            value = text[found.end() : end]
            original = reverse(self._named[found[1]], unquote(value) if escaped else value)
            pieces += text[position : found.start()], quote(original) if escaped else original
            position = end
        return "".join([*pieces, text[position:]])


def _end_of_escaped(text: str, start: int, length: int) -> int:
    """The end of ``length`` characters, escaped byte by byte or not; beyond the text if there are fewer."""
    for _ in range(length):
        if start >= len(text):
            return len(text) + 1
        byte = _BYTE.match(text, start)
        first = 0 if byte is None else int(byte[1], 16)
        start += 1 if byte is None else 3 * (1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0))
    return start
