"""State shared by the surrogates of one conversation: draws, taken values, language."""

import hmac
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cache, cached_property, lru_cache
from typing import Literal

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.replacing.surrogates.dates import LEAST_DAYS, MOST_DAYS, read_date
from tacenda.transforms.replacing.surrogates.lists import document
from tacenda.transforms.storage.process_cache import remembered
from tacenda.transforms.text.characters import plain_letters, without_accents


class KeyedDraws:
    """Streams of random choices for one conversation; ``secret`` has any length and is kept by the caller.

    >>> KeyedDraws(b"k", "call 1").draw("age").below(1000) == KeyedDraws(b"k", "call 1").draw("age").below(1000)
    True
    """

    __slots__ = ("_key",)

    def __init__(self, secret: bytes, conversation_id: str) -> None:
        self._key = hmac.digest(secret, conversation_id.encode("utf-8", "surrogatepass"), "sha256")

    def draw(self, *purpose: str | int) -> Draw:
        """The stream for a purpose; streams of different purposes are independent."""
        said = repr(purpose).encode("utf-8", "surrogatepass")
        return Draw(hmac.digest(self._key, said, "sha256").hex())


_WORD = re.compile(r"\w+")


class Taken:
    """Values and words that are taken, ignoring case.

    ``originals`` are all values that are replaced. A name must not be any word of the conversation either:
    that word might be a missed mention, which would then be taken for the invented person.
    """

    def __init__(self, originals: Iterable[str], texts: Iterable[str]) -> None:
        self.originals = {value.casefold().strip() for value in originals}
        self._texts = texts
        self._given: set[str] = set()

    @cached_property
    def words(self) -> frozenset[str]:
        """Every word of the texts and the originals, in plain letters."""
        found: set[str] = set()
        for text in (*self._texts, *self.originals):
            found.update(_WORD.findall(plain_letters(text)))
        return frozenset(found)

    def is_original(self, value: str) -> bool:
        """Whether a value is one of the conversation's originals."""
        return value.casefold().strip() in self.originals

    def is_word(self, name: str) -> bool:
        """Whether any word of a name occurs in the conversation."""
        return not self.words.isdisjoint(_words_of(name))

    def is_taken(self, value: str) -> bool:
        """Whether a value is an original or was claimed."""
        folded = value.casefold().strip()
        return folded in self.originals or folded in self._given

    def take(self, value: str) -> bool:
        """Claim a value for one entity; False if it is an original or already claimed."""
        if self.is_taken(value):
            return False
        self._given.add(value.casefold().strip())
        return True


@remembered
def _words_of(name: str) -> tuple[str, ...]:
    """Words of a surrogate name; list words repeat."""
    return tuple(_WORD.findall(plain_letters(name)))


Checksums = Literal["as_written", "right", "wrong"]


@dataclass(frozen=True, slots=True)
class SurrogateSettings:
    """``checksums``: whether check digits of invented numbers are valid, invalid, or as in the original.

    Ages over ``oldest_age`` years are written as ``oldest_age`` plus one; None sets no limit. ``tagged``: each
    surrogate stands between tags with its infoType, so that readers see what was invented.
    """

    checksums: Checksums = "as_written"
    oldest_age: int | None = None
    tagged: bool = False


NONE = "none"


@lru_cache(maxsize=4096)
def kind_of(info_type: str) -> str:
    """The kind of an infoType.

    >>> kind_of("PERSON_NAME"), kind_of("SPAIN_PASSPORT"), kind_of("MEDICAL_TERM")
    ('person', 'number', 'none')
    """
    for kind, patterns in document("kinds.yaml").items():
        if any(fnmatchcase(info_type, pattern) for pattern in patterns.split()):
            return str(kind)
    return NONE


_ACCENTED = re.compile(r"[^\W\d_a-zA-Z]")
_INFLECTING = frozenset(("sv", "no", "da", "de", "fi"))
_CANDIDATES = 24
_TRIES = 12
_RELATED = {"nb": "no", "nn": "no"}


@dataclass(eq=False)
class Context:
    """One conversation. ``mentions`` has the distinct texts of each infoType's findings.

    ``told`` is the language of most cells, None or empty if it is not known.
    """

    draws: KeyedDraws
    texts: Sequence[str]
    mentions: Mapping[str, Sequence[str]]
    settings: SurrogateSettings
    told: str | None = None
    places: dict[str, str | None] = field(default_factory=dict)
    _walks: dict[Hashable, Iterator[str]] = field(default_factory=dict)

    @cached_property
    def taken(self) -> Taken:
        """The originals, and what was given out."""
        return Taken((text for texts in self.mentions.values() for text in texts), self.texts)

    def drawn(
        self,
        pool: tuple[str | int, ...],
        values: Sequence[str],
        draw: Draw,
        fits: Callable[[str], bool] = bool,
    ) -> str | None:
        """A value that nobody has and that is no word of the conversation; None if none is left.

        ``pool`` identifies values and ``fits``, and is equal for equal ones; ``draw`` is the stream of the
        original to be replaced.
        """
        walk = self._walks.get(pool)
        if walk is None:
            for _ in range(_TRIES if values else 0):
                value = draw.pick(values)
                if fits(value) and self._is_free(value):
                    return value
            own = self.draws.draw("pool", *pool)
            walk = self._walks[pool] = (v for _, v in sorted((own.random(), v) for v in values))
        # What is passed over was taken, is a word or does not fit, and remains so.
        return next((value for value in walk if fits(value) and self._is_free(value)), None)

    def _is_free(self, value: str) -> bool:
        return not self.taken.is_word(value) and self.taken.take(value)

    def mentions_of(self, kind: str) -> list[str]:
        """The distinct texts found under the infoTypes of a kind."""
        return [text for name, texts in self.mentions.items() if kind_of(name) == kind for text in texts]

    def accented(self, value: str) -> str:
        """A value, without accents if no letter of the conversation has any: some write and transcribe none."""
        return value if self._writes_accents else without_accents(value)

    @cached_property
    def _writes_accents(self) -> bool:
        return any(not text.isascii() and _ACCENTED.search(text) for text in self.texts)

    @cached_property
    def days(self) -> int:
        """The shift of the conversation's dates: of several draws, the first that gives the fewest originals.

        Multiples of seven are excluded: they would keep the weekday.
        """
        read = (read_date(text, self.language) for text in self.mentions_of("date"))
        dates = [one for one in read if one is not None]
        draw = self.draws.draw("dates")
        drawn = [-draw.between(LEAST_DAYS, MOST_DAYS) for _ in range(_CANDIDATES)]

        @cache
        def collisions(days: int) -> int:
            return sum(self.taken.is_original(moved) for one in dates if (moved := one.moved(days)))

        usable = [days for days in drawn if days % 7]
        free = (days for days in usable if not collisions(days))
        return next(free, None) or min(usable, key=collisions, default=-LEAST_DAYS)

    @property
    def language(self) -> str:
        """The language of most cells, ``en`` if none is known."""
        return _RELATED.get(self.told or "", self.told) or "en"

    @property
    def inflects(self) -> bool:
        """Whether the language has endings on names without an apostrophe."""
        return self.language in _INFLECTING
