"""Months and weekdays in words: the number of a word, and another month or weekday in the same form."""

from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml


class CalendarWord(NamedTuple):
    """A month or weekday as written: its number from 0, the series it belongs to, and its ending."""

    number: int
    series: tuple[str, ...]
    ending: str = ""

    def moved(self, number: int, like: str) -> str:
        """Another word of the series, capitalised as ``like``."""
        word = self.series[number % len(self.series)]
        if like.isupper() and len(like) > 1:
            return (word + self.ending).upper()
        return (word.capitalize() if like[:1].isupper() else word) + self.ending


def months_of(word: str) -> list[CalendarWord]:
    """The months that a word may be, one for each language that has it, in the order of languages."""
    return _found(word.lower(), _months())


def weekdays_of(word: str) -> list[CalendarWord]:
    """The weekdays that a word may be, as in :func:`months_of`."""
    return _found(word.lower(), _weekdays())


_Words = dict[str, list[CalendarWord]]


@built_once
def _months() -> tuple[_Words, _Words]:
    return _read("months", "short")


@built_once
def _weekdays() -> tuple[_Words, _Words]:
    return _read("weekdays", "short_weekdays")


def _read(*kinds: str) -> tuple[_Words, _Words]:
    """Words without endings, and words that take endings."""
    fixed: _Words = {}
    inflected: _Words = {}
    languages = parse_yaml(files(__package__).joinpath("calendar_words.yaml").read_text("utf-8"))
    for language in languages.values():
        for kind in kinds:
            spellings = [names.split(" ") for names in language.get(kind, ())]
            series = tuple(names[0] for names in spellings)
            words = inflected if language.get("endings") else fixed
            for number, names in enumerate(spellings):
                for name in names:
                    words.setdefault(name, []).append(CalendarWord(number, series))
    return fixed, inflected


def _found(word: str, words: tuple[_Words, _Words]) -> list[CalendarWord]:
    fixed, inflected = words
    found = list(fixed.get(word, ()))
    for stem, several in inflected.items():
        if word.startswith(stem):
            found += [one._replace(ending=word[len(stem) :]) for one in several]
    return found
