"""The built-in infoTypes: one YAML file each under ``info_types/``, read and checked once.

A file has the infoType's description and source, its patterns, and examples of what must and must not be
found; ``tests/unit/detecting/test_catalogue.py`` runs all examples of all files. Parts shared by several
patterns are defined once under ``fragments``, as a pattern or the names of word lists, and used
as ``(?&name)`` in patterns, hotwords and later fragments. Files in ``languages/other_european`` add patterns
and examples of these languages to an infoType.
"""

import platform
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import fastjsonschema
import re2
import yaml

from tacenda.transforms.detecting.patterns.scanning import compiled, why_refused
from tacenda.transforms.detecting.rules.fitting import FITS
from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.detecting.settings import Hotword
from tacenda.transforms.detecting.word_lists import data_file, word_list
from tacenda.transforms.detecting.word_lists import version as version_of_words
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build_anyway
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
    adjacent parts or drops it. A pattern that is no evidence on its own, such as a turn of one word, counts
    ``only_near_hotword``.
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

    Patterns are compiled on first use, since few are needed; tests check that all of them compile.
    """
    top = Path(str(files("tacenda.transforms.detecting")))
    texts, additions = (
        {file.name: file.read_bytes() for file in sorted((top / folder).rglob("*.yaml"))}
        for folder in ("rules/info_types", "languages/other_european")
    )
    # Everything the result depends on: the code, word lists, and character classes.
    detecting = "tacenda.transforms.detecting"
    packages = __package__, detecting, f"{detecting}.patterns", "tacenda.transforms.schema"
    made_of = (part for some in (texts, additions) for name, text in some.items() for part in (name, text))
    version = fingerprint(platform.python_version(), version_of_words(), *map(contents, packages), *made_of)
    return MappingProxyType(get_or_build_anyway(f"catalogue-{version}", lambda: _read(texts, additions)))


def _read(texts: Mapping[str, bytes], additions: Mapping[str, bytes]) -> dict[str, InfoType]:
    found: dict[str, InfoType] = {}
    for file, text in texts.items():
        info_type = read_info_type(text.decode(), file, compile_patterns=False)
        if info_type.name in found:
            raise UserError(f"{file}: {info_type.name} is defined twice; keep one file for it")
        found[info_type.name] = info_type
    for file, text in additions.items():
        name, added = read_addition(text.decode(), file, compile_patterns=False)
        if name not in found:
            raise UserError(f"{file}: no infoType is called {name}; correct 'adds_to'")
        found[name] = replace(found[name], **{key: getattr(found[name], key) + added[key] for key in added})
    return dict(sorted(found.items()))


@built_once
def ranks() -> Mapping[str, int]:
    """The rank of every built-in infoType, as ``merge_overlapping`` takes it."""
    return MappingProxyType({name: info_type.rank for name, info_type in catalogue().items()})


def default_info_types() -> tuple[str, ...]:
    """The infoTypes used if the config's list is empty."""
    return tuple(name for name, info_type in catalogue().items() if info_type.default)


def read_info_type(text: str, place: str, compile_patterns: bool = True) -> InfoType:
    """Parse one YAML file into an infoType; its patterns are checked by compiling them, unless disabled.

    Raises:
        UserError: a field is unknown, missing or of the wrong type, or a pattern is not valid RE2.
    """
    data, found = _parsed(text, place, "info_type", compile_patterns)
    data["regions"] = tuple(data["regions"])
    return InfoType(**{"default": True, **data, **found})


def read_addition(text: str, place: str, compile_patterns: bool = True) -> tuple[str, dict[str, Any]]:
    """Parse one YAML file that adds to an infoType: its name, and what is added to which of its fields.

    Raises:
        UserError: as for ``read_info_type``.
    """
    data, found = _parsed(text, place, "addition", compile_patterns)
    return data["adds_to"], found


@built_once
def _check(kind: str) -> Callable[[Any], Any]:
    """The check of a kind of file by ``schema.yaml``."""
    schema = data_file(__package__, "schema.yaml")
    check: Callable[[Any], Any] = fastjsonschema.compile(
        {**schema, "$ref": f"#/$defs/{kind}"}, use_default=False
    )
    return check


def _parsed(
    text: str, place: str, kind: str, compile_patterns: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The fields of a file, and those of an :class:`InfoType` that say what is found."""
    try:
        data = parse_yaml(text)
        _check(kind)(data)
    except yaml.YAMLError as error:
        raise UserError(f"{place}: not YAML ({type(error).__name__}); mend its syntax") from None
    except fastjsonschema.JsonSchemaValueException as error:
        raise UserError(f"{place}: {error.message.replace('data', 'it', 1)}") from None
    fragments: dict[str, str] = {}

    def expanded(here: str, written: str) -> str:
        """A pattern with its fragments, checked."""
        for name in _CALL.findall(written):
            if name not in fragments:
                raise UserError(f"{here}: no fragment is called {name}; define it under fragments")
        pattern = _CALL.sub(lambda call: f"(?:{fragments[call[1]]})", written)
        if compile_patterns:
            try:
                compiled(pattern)
            except re2.error as error:
                raise UserError(f"{here}: not an RE2 pattern ({why_refused(error)}); mend it") from None
        return pattern

    for name, value in data.pop("fragments", {}).items():
        if isinstance(value, dict):
            words = sorted(word_list(*value["word_list"].split()), key=lambda word: (-len(word), word))
            fragments[name] = "|".join(map(re2.escape, words))
        else:
            fragments[name] = expanded(f"{place}.fragments.{name}", value)
    examples = data.pop("examples")
    found: dict[str, tuple[Any, ...]] = {
        "find": tuple((one["text"], one["match"]) for one in examples["find"]),
        "ignore": tuple(examples.get("ignore", ())),
    }
    for part, make in (("patterns", Pattern), ("hotwords", Hotword)):
        several = []
        for i, one in enumerate(data.pop(part, ())):
            regex = expanded(f"{place}.{part}[{i}].regex", one["regex"])
            made = make(**{name: _value(name, value) for name, value in one.items()} | {"regex": regex})
            if isinstance(made, Pattern):
                _check_pattern(made, f"{place}.{part}[{i}]", compile_patterns)
            several.append(made)
        found[part] = tuple(several)
    return data, found


def _value(name: str, value: Any) -> Any:
    if name in ("likelihood", "invalid", "fixed"):
        return None if value == "DROP" else Likelihood[value]
    return tuple(value) if isinstance(value, list) else value


def _check_pattern(pattern: Pattern, place: str, compile_patterns: bool) -> None:
    for field, names, known in (
        ("validators", pattern.validators, VALIDATORS),
        ("fit", (pattern.fit,) if pattern.fit else (), FITS),
    ):
        for name in names:
            if name not in known:
                raise UserError(f"{place}.{field}: {name} is unknown; use one of {', '.join(known)}")
    if compile_patterns and not 0 <= pattern.group <= compiled(pattern.regex).groups:
        raise UserError(f"{place}.group: the pattern has no such group")
