"""Transformations of a DLP DeidentifyConfig without a cipher: from a mention to its replacement."""

import hashlib
import hmac
import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from typing import NamedTuple

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.surrogates.context import Taken
from tacenda.transforms.replacing.surrogates.dates import WrittenDate, read_date
from tacenda.transforms.replacing.surrogates.dates import shifted as shifted_day
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
        """The word of an entity; None if no word of its list is left.

        Args:
            entity: its number.
            words: the list, the same object each time.
        """
        if entity not in self._chosen:
            if id(words) not in self._left:
                self._left[id(words)] = self._walk(words)
            free = (word for word in self._left[id(words)] if self._is_free(word))
            self._chosen[entity] = next(free, None)
        return self._chosen[entity]

    def _walk(self, words: Sequence[str]) -> Iterator[str]:
        first = self._first % len(words)
        return (words[(first + place) % len(words)] for place in range(len(words)))

    def _is_free(self, word: str) -> bool:
        return not self._taken.is_word(word) and self._taken.take(word)


class Mention(NamedTuple):
    """One mention of personal data: its text, its conversation, and the number of its entity.

    ``choices`` are the words that the conversation's entities were given; None where a value is put back.
    """

    text: str
    conversation: str
    entity: int
    choices: Choices | None = None


Transform = Callable[[Mention], str | None]
"""None asks for a token. Raises ``RecordError`` for a value that it cannot take."""

Reverse = Callable[[Mention], str]
"""The original of a mention that is a surrogate. Raises ``RecordError`` as well."""


class Description(NamedTuple):
    """Description of a transformation for manifest and report.

    ``what`` is a short description; ``weakness``, if any, says what a reader still learns that a token would
    hide. ``pseudonymised``: the person can be found again with the key or a value.
    """

    what: str
    weakness: str | None = None
    pseudonymised: bool = False


class Transformation:
    """Settings of one transformation: plain data without any key."""

    __slots__ = ()

    def build(self) -> Transform:
        """Build the function; raises ``UserError`` if a key cannot be read."""
        raise NotImplementedError

    def describe(self) -> Description:
        """What it does, for manifest and report."""
        raise NotImplementedError

    def keys(self) -> tuple[Key, ...]:
        """References to its keys."""
        key = getattr(self, "key", None)
        return () if key is None else (key,)


@dataclass(frozen=True, slots=True)
class Redaction(Transformation):
    """Removes the value; the surrounding text and its spaces are unchanged."""

    def build(self) -> Transform:
        return lambda _mention: ""

    def describe(self) -> Description:
        return Description("removed")


@dataclass(frozen=True, slots=True)
class ReplacementValue(Transformation):
    """The value, as text."""

    value: str

    def build(self) -> Transform:
        value = self.value
        return lambda _mention: value

    def describe(self) -> Description:
        return Description("a fixed value")


COMMON_CHARACTERS: Mapping[str, str] = {
    "NUMERIC": string.digits,
    "ALPHA_UPPER_CASE": string.ascii_uppercase,
    "ALPHA_LOWER_CASE": string.ascii_lowercase,
    "PUNCTUATION": string.punctuation,
    "WHITESPACE": string.whitespace,
}
"""``CommonCharsToIgnore``."""


@dataclass(frozen=True, slots=True)
class CharacterMask(Transformation):
    """Which characters are masked, and by what.

    ``number`` characters are masked from the left, or from the right with ``reverse``; 0 means all, and a
    negative number leaves that many unmasked at the far end. Characters in ``ignored`` are kept and not
    counted.
    """

    sign: str = "*"
    number: int = 0
    reverse: bool = False
    ignored: str = ""

    def build(self) -> Transform:
        return self._masked

    def describe(self) -> Description:
        weak = []
        if self.number:
            weak.append(f"all but {-self.number}" if self.number < 0 else f"only {self.number}")
        if any(map(str.isalnum, self.ignored)):
            weak.append("not the letters and digits to be ignored")
        masked = f"{' and '.join(weak)} of its characters are masked" if weak else None
        return Description(
            masked or f"each character replaced by {self.sign}", masked or "its length stays readable"
        )

    def _masked(self, mention: Mention) -> str:
        ignored = self.ignored
        text = mention.text
        places = [i for i, character in enumerate(text) if character not in ignored]
        if self.reverse:
            places.reverse()
        number = self.number or len(places)
        masked = list(text)
        for place in places[: number if number > 0 else max(0, len(places) + number)]:
            masked[place] = self.sign
        return "".join(masked)


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


@dataclass(frozen=True, slots=True)
class TimePart(Transformation):
    """The part that is kept."""

    part: str

    def build(self) -> Transform:
        """The function; it raises ``RecordError`` for text without that part."""
        read = PARTS[self.part]

        def extracted(mention: Mention) -> str:
            year = _YEAR.fullmatch(mention.text) if self.part == "YEAR" else None
            if year is not None:
                return year[1]
            part = read(_dated(mention.text))
            if part is None:
                raise RecordError("NoSuchTimePart")
            return str(part)

        return extracted

    def describe(self) -> Description:
        part = self.part.lower().replace("_", " ")
        return Description(f"only the {part} of a date", f"the {part} of dates stays readable")


def _dated(text: str) -> WrittenDate:
    """The date in a text, possibly among other words; raises ``RecordError`` if it has none with a month."""
    written = read_date(text, among_words=True)
    if written is None or written.month is None:
        raise RecordError("NotADate")
    return written


Bound = float | date | time | str
"""A bound for comparison; values are parsed as the type of their bound."""

_NUMBER = re.compile(r"(?<![\d.,])[-+]?(?:\d{1,3}(?:[ ,]\d{3})+|\d+)(?:\.\d+)?(?![\d]|[.,]\d)")


class Bucket(NamedTuple):
    """A range from ``least`` to below ``most``; None is unbounded."""

    least: Bound | None
    most: Bound | None
    value: str


@dataclass(frozen=True, slots=True)
class Bucketing(Transformation):
    """The buckets, in order; a value outside of them cannot be replaced."""

    buckets: tuple[Bucket, ...]

    def build(self) -> Transform:
        """The function; it raises ``RecordError`` for a value in no bucket."""

        def bucket_of(mention: Mention) -> str:
            for bucket in self.buckets:
                if _within(mention.text, bucket):
                    return bucket.value
            raise RecordError("InNoBucket")

        return bucket_of

    def describe(self) -> Description:
        return Description(f"one of {len(self.buckets)} ranges", "the range of values stays readable")


@dataclass(frozen=True, slots=True)
class FixedSizeBucketing(Transformation):
    """Ranges of one size between two bounds, plus one below and one above."""

    lower: float
    upper: float
    size: float

    def build(self) -> Transform:
        """The function; it raises ``RecordError`` for text that is not a number."""
        return lambda mention: self._bucket(_number(mention.text))

    def describe(self) -> Description:
        what = f"ranges of {self.size:g} from {self.lower:g} to {self.upper:g}"
        return Description(what, "the range of values stays readable")

    def _bucket(self, number: float) -> str:
        if number < self.lower:
            return f"-{_written(self.lower)}"
        if number > self.upper or (number == self.upper and self.upper == self.lower):
            return f"{_written(self.upper)}+"
        # In integer hundredths, the precision of sizes: 0.1 has no exact binary form.
        low, high, size = (round(100 * value) for value in (self.lower, self.upper, self.size))
        last = max(0, -(-(high - low) // size) - 1)
        place = min(int((100 * number - low) // size), last)
        start = low + place * size
        return f"{_written(start / 100)}-{_written(min(start + size, high) / 100)}"


def _within(text: str, bucket: Bucket) -> bool:
    like = bucket.least if bucket.least is not None else bucket.most
    if like is None:
        return True
    try:
        value = _read(text, like)
    except RecordError:
        return False
    return (bucket.least is None or bucket.least <= value) and (  # type: ignore[operator]
        bucket.most is None or value < bucket.most  # type: ignore[operator]
    )


def _read(text: str, like: Bound) -> Bound:
    if isinstance(like, str):
        return text
    if isinstance(like, date):
        written = _dated(text)
        if written.year is None:
            raise RecordError("NotADate")
        return written.first_day
    if isinstance(like, time):
        found = re.fullmatch(r"\s*([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?\s*", text)
        if found is None:
            raise RecordError("NotATime")
        return time(int(found[1]), int(found[2]), int(found[3] or 0))
    return _number(text)


def _number(text: str) -> float:
    found: Sequence[re.Match[str]] = list(_NUMBER.finditer(text))
    if len(found) != 1 or sum(map(str.isdigit, text)) != sum(map(str.isdigit, found[0][0])):
        raise RecordError("NotANumber")
    return float(re.sub("[ ,]", "", found[0][0]))


def _written(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class DateShift(Transformation):
    """Shifts by ``lower`` to ``upper`` days, inclusive, determined by key and conversation.

    Google's context can be any field; here it is always the conversation.
    """

    lower: int
    upper: int
    key: Key

    def build(self) -> Transform:
        """The function; it raises ``RecordError`` for text that is not a date."""
        key = self.key.read()

        def shifted(mention: Mention) -> str:
            written, days = _dated(mention.text), self.days(key, mention.conversation)
            moved = written.moved(days)
            if moved is None or (days and shifted_day(written.first_day, days) == written.first_day):
                raise RecordError("NotADate")
            return moved

        return shifted

    def days(self, key: bytes, conversation: str) -> int:
        """The shift of a conversation, in days."""
        digest = hmac.new(key, conversation.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
        return self.lower + int.from_bytes(digest, "big") % (self.upper - self.lower + 1)

    def describe(self) -> Description:
        what = f"dates moved by {self.lower} to {self.upper} days, alike within a conversation"
        return Description(what, "intervals between dates, and times of day, stay readable")


@dataclass(frozen=True, slots=True)
class DictionaryWords(Transformation):
    """The words to replace with.

    Google draws one at random for each mention. Here each entity of a conversation has one of its own, which
    does not occur in the conversation; those for which no word is left get tokens.
    """

    words: tuple[str, ...]

    def build(self) -> Transform:
        words = self.words

        def word_for(mention: Mention) -> str | None:
            return mention.choices.word(mention.entity, words) if mention.choices else None

        return word_for

    def describe(self) -> Description:
        return Description(f"a word from a list of {len(self.words):,}")
