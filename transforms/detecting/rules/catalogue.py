"""The built-in infoTypes: one YAML file each under ``info_types/``, read and checked once.

A file has the infoType's description and source, its patterns, and examples of what must and must not be
found; ``tests/unit/detecting/test_catalogue.py`` runs all examples of all files. Parts shared by several
patterns are defined once under ``fragments``, as a pattern or the name of a word list in ``words/``, and used
as ``(?&name)`` in patterns, hotwords and later fragments. Files under ``additions/`` add patterns and
examples of one language or script to an infoType.
"""

import platform
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Literal

import re2
import yaml

from tacenda.transforms.detecting.patterns.scanning import compiled, why_refused
from tacenda.transforms.detecting.rules.match_boundaries import TRIMMERS
from tacenda.transforms.detecting.rules.match_context import EXTENDERS
from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.detecting.settings import Hotword
from tacenda.transforms.detecting.word_lists import word_list
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build_anyway
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml
from tacenda.transforms.text.utf8 import CLASSES

Boundary = Literal["word", "digit", "none"]

_CALL = re.compile(r"\(\?&([a-z_]+)\)")


@dataclass(frozen=True)
class Pattern:
    """One pattern of an infoType.

    ``needs`` names the character classes without which it cannot match. ``boundary`` says what must not touch
    a match: a letter, digit or underscore (word), a digit (digit), or nothing. If a validator rejects a
    match, it gets the likelihood ``invalid`` (None: it is dropped). ``trim`` cuts a match to size, ``extend``
    adds adjacent parts. If groups of a neighbouring number ``may_join`` those of a match, rejected matches
    are searched for the number. A pattern that is no evidence on its own, such as a turn of one word, counts
    ``only_near_hotword``.
    """

    regex: str
    likelihood: Likelihood
    needs: tuple[str, ...] = ()
    boundary: Boundary = "word"
    group: int = 0
    validators: tuple[str, ...] = ()
    invalid: Likelihood | None = None
    trim: str | None = None
    extend: str | None = None
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

    Patterns are compiled on first use, since few are needed; tests check that all of them compile.
    """
    texts, additions = (
        {file.name: file.read_bytes() for file in _files(files(__package__) / folder)}
        for folder in ("info_types", "additions")
    )
    # Everything the result depends on: the code, word lists, and character classes.
    detecting = "tacenda.transforms.detecting"
    packages = (
        __package__,
        detecting,
        f"{detecting}.words",
        f"{detecting}.patterns",
        "tacenda.transforms.schema",
    )
    made_of = (part for some in (texts, additions) for name, text in some.items() for part in (name, text))
    version = fingerprint(platform.python_version(), *map(contents, packages), *made_of)
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


def _files(folder: Any) -> list[Any]:
    found: list[Any] = []
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        if entry.is_dir():
            found.extend(_files(entry))
        elif entry.name.endswith(".yaml"):
            found.append(entry)
    return found


def read_info_type(text: str, place: str, compile_patterns: bool = True) -> InfoType:
    """Parse one YAML file into an infoType; its patterns are checked by compiling them, unless disabled.

    Raises:
        UserError: a field is unknown, missing or of the wrong type, or a pattern is not valid RE2.
    """
    entry = _entry(text, place, compile_patterns)
    info_type = InfoType(
        name=entry.take("name", str),
        description=entry.take("description", str),
        source=entry.take("source", str),
        regions=tuple(entry.strings("regions")),
        rank=entry.take("rank", int),
        default=entry.take("default", bool, True),
        **_findable(entry),
    )
    entry.done()
    return info_type


def read_addition(text: str, place: str, compile_patterns: bool = True) -> tuple[str, dict[str, Any]]:
    """Parse one YAML file of ``additions/``: the name of an infoType, and what is added to which of its fields.

    Raises:
        UserError: as for ``read_info_type``.
    """
    entry = _entry(text, place, compile_patterns)
    name: str = entry.take("adds_to", str)
    entry.take("source", str)
    findable = _findable(entry)
    entry.done()
    return name, findable


def _entry(text: str, place: str, compile_patterns: bool) -> "_Fields":
    try:
        data = parse_yaml(text)
    except yaml.YAMLError as error:
        raise UserError(f"{place}: not YAML ({type(error).__name__}); mend its syntax") from None
    return _Fields(data, place, compile_patterns)


def _findable(entry: "_Fields") -> dict[str, Any]:
    """What a file says of finding: the last fields of an :class:`InfoType`."""
    entry.fragments = _fragments(entry.inner(entry.take("fragments", dict, {}), "fragments"))
    examples = entry.inner(entry.take("examples", dict), "examples")
    findable = {
        "patterns": tuple(
            _pattern(entry.inner(p, f"patterns[{i}]")) for i, p in enumerate(entry.take("patterns", list, []))
        ),
        "hotwords": tuple(
            _hotword(entry.inner(h, f"hotwords[{i}]")) for i, h in enumerate(entry.take("hotwords", list, []))
        ),
        "find": tuple(
            (e.take("text", str), e.take("match", str))
            for e in (examples.inner(f, "find") for f in examples.take("find", list))
        ),
        "ignore": tuple(examples.strings("ignore")),
    }
    examples.done()
    return findable


def _fragments(entry: "_Fields") -> dict[str, str]:
    """The fragments by name, each with earlier ones expanded; a word list becomes alternatives."""
    for name, value in list(entry.data.items()):
        if isinstance(value, dict):
            listed = entry.inner(entry.take(name, dict), name)
            words = word_list(listed.take("word_list", str))
            entry.fragments[name] = "|".join(map(re2.escape, sorted(words, key=lambda w: (-len(w), w))))
            listed.done()
        else:
            entry.fragments[name] = entry.regex(name)
    return entry.fragments


def _pattern(entry: "_Fields") -> Pattern:
    boundary: Any = entry.take("boundary", str, "word")
    invalid = entry.take("invalid", str, "DROP")
    pattern = Pattern(
        regex=entry.regex("regex"),
        likelihood=entry.likelihood("likelihood"),
        needs=tuple(entry.known("needs", CLASSES)),
        boundary=boundary,
        group=entry.take("group", int, 0),
        validators=tuple(entry.known("validators", VALIDATORS)),
        invalid=None if invalid == "DROP" else Likelihood[invalid],
        trim=entry.take("trim", str, None),
        extend=entry.take("extend", str, None),
        only_near_hotword=entry.take("only_near_hotword", bool, False),
        may_join=entry.take("may_join", bool, False),
    )
    if boundary not in ("word", "digit", "none"):
        raise UserError(f"{entry.place}.boundary: unknown; use word, digit or none")
    if pattern.trim is not None and pattern.trim not in TRIMMERS:
        raise UserError(f"{entry.place}.trim: unknown; use one of {', '.join(TRIMMERS)}")
    if pattern.extend is not None and pattern.extend not in EXTENDERS:
        raise UserError(f"{entry.place}.extend: unknown; use one of {', '.join(EXTENDERS)}")
    if pattern.may_join and (pattern.trim or pattern.extend or pattern.group or not pattern.validators):
        raise UserError(
            f"{entry.place}.may_join: needs validators and a whole match; drop trim, extend and group, or it"
        )
    entry.check_group(pattern.regex, pattern.group)
    entry.done()
    return pattern


def _hotword(entry: "_Fields") -> Hotword:
    hotword = Hotword(
        regex=entry.regex("regex"),
        window_before=entry.take("window_before", int, 0),
        window_after=entry.take("window_after", int, 0),
        fixed=entry.likelihood("fixed") if "fixed" in entry.data else None,
        relative=entry.take("relative", int, 0),
    )
    entry.done()
    return hotword


class _Fields:
    """The fields of one mapping, taken one by one; any left over is an unknown field."""

    def __init__(self, data: Any, place: str, compile_patterns: bool) -> None:
        if not isinstance(data, dict):
            raise UserError(f"{place}: must be a mapping")
        self.data = dict(data)
        self.place = place
        self.fragments: dict[str, str] = {}
        self._compile_patterns = compile_patterns

    def inner(self, data: Any, name: str) -> "_Fields":
        """The fields of a nested mapping, with the same fragments."""
        fields = _Fields(data, f"{self.place}.{name}", self._compile_patterns)
        fields.fragments = dict(self.fragments)
        return fields

    def take(self, name: str, kind: type, *default: Any) -> Any:
        if name not in self.data and default:
            return default[0]
        value = self.data.pop(name, None)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise UserError(f"{self.place}.{name}: must be given as {kind.__name__} (quote YAML scalars)")
        return value

    def strings(self, name: str) -> list[str]:
        values: list[Any] = self.take(name, list, [])
        if not all(isinstance(value, str) for value in values):
            raise UserError(f"{self.place}.{name}: must be a list of strings (quote YAML scalars)")
        return values

    def known(self, name: str, choices: Mapping[str, Any]) -> list[str]:
        values = self.strings(name)
        for value in values:
            if value not in choices:
                raise UserError(f"{self.place}.{name}: {value} is unknown; use one of {', '.join(choices)}")
        return values

    def regex(self, name: str) -> str:
        written: str = self.take(name, str)
        pattern = _CALL.sub(self._fragment, written)
        if self._compile_patterns:
            try:
                compiled(pattern)
            except re2.error as error:
                raise UserError(
                    f"{self.place}.{name}: not an RE2 pattern ({why_refused(error)}); mend it"
                ) from None
        return pattern

    def check_group(self, pattern: str, group: int) -> None:
        if self._compile_patterns and not 0 <= group <= compiled(pattern).groups:
            raise UserError(f"{self.place}.group: the pattern has no such group")

    def _fragment(self, call: re.Match[str]) -> str:
        if call[1] not in self.fragments:
            raise UserError(f"{self.place}: no fragment is called {call[1]}; define it under fragments")
        return f"(?:{self.fragments[call[1]]})"

    def likelihood(self, name: str) -> Likelihood:
        value: str = self.take(name, str)
        if value not in Likelihood.__members__:
            raise UserError(f"{self.place}.{name}: unknown; use one of {', '.join(Likelihood.__members__)}")
        return Likelihood[value]

    def done(self) -> None:
        if self.data:
            raise UserError(f"{self.place}: unknown field {min(self.data)}; drop it or correct its name")
