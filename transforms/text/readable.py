"""Values and names without what breaks them: ends of hard-wrapped lines, soft hyphens, spaces of no width.

A mail program breaks ``070-123 45 67`` over two lines and quotes both; a copied page has soft hyphens in its
words. Without these, what is read is found as anything on one line; each character keeps its place.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from tacenda.transforms.storage.process_cache import built_once

_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_LATIN = "!-~\u00c0-\u024f"
_BREAK = r"[ \t]?\r?\n(?:>[ \t]?)*[ \t]{0,8}"

_WITHIN = re.compile(
    # Characters that nobody sees, and one that is seen only at the end of a line.
    rf"(?P<unseen>(?<=[{_LATIN}])[{_UNSEEN}]+(?:{_BREAK})?(?=[{_LATIN}]))"
    # A word divided by a hyphen, which is no part of it.
    rf"|(?P<hyphen>(?<=[^\W\d_]{{2}})-{_BREAK}(?=[^\W\d_A-ZÀ-Þ]{{2}}))"
    # After a mark that a number, code or joint name has inside.
    rf"|(?P<marked>(?:(?<=\d[-/–])|(?<=[A-Z]{{2}}-)){_BREAK}(?=\d|[A-Z]\b)"
    rf"|(?:(?<=\.\d\.)|(?<=\.\d\d\.)|(?<=\.\d{{3}}\.)){_BREAK}(?=\d)|(?<=[^\W\d_]{{2}}-){_BREAK}(?=[^\W\d_]{{2}}))"
    # Within an address.
    rf"|(?P<address>(?<=\w@){_BREAK}(?=\w)|(?<=\w){_BREAK}(?=@\w)|(?<=\w[._-]){_BREAK}(?=[\w.+-]{{1,64}}@\w)"
    rf"|(?<=\w){_BREAK}(?=\.[a-z]{{2}})|(?<=\w\.){_BREAK}(?=[a-z]{{2,6}}\b))"
    # Between groups of digits, or the capitalised words of a sentence.
    rf"|(?P<spaced>(?:(?<=\d)|(?<=\d\)))[^\S\n]?{_BREAK}(?=[\d(])|(?<=[A-Z\d]{{4}}){_BREAK}(?=[A-Z\d]{{4}}\b)"
    rf"|(?<=[^\W\d_]){_BREAK}(?=[A-ZÀ-Þ][^\W\d_]))"
)
_MAY_BE = re.compile(rf"[\n{_UNSEEN}]")
_MAY_BE_WITHIN = re.compile(
    rf"{_MAY_BE.pattern}(?:(?<!\n)|(?<=[\w\s/–.@)-]\n)(?<!\n\n)(?=(?:>[ \t]?)*[ \t]{{0,8}}[\w(@.+×-]))"
)
"""The ends of lines without a gap, after and before a character that ``_WITHIN`` may have there."""
_BEFORE_END = 3  # most characters of a break before its line ends: a hyphen, a space, a carriage return
_LETTER = re.compile(r"[^\W\d_]")
_TABLE = re.compile(r"[\t|;{}=]|,[^,\n]*,")  # columns, settings, lists: lines of their own, not broken
_ENTRY = re.compile(r"\d{1,2}[.)]\s|\d{4}-\d\d-\d\d|\d{1,2}:\d\d|\d{1,2}/\d{1,2}/\d{2}")
"""The number of an item, a date or a time, with which lines begin."""
_POSTAL_CODE = re.compile(r"[A-ZÀ-Þ][^\W\d_]+ \d{5}$")
_CAPITALISED = re.compile(r"[A-ZÀ-Þ][^\W\d_]*(?:['’-][^\W\d_]+)*")
_SMALL = re.compile(r"(?<!\w)[^\W\d_A-ZÀ-Þ]")
_LOCAL_PART = re.compile(r"[\w+-][._+-][\w+-]|\d")  # unlike a word before an @
_HOST = re.compile(r"@[\w-]+(?:\.[\w-]+)*\.?")
_LINE = 200  # most characters of a line that are looked at
_WRAPPED = range(40, 100)  # lengths of lines that a mail program has broken within a sentence


class Unbroken(NamedTuple):
    """``text`` without breaks.

    ``places`` has the place in the original of each of its characters, and the end; ``breaks`` the places there
    of what was left out or changed.
    """

    text: str
    places: list[int]
    breaks: list[int]

    def crossed(self, start: int, end: int) -> tuple[int, int] | None:
        """The place in the original of a range of the text, if a break is within it."""
        first, last = self.places[start], self.places[end - 1] + 1
        at = bisect_left(self.breaks, first)
        return (first, last) if at < len(self.breaks) and self.breaks[at] < last else None


def may_be_broken(text: str) -> bool:
    """Whether a text has a line's end or an unseen character at all."""
    return "\n" in text or (not text.isascii() and _MAY_BE.search(text) is not None)


def unbroken(text: str) -> Unbroken | None:
    r"""The text with broken values and names in one piece; None if there are none. Time is linear.

    >>> unbroken("call 070-123\n45 67").text
    'call 070-123 45 67'
    """
    if not may_be_broken(text):
        return None
    found = [broken for broken in _breaks(text) if _is_within(text, broken)]
    if not found:
        return None
    parts: list[str] = []
    places: list[int] = []
    done = 0
    for broken in found:
        parts.append(text[done : broken.start()])
        places += range(done, broken.start())
        if broken["spaced"] is not None:
            parts.append(" ")
            places.append(broken.start())
        done = broken.end()
    parts.append(text[done:])
    places += range(done, len(text) + 1)
    return Unbroken("".join(parts), places, [broken.start() for broken in found])


def _breaks(text: str) -> Iterator[re.Match[str]]:
    """The matches of ``_WITHIN``, tried only where one can begin: tried everywhere, they cost too much."""
    done = 0
    for end in _MAY_BE_WITHIN.finditer(text):
        for start in range(max(end.start() - _BEFORE_END, done), end.end()):
            if (broken := _WITHIN.match(text, start)) is not None:
                done = broken.end()
                yield broken
                break


def line_ends_within(text: str, start: int, end: int) -> frozenset[int]:
    r"""The places in a range of line ends that only break what stands there.

    >>> line_ends_within("ask Ann Wil-\nliamson", 4, 21)
    frozenset({12})
    """
    if text.find("\n", start, end) < 0:
        return frozenset()
    first = max(start - _LINE, 0)
    around = text[first : end + _LINE]
    ends = (
        first + place
        for broken in _breaks(around)
        if _is_within(around, broken)
        for place in range(broken.start(), broken.end())
        if around[place] == "\n"
    )
    return frozenset(place for place in ends if start <= place < end)


def in_one_piece(value: str) -> str:
    r"""A value or name as it is written without breaks, which all mentions of it share.

    >>> in_one_piece("ann@\nexample.com"), in_one_piece("Ann\n> Wil-\n> liamson")
    ('ann@example.com', 'Ann Williamson')
    """
    return _WITHIN.sub(_without_break, value) if may_be_broken(value) else value


def _without_break(broken: re.Match[str]) -> str:
    # The end of an abbreviation is like that of a host.
    is_space = broken["spaced"] is not None or (broken["address"] is not None and "@" not in broken.string)
    return " " if is_space else ""


def _is_within(text: str, broken: re.Match[str]) -> bool:
    """Whether the lines around a break are one sentence rather than lines of their own."""
    if "\n" not in broken[0]:
        return True
    before = text[max(broken.start() - _LINE, 0) : broken.start()].rpartition("\n")[2]
    after = text[broken.end() : broken.end() + _LINE].partition("\n")[0]
    if broken["address"] is not None:
        return _is_address(before, after)
    if _TABLE.search(before) or _TABLE.search(after) or not _LETTER.search(before):
        return False
    if broken["spaced"] is None:
        return True
    if after[0].isdigit() or after[0] == "(" or before[-1].isdigit():
        return _ENTRY.match(after) is None and _POSTAL_CODE.search(before) is None
    return _is_sentence(before, after)


def _is_sentence(before: str, after: str) -> bool:
    """Whether a capitalised name continues across a line break."""
    is_name = len(before) in _WRAPPED and _CAPITALISED.fullmatch(before.split()[-1]) is not None
    return is_name and all(map(_SMALL.search, (before, after)))


def _is_address(before: str, after: str) -> bool:
    """Whether one of the two halves lacks what the other has of an address."""
    last, first = before.split()[-1], after.split()[0]
    if first.startswith("@"):
        # Chat begins lines with whom it addresses.
        return _LOCAL_PART.search(last) is not None or len(before) in _WRAPPED
    if last.endswith("@"):
        return True
    host = _HOST.search(last)
    if host is None:
        return "@" in first and "." in first.partition("@")[2]
    return host.end() == len(last) and "." not in host[0].rstrip(".")


_BROKEN = re.compile(
    r"\n(?:(?<=\d\n)|(?<=\d\r\n)|(?<=\d[-/]\n)|(?<=\d[-/]\r\n))(?:>[ \t]?)+(?=\d)"
    r"|\n(?:(?<=@\n)|(?<=@\r\n))(?:>[ \t]?)+(?=\w)"
)  # beginning with the line's end: what stands before it would be looked for everywhere


def breaks_a_value(text: str) -> bool:
    """Whether a quoted line goes on with a number or an address."""
    return "\n>" in text and _BROKEN.search(text) is not None


def without_marks_in_values(text: str) -> str:
    r"""The text with spaces for these marks, and as many code points.

    >>> without_marks_in_values("> call 070-123\n> 45 67")
    '> call 070-123\n  45 67'
    """
    return _BROKEN.sub(lambda broken: broken[0].replace(">", " "), text) if "\n>" in text else text


_FORM = re.compile(r"[^\x00-\u065f\D]|[\uff20-\uff3a\uff41-\uff5a]")
"""Digits beyond ASCII, full-width letters and ``@``; full-width punctuation alone is usual in Chinese text."""
_WIDE = range(0xFF01, 0xFF5F)  # full-width forms of ``!`` to ``~``
_TO_ASCII = 0xFEE0
_LAST_SCRIPT = 0x20000  # no digit has a code point from here on


def has_forms(text: str) -> bool:
    """Whether a text has a digit of another script or a full-width letter.

    >>> has_forms("٠٥٠"), has_forms("050")
    (True, False)
    """
    return not text.isascii() and _FORM.search(text) is not None


def in_plain_forms(text: str) -> str:
    """The text with these and full-width punctuation replaced; as many code points as before.

    >>> in_plain_forms("ｔｅｌ：०９８")
    'tel:098'
    """
    return text.translate(_table()) if has_forms(text) else text


@built_once
def _table() -> dict[int, str]:
    digits = {code: str(int(chr(code))) for code in range(0x660, _LAST_SCRIPT) if chr(code).isdecimal()}
    return {0x3000: " ", **{code: chr(code - _TO_ASCII) for code in _WIDE}, **digits}
