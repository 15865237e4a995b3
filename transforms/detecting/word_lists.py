"""Word lists and patterns by language, from ``languages/<language>/``: data that a linguist can change.

``words.yaml`` has its word lists and ``patterns.yaml`` regular expressions (``languages/lists.yaml`` and
``languages/patterns.yaml`` say what each is for), ``spoken.yaml`` what numbers and signs are called,
``inflections.yaml`` and ``nicknames.yaml`` the forms of names; ``any`` is of no language.
"""

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

from tacenda.transforms.storage.machine_cache import contents, fingerprint
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

_FOLDER = files(__package__) / "languages"
NO_DATA: Mapping[str, Any] = {}


@built_once
def languages() -> tuple[str, ...]:
    """The folders, by name: codes of languages, and those that belong to several."""
    return tuple(sorted(entry.name for entry in _FOLDER.iterdir() if entry.is_dir()))


def of_language(language: str, name: str) -> Mapping[str, Any]:
    """The data of ``languages/<language>/<name>.yaml``; empty if there is none."""
    file = _FOLDER / language / f"{name}.yaml"
    return parse_yaml(file.read_text(encoding="utf-8")) if file.is_file() else NO_DATA


def languages_with(name: str) -> dict[str, Mapping[str, Any]]:
    """The data of ``<name>.yaml``, by language, of those that have such a file."""
    return {language: data for language in languages() if (data := of_language(language, name))}


@built_once
def version() -> str:
    """A hash of all language data, for the names of cache entries made from it."""
    return fingerprint(*(contents(f"{__package__}.languages.{language}") for language in languages()))


@built_once
def _lists() -> Mapping[str, Mapping[str, frozenset[str]]]:
    return {
        language: {name: frozenset(lines.splitlines()) for name, lines in lists.items()}
        for language, lists in languages_with("words").items()
    }


@built_once
def word_list(*names: str) -> frozenset[str]:
    """The words of some lists in all languages, since conversations mix languages.

    Raises:
        KeyError: no language has a list of that name.
    """
    return frozenset().union(*(word_lists(name)[language] for name in names for language in word_lists(name)))


def word_lists(name: str) -> Mapping[str, frozenset[str]]:
    """The words of one list, by language.

    Raises:
        KeyError: no language has it.
    """
    found = {language: lists[name] for language, lists in _lists().items() if name in lists}
    if not found:
        raise KeyError(name)
    return found


@built_once
def language_pattern(name: str) -> str:
    """The patterns of a name of all languages, as alternatives; without a group around them.

    Raises:
        KeyError: no language has one.
    """
    found = {of[name]: None for of in languages_with("patterns").values() if name in of}
    if not found:
        raise KeyError(name)
    return "|".join(found)


def alternatives(words: Iterable[str]) -> str:
    """A pattern of any of the words, the longest first; without a group around it.

    >>> alternatives(["fl", "floor"])
    'floor|fl'
    """
    return "|".join(re.escape(word) for word in sorted(words, key=lambda word: (-len(word), word)))
