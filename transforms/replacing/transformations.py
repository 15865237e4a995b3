"""The transformations of a DLP DeidentifyConfig: functions that build, of settings, what replaces a text."""

import hashlib
import hmac
import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.surrogates.context import Taken
from tacenda.transforms.replacing.surrogates.dates import WrittenDate, read_date
from tacenda.transforms.schema.errors import RecordError


class Choices:
    """What the entities of a conversation were given so far.

    A word that occurs in the conversation is never chosen, whether replaced or not: it would be taken for a
    person who is meant. Where in a list the choice begins follows from the conversation's id alone, so it is
    the same on every worker.

    Args:
        conversation: the id.
        originals: the texts that are replaced.
        texts: all texts of the conversation.
    """

    def __init__(self, conversation: str, originals: Iterable[str], texts: Iterable[str]) -> None:
        digest = hashlib.sha256(conversation.encode("utf-8", "surrogatepass")).digest()
        self._first = int.from_bytes(digest[:8], "big")
        self._taken = Taken(originals, texts)
        self._chosen: dict[int, str | None] = {}
        self._left: dict[int, Iterator[str]] = {}

    def word(self, entity: int, words: Sequence[str]) -> str | None:
        """The word of an entity, from a list that is the same object each time; None if none is left."""
        if entity not in self._chosen:
            if id(words) not in self._left:
                first = self._first % len(words)
                self._left[id(words)] = iter([*words[first:], *words[:first]])
            free = (w for w in self._left[id(words)] if not self._taken.is_word(w) and self._taken.take(w))
            self._chosen[entity] = next(free, None)
        return self._chosen[entity]


class Mention(NamedTuple):
    """One mention of personal data: its text, its conversation, and the number of its entity.

    ``choices`` are the words that the conversation's entities were given; None for none.
    """

    text: str
    conversation: str
    entity: int
    choices: Choices | None = None


Transform = Callable[[Mention], str | None]
"""None asks for a token. Raises ``RecordError`` for a value that it cannot take."""


@dataclass(frozen=True, slots=True)
class Transformation:
    """One transformation as plain data, without any key: its function, and what that is called with.

    ``what`` is a short description; ``weakness``, if any, says what a reader still learns that a token would
    hide. ``pseudonymised``: the person can be found again with the key or a value.
    """

    function: Callable[..., Any]
    settings: tuple[Any, ...] = ()
    what: str = ""
    weakness: str | None = None
    key: Key | None = None
    pseudonymised: bool = False

    def build(self, function: Callable[..., Any] | None = None) -> Any:
        """Build the function, or another of the same settings, on the worker.

        Raises:
            UserError: a key cannot be read.
        """
        return (function or self.function)(*((self.key,) if self.key else ()), *self.settings)


def fixed(value: str) -> Transform:
    """The same value for everything; empty to remove it."""
    return lambda _mention: value


COMMON_CHARACTERS: Mapping[str, str] = {
    "NUMERIC": string.digits,
    "ALPHA_UPPER_CASE": string.ascii_uppercase,
    "ALPHA_LOWER_CASE": string.ascii_lowercase,
    "PUNCTUATION": string.punctuation,
    "WHITESPACE": string.whitespace,
}
"""``CommonCharsToIgnore``."""


def masked(sign: str = "*", number: int = 0, reverse: bool = False, ignored: str = "") -> Transform:
    """Mask ``number`` characters by a sign, from the left, or from the right with ``reverse``.

    0 means all, and a negative number leaves that many unmasked at the far end. Characters in ``ignored`` are
    kept and not counted.
    """

    def mask(mention: Mention) -> str:
        text = list(mention.text)
        places = [i for i, character in enumerate(text) if character not in ignored]
        if reverse:
            places.reverse()
        for place in places[: number or None] if number >= 0 else places[: max(0, len(places) + number)]:
            text[place] = sign
        return "".join(text)

    return mask


PARTS: Mapping[str, Callable[[WrittenDate], int | None]] = {
    "YEAR": lambda written: written.year,
    "MONTH": lambda written: written.month,
    "DAY_OF_MONTH": lambda written: written.day,
    "DAY_OF_WEEK": lambda written: written.first_day.isoweekday() if written.year and written.day else None,
    "WEEK_OF_YEAR": lambda written: (
        written.first_day.isocalendar().week if written.year and written.day else None
    ),
    "HOUR_OF_DAY": lambda written: written.hour,
}
"""``TimePart``; weeks and weekdays as in ISO 8601, Monday first."""

_YEAR = re.compile(r"\D*(1[5-9]\d\d|20\d\d)\D*")
"""A text with a year and no other number: "1998", "the summer of 2017", "May 2011"."""


def time_part(part: str) -> Transform:
    """Only a part of a date."""

    def extracted(mention: Mention) -> str:
        year = _YEAR.fullmatch(mention.text) if part == "YEAR" else None
        if year is not None:
            return year[1]
        found = PARTS[part](_dated(mention.text))
        if found is None:
            raise RecordError("NoSuchTimePart")
        return str(found)

    return extracted


def _dated(text: str) -> WrittenDate:
    """The date in a text, possibly among other words; raises ``RecordError`` if it has none with a month."""
    written = read_date(text, among_words=True)
    if written is None or written.month is None:
        raise RecordError("NotADate")
    return written


_NUMBER = re.compile(r"(?<![\d.,])[-+]?(?:\d{1,3}(?:[ ,]\d{3})+|\d+)(?:\.\d+)?(?![\d]|[.,]\d)")


class Bucket(NamedTuple):
    """The numbers from ``least`` to below ``most``, and what stands for them."""

    least: float
    most: float
    value: str


def bucketed(*buckets: Bucket) -> Transform:
    """The value of the first bucket that has the number of the mention."""

    def bucket_of(mention: Mention) -> str:
        number = _number(mention.text)
        for least, most, value in buckets:
            if least <= number < most:
                return value
        raise RecordError("InNoBucket")

    return bucket_of


def bucketed_alike(lower: float, upper: float, size: float) -> Transform:
    """Ranges of one size between two bounds, plus one below and one above."""
    # In integer hundredths, the precision of sizes: 0.1 has no exact binary form.
    low, high, step = (round(100 * value) for value in (lower, upper, size))
    last = max(0, -(-(high - low) // step) - 1)

    def bucket_of(mention: Mention) -> str:
        number = _number(mention.text)
        if number < lower:
            return f"-{_written(lower)}"
        if number > upper or number == upper == lower:
            return f"{_written(upper)}+"
        start = low + min(int((100 * number - low) // step), last) * step
        return f"{_written(start / 100)}-{_written(min(start + step, high) / 100)}"

    return bucket_of


def _number(text: str) -> float:
    found: Sequence[re.Match[str]] = list(_NUMBER.finditer(text))
    if len(found) != 1 or sum(map(str.isdigit, text)) != sum(map(str.isdigit, found[0][0])):
        raise RecordError("NotANumber")
    return float(re.sub("[ ,]", "", found[0][0]))


def _written(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def date_shifted(key: Key, lower: int, upper: int) -> Transform:
    """Dates moved by the days of their conversation, the only context; at Google it can be any field."""
    secret = key.read()

    def shifted(mention: Mention) -> str:
        moved = _dated(mention.text).moved(days_of(secret, mention.conversation, lower, upper))
        if moved is None:
            raise RecordError("NotADate")
        return moved

    return shifted


def days_of(key: bytes, conversation: str, lower: int, upper: int) -> int:
    """The shift of a conversation: ``lower`` to ``upper`` days, inclusive."""
    digest = hmac.digest(key, conversation.encode("utf-8", "surrogatepass"), "sha256")
    return lower + int.from_bytes(digest, "big") % (upper - lower + 1)


def word_of(*words: str) -> Transform:
    """A word for each entity of a conversation, as long as they last; Google draws one for each mention."""
    return lambda mention: mention.choices.word(mention.entity, words) if mention.choices else None
