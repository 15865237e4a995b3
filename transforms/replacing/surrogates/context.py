"""State shared by the surrogates of one conversation: draws, taken values, language."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property

from tacenda.transforms.language.telling import main_languages, tell
from tacenda.transforms.replacing.surrogates.date_shift import offset_in_days
from tacenda.transforms.replacing.surrogates.dates import read_date
from tacenda.transforms.replacing.surrogates.keyed import KeyedDraws
from tacenda.transforms.replacing.surrogates.kinds import kind_of
from tacenda.transforms.replacing.surrogates.pools import Pools
from tacenda.transforms.replacing.surrogates.settings import SurrogateSettings
from tacenda.transforms.replacing.surrogates.taken import Taken
from tacenda.transforms.text.column import TextColumn

_ACCENTED = re.compile(r"[^\W\d_a-zA-Z]")
_BARE_GENITIVES = frozenset(("sv", "no", "da", "de"))
_RELATED = {"nb": "no", "nn": "no"}


class Context:
    """One conversation. ``mentions`` has the distinct texts of each infoType's findings.

    ``language`` is that of most cells, empty if none is known; None if it has yet to be told.
    """

    def __init__(
        self,
        draws: KeyedDraws,
        taken: Taken,
        texts: Sequence[str],
        mentions: Mapping[str, Sequence[str]],
        settings: SurrogateSettings,
        language: str | None = None,
    ) -> None:
        self.draws = draws
        self.taken = taken
        self.pools = Pools(draws, taken)
        self.mentions = mentions
        self.settings = settings
        self.places: dict[str, str | None] = {}
        self.streets: dict[str, Sequence[str]] = {}
        self._texts = texts
        self._language = language

    @cached_property
    def writes_accents(self) -> bool:
        """Whether any letter has an accent: some writers and recognisers use none."""
        return any(not text.isascii() and _ACCENTED.search(text) for text in self._texts)

    @cached_property
    def days(self) -> int:
        """The shift of the conversation's dates, in days."""
        dates = [
            read
            for info_type, texts in self.mentions.items()
            if kind_of(info_type) == "date"
            for text in texts
            if (read := read_date(text, self.language)) is not None
        ]

        def collisions(days: int) -> int:
            return sum(self.taken.is_original(moved) for read in dates if (moved := read.moved(days)))

        return offset_in_days(self.draws.draw("dates"), collisions)

    @cached_property
    def language(self) -> str:
        """The language of most cells, ``en`` if none is known."""
        language = self._language
        if language is None:
            bounds = [0, len(self._texts)]
            language = main_languages(tell(TextColumn(self._texts, bounds)), bounds)[0]
        return _RELATED.get(language, language) or "en"

    @property
    def has_bare_genitives(self) -> bool:
        """Whether genitives of the language end with an s without an apostrophe."""
        return self.language in _BARE_GENITIVES
