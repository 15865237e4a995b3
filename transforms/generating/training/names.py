"""Names of people of many origins, equally likely, and the ways to write a name."""

from functools import cache, lru_cache

from tacenda.transforms.gazetteers.word_list import NAMES, rows
from tacenda.transforms.generating.data_folder import separated
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.training import lists

_FILE = "names.yaml"
_LEAST_LEVEL = "2"
_MOST_LEVEL = "3"
_PATRONYMICS = ("sson", "sdóttir", "sdottir", "ardóttir", "ardottir", "ardottur")
"""Excluded: the gazetteer has thousands of Icelandic ones, which would outnumber all other origins."""
_EVERYDAY = 0.16
"""Share of people whose given name is also an everyday word."""
_LATIN_END = "\u024f"
_HOME = {
    "en": ("english", "english", "african_american", "scottish", "welsh", "irish"),
    "es": ("spanish", "mexican", "andean"),
    "sv": ("swedish",),
    "fi": ("finnish",),
    "nb": ("norwegian",),
    "da": ("danish",),
    "de": ("german",),
    "fr": ("french",),
    "nl": ("dutch",),
    "it": ("italian",),
    "pt": ("portuguese", "brazilian"),
}
"""Most common origins of people in conversations of a language."""


_TWO_SURNAMES = {"spanish", "mexican", "andean", "portuguese", "brazilian"}
_WRITTEN = (
    ("{given} {family}", 74),
    ("{given} {letter}. {family}", 79),
    ("{given} {middle} {family}", 83),
    ("{family}, {given}", 87),
    ("{g}. {family}", 91),
    ("{g}. {letter}. {family}", 93),
    ("{given} {family}-{second}", 96),
    ("{given} {second} {family}", 98),
    ("{given} {family} {suffix}", 99),
    ("{given} “{nickname}” {family}", 100),
)
"""Forms of a full name, each with the percentile below which it is taken."""


class Origin:
    """The given and family names of one origin."""

    __slots__ = ("family", "family_first", "given", "name")

    def __init__(self, name: str) -> None:
        entry = lists.document(_FILE)["origins"][name]
        self.name = name
        self.given = separated(entry["given"])
        self.family = separated(entry["family"])
        self.family_first = entry.get("order") == "family"


@cache
def origin(name: str) -> Origin:
    """An origin by its name."""
    return Origin(name)


@lru_cache(maxsize=1)
def origins() -> tuple[str, ...]:
    """The names of all origins."""
    return tuple(lists.document(_FILE)["origins"])


def _is_name(word: str) -> bool:
    return len(word) > 2 and max(word) <= _LATIN_END and word.replace("-", "").replace("'", "").isalpha()


@lru_cache(maxsize=1)
def of_the_world() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Given and family names from the gazetteer, capitalised: many, of all origins."""
    given, family = _from_level(_LEAST_LEVEL)
    return given, tuple(name for name in family if not name.endswith(_PATRONYMICS))


@lru_cache(maxsize=1)
def frequent() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Given and family names that the gazetteer marks as frequent, capitalised."""
    return _from_level(_MOST_LEVEL)


def _from_level(least: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    given, family = [], []
    for word, levels in rows(NAMES):
        if max(levels) >= least and _is_name(word):
            if levels[0] >= least:
                given.append(word.title())
            if levels[1] >= least:
                family.append(word.title())
    return tuple(given), tuple(family)


class Person:
    """A person with a given and a family name; ``origin`` is empty for names from the gazetteer."""

    __slots__ = ("family", "family_first", "given", "origin")

    def __init__(self, draw: Draw, lang: str) -> None:
        self._draw_name(draw, lang)
        if draw.chance(_EVERYDAY):
            self.given = draw.pick(lists.listed(_FILE, "everyday"))

    def _draw_name(self, draw: Draw, lang: str) -> None:
        self.family_first = False
        chance = draw.random()
        if chance < 0.4:
            self.origin = ""
            given, family = frequent() if draw.chance(0.35) else of_the_world()
            self.given, self.family = draw.pick(given), draw.pick(family)
            if draw.chance(0.04):
                self.family = f"{draw.pick(lists.listed(_FILE, 'particles'))} {self.family}"
            return
        homely = lang != "en" and chance < 0.75
        chosen = origin(draw.pick(_HOME[lang] if homely else origins()))
        self.origin = chosen.name
        self.given = draw.pick(chosen.given)
        # People migrate and marry: sometimes the family name is of another origin.
        self.family = draw.pick((origin(draw.pick(origins())) if draw.chance(0.06) else chosen).family)
        self.family_first = chosen.family_first and draw.chance(0.4)
        if chosen.name in _TWO_SURNAMES and draw.chance(0.35):
            self.family = f"{self.family} {draw.pick(chosen.family)}"

    def full(self, draw: Draw) -> str:
        """The full name in one of its written forms."""
        if self.family_first and draw.chance(0.74):
            return f"{self.family} {self.given}"
        chance = draw.below(100)
        form = next(form for form, bound in _WRITTEN if chance < bound)
        given, family = of_the_world()
        return form.format(
            given=self.given,
            family=self.family,
            g=self.given[0],
            letter=draw.letters(1),
            middle=draw.pick(given),
            second=draw.pick(family),
            suffix=draw.pick(("Jr.", "Jr", "III", "II", "Sr.")),
            nickname=draw.pick(lists.listed(_FILE, "nicknames")),
        )

    def given_or_nickname(self, draw: Draw) -> str:
        """The given name or a nickname."""
        if draw.chance(0.08):
            return draw.pick(lists.listed(_FILE, "nicknames"))
        return self.given
