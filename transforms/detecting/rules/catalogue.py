"""The built-in infoTypes: one YAML file each under ``info_types/``, read once; tests check them.

A file has the infoType's description and source, its patterns, and examples of what must and must not be
found; ``tests/unit/detecting/rules/test_catalogue.py`` runs all examples of all files. Parts shared by several
patterns are defined once under ``fragments``, as a pattern or the names of word lists, and used
as ``(?&name)`` in patterns, hotwords and later fragments. What is behind ``(?:)`` may be missing from a match.
"""

import platform
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from tacenda.transforms.detecting.settings import Hotword
from tacenda.transforms.detecting.word_lists import alternatives, word_list
from tacenda.transforms.detecting.word_lists import version as version_of_words
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

Boundary = Literal["word", "digit", "none"]

_CALL = re.compile(r"\(\?&([a-z_]+)\)")


@dataclass(frozen=True)
class Pattern:
    """One pattern of an infoType.

    ``needs`` names the character classes without which it cannot match. ``boundary`` says what must not touch
    a match: a letter, digit or underscore (word), a digit (digit), or nothing. If a validator rejects a
    match, it gets the likelihood ``invalid`` (None: it is dropped). ``fit`` cuts a match to size, adds
    adjacent parts or drops it. If groups of a neighbouring number ``may_join`` those of a match, rejected
    matches are searched for the number. A pattern that is no evidence on its own, such as a turn of one word,
    counts ``only_near_hotword``.
    """

    regex: str
    likelihood: Likelihood
    needs: tuple[str, ...] = ()
    boundary: Boundary = "word"
    group: int = 0
    validators: tuple[str, ...] = ()
    invalid: Likelihood | None = None
    fit: str | None = None
    only_near_hotword: bool = False
    may_join: bool = False


@dataclass(frozen=True)
class InfoType:
    """A built-in infoType; ``rank`` decides between overlapping findings, the higher one wins."""

    name: str
    description: str
    source: str
    regions: tuple[str, ...]
    rank: int
    default: bool
    patterns: tuple[Pattern, ...]
    hotwords: tuple[Hotword, ...]
    find: tuple[tuple[str, str], ...]
    """Examples: a text and the one finding that it must produce."""
    ignore: tuple[str, ...]
    """Texts that must not produce findings of this infoType at the default likelihood."""


@built_once
def catalogue() -> Mapping[str, InfoType]:
    """All built-in infoTypes by name, sorted by name.

    Patterns are compiled on first use, since few are needed; tests check the files, and that all compile.
    """
    top = Path(str(files(__package__))) / "info_types"
    info_types = [file.read_text(encoding="utf-8") for file in sorted(top.rglob("*.yaml"))]
    # Everything the result depends on: the code, word lists, and character classes.
    detecting = "tacenda.transforms.detecting"
    packages = __package__, detecting, f"{detecting}.patterns", "tacenda.transforms.schema"
    version = fingerprint(
        platform.python_version(), version_of_words(), *map(contents, packages), *info_types
    )
    return MappingProxyType(get_or_build(f"catalogue-{version}", lambda: _read(info_types)))


def _read(info_types: Iterable[str]) -> dict[str, InfoType]:
    found = {info_type.name: info_type for info_type in map(read_info_type, info_types)}
    return dict(sorted(found.items()))


@built_once
def ranks() -> Mapping[str, int]:
    """The rank of every built-in infoType, as ``merge_overlapping`` takes it."""
    return MappingProxyType({name: info_type.rank for name, info_type in catalogue().items()})


def default_info_types() -> tuple[str, ...]:
    """The infoTypes used if the config's list is empty."""
    return tuple(name for name, info_type in catalogue().items() if info_type.default)


def read_info_type(text: str) -> InfoType:
    """Read one YAML file with an infoType; its form is in ``schema.yaml``, which tests check."""
    data = parse_yaml(text)
    fragments: dict[str, str] = {}

    def expanded(pattern: str) -> str:
        return _CALL.sub(lambda call: f"(?:{fragments[call[1]]})", pattern)

    for name, value in data.get("fragments", {}).items():
        if isinstance(value, dict):
            fragments[name] = alternatives(word_list(*value["word_list"].split()))
        else:
            fragments[name] = expanded(value)

    def made(make: type[Any], part: str) -> tuple[Any, ...]:
        written = [{**one, "regex": expanded(one["regex"])} for one in data.get(part, ())]
        return tuple(make(**{name: _value(name, one[name]) for name in one}) for one in written)

    examples = data["examples"]
    return InfoType(
        **{name: data[name] for name in ("name", "description", "source", "rank")},
        regions=tuple(data["regions"]),
        default=data.get("default", True),
        patterns=made(Pattern, "patterns"),
        hotwords=made(Hotword, "hotwords"),
        find=tuple((one["text"], one["match"]) for one in examples["find"]),
        ignore=tuple(examples.get("ignore", ())),
    )


def _value(name: str, value: Any) -> Any:
    if name in ("likelihood", "invalid", "fixed"):
        return None if value == "DROP" else Likelihood[value]
    return tuple(value) if isinstance(value, list) else value
