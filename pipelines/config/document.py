"""Read a config file into plain data with the line of each key.

An exported template of Cloud DLP becomes sections of our config: an InspectTemplate, a DeidentifyTemplate, the
request that creates either, and both configs side by side as in a de-identification request. Our own sections
may be added: a custom infoType needs a score, which templates do not have.
"""

import difflib
import json
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import yaml

from tacenda.transforms.schema.errors import HALF_CHARACTER, UserError
from tacenda.transforms.storage.files import read_text
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import data_file

_WRAPPERS = ("inspect_template", "deidentify_template")
_CONFIGS = {"inspect_config": "inspect", "deidentify_config": "deidentify"}
_LISTS = ("inspect_templates", "deidentify_templates")
_ABOUT = frozenset(
    {
        "name", "display_name", "description", "create_time", "update_time", "parent", "template_id",
        "location_id", "update_mask", "allow_limited_availability_info_types",
    }
)  # fmt: skip
"""Keys of a template, or of the request for one, that do not affect a run; in camelCase, too."""


def _of_template(document: "ConfigDocument") -> "ConfigDocument":
    """A template as sections of a config, with the positions of their settings; no template stays as it is."""
    name, data = document.name, document.data
    if {_snake(str(key)) for key in data}.isdisjoint((*_WRAPPERS, *_LISTS, *_CONFIGS)):
        return document
    found = ConfigDocument(name)

    def take(place: str, holder: Mapping[str, Any]) -> None:
        for key, value in holder.items():
            path, known_as = f"{place}.{key}" if place else key, _snake(str(key))
            if known_as in _LISTS:
                raise UserError(f"{name}: '{path}' is a list of templates; keep the one you mean")
            if known_as in _WRAPPERS and not place:
                if not isinstance(value, dict):
                    raise UserError(f"{name}: '{path}' must be a mapping, a template of Cloud DLP")
                take(path, value)
            elif known_as not in _ABOUT:
                section = _CONFIGS.get(known_as, key)
                if section in found.data:
                    raise UserError(f"{name}: '{path}' gives the section '{section}' again; keep one of them")
                found.data[section] = value
                found.places.update(
                    (section + known.removeprefix(path), of_setting)
                    for known, of_setting in document.places.items()
                    if known == path or known.startswith((f"{path}.", f"{path}["))
                )

    take("", data)
    return found


_MOST_REPEATED = 100_000
_CAPITAL = re.compile("[A-Z]")
_QUOTED = re.compile(r"'.*'|\".*\"")
_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$.-]{0,63}")
_FAST = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TO_WORDS = re.compile(r".*?\.(?:dictionary|word_?[lL]ist)(?=[.\[])")

SECTIONS = (
    "inspect",
    "look_for",
    "deidentify",
    "models",
    "entities",
    "replacement",
    "risk",
    "release",
    "languages",
    "output",
)

_OF_INSPECT = ("info_types", "custom_info_types", "rule_set", "min_likelihood")
"""Settings of ``inspect`` that a bare InspectConfig has at the top."""


class Place(NamedTuple):
    """Position of a setting in the file: its 1-based line, and its path as spelled there."""

    line: int
    path: str


@dataclass(frozen=True, slots=True)
class ConfigDocument:
    """A parsed config.

    ``data`` maps section names to plain data. ``places`` maps dotted paths (``risk.threshold``,
    ``inspect.custom_info_types[0].regex``) to their positions, which in a template are below other keys.
    """

    name: str
    data: dict[str, Any] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)

    def section(self, name: str) -> dict[str, Any]:
        """A section as a mapping; empty if the file does not have it."""
        value = self.data.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self.error(name, "must be a mapping of settings, each on a line of its own below it")
        return value

    def settings(self, name: str) -> Any:
        """A section of our own, validated; a key without a value counts as missing."""
        value = self.data.get(name)
        if value is None:
            # The schemas take a while to read, and most configs have few sections.
            return [] if name == "models" else {}
        schema = own_sections()[name]
        return _valid(self, name, self.section(name) if schema["type"] == "object" else value, schema)

    def error(self, path: str, message: str, told: str | None = None) -> UserError:
        """A one-line error, ``FILE:LINE: SETTING: problem and remedy``.

        Args:
            path: the setting, in snake_case or as spelled in the file; shown as spelled in the file.
            message: the problem and how to solve it.
            told: shown instead of the path, for paths that must not be shown.
        """
        places = {**{_snake(known): place for known, place in self.places.items()}, **self.places}
        known = path
        while known and known not in places:
            cut = max(known.rfind("."), known.rfind("["))
            known = known[:cut] if cut > 0 else ""
        if not known:
            return UserError(": ".join(filter(None, (self.name, told or _without_words(path), message))))
        line, spelled = places[known]
        told = told or _without_words(spelled + path[len(known) :])
        return UserError(f"{self.name}:{line}: {told}: {message}")

    def refuse_unknown(self, path: str, given: dict[str, Any], known: tuple[str, ...]) -> None:
        """Raise for the first key that ``known`` does not list."""
        for key in given:
            if key not in known:
                full = f"{path}.{key}" if path else str(key)
                if not _NAME.fullmatch(str(key)):
                    message = f"has a key that is not a setting; known here: {', '.join(known)}"
                    raise self.error(full, message, told=path or "it")
                near = difflib.get_close_matches(str(key), known, n=1)
                hint = f"did you mean {near[0]}?" if near else f"known here: {', '.join(known)}"
                raise self.error(full, f"is not a setting; {hint}")

    @contextmanager
    def at(self, place: str = "") -> Iterator[None]:
        """Add file and line to an error within, for the setting that it begins with, or for ``place``."""
        try:
            yield
        except UserError as error:
            path, _, message = str(error).partition(": ")
            if re.split(r"[.\[]", path, maxsplit=1)[0] in SECTIONS:
                raise self.error(path, message) from None
            raise self.error(place, str(error)) from None


def load_config(url: str | None, option: str = "--config") -> ConfigDocument:
    """Read YAML or JSON from any fsspec URL; None gives the empty config, with all defaults.

    ``option`` is the command-line option that named the file, for error messages.
    """
    if url is None:
        return ConfigDocument("defaults")
    return _checked(_parsed(url, read_text(url, f"{option} {url}")))


def config_of(data: Mapping[str, Any]) -> ConfigDocument:
    """Make a config from plain data."""
    try:
        return _checked(ConfigDocument("config", json.loads(json.dumps(data, allow_nan=False))))
    except (TypeError, ValueError, RecursionError):
        raise UserError("config: not valid as JSON; use strings, numbers, lists and mappings") from None


def _checked(document: ConfigDocument) -> ConfigDocument:
    for path, value in _walk(document.data):
        if isinstance(value, str) and (half := HALF_CHARACTER.search(value)):
            # No text, and nothing that a manifest could have.
            raise document.error(
                _escaped(_without_words(path)),
                f"has {_escaped(half[0])}, half of a surrogate pair; write the character itself",
            )
    document = _of_template(document)
    for key in document.data:
        if _snake(str(key)) in _OF_INSPECT:
            raise document.error(key, "is not a section; put it under 'inspect'")
    document.refuse_unknown("", document.data, SECTIONS)
    for section in ("inspect", "deidentify"):
        for path, value in _walk(document.data.get(section), section):
            # Of settings in both snake_case and camelCase, only one would count.
            spelled: dict[str, Any] = {}
            for key in value if isinstance(value, dict) else ():
                if (other := spelled.setdefault(_snake(str(key)), key)) != key:
                    is_shown = _without_words(f"{path}.{other}") == f"{path}.{other}"
                    told = f"'{other}'" if is_shown else "another key"
                    raise document.error(f"{path}.{key}", f"is the same setting as {told}; keep one of them")
    return document


def _walk(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every value with its path, and every key with the path of its value."""
    seen: set[int] = set()
    left = [(path, value)]
    while left:
        path, value = left.pop()
        yield path, value
        if isinstance(value, (dict, list)) and id(value) not in seen:
            seen.add(id(value))  # repeated YAML anchors are the same object
            if isinstance(value, list):
                left += [(f"{path}[{index}]", inner) for index, inner in enumerate(value)]
                continue
            for key, inner in value.items():
                child = f"{path}.{key}" if path else str(key)
                left += [(child, str(key)), (child, inner)]


def _without_words(path: str) -> str:
    """A path for messages, cut off at dictionaries: their contents, even keys, may be words to protect."""
    found = _TO_WORDS.match(path)
    return path if found is None else found[0]


def _snake(path: str) -> str:
    return _CAPITAL.sub(r"_\g<0>", path).lower()


def _escaped(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _parsed(name: str, text: str) -> ConfigDocument:
    """Read JSON, if the name says so, or YAML."""
    is_json = name.endswith(".json")
    kind = "JSON" if is_json else "YAML"
    try:
        data = json.loads(text) if is_json else yaml.safe_load(text)
    except json.JSONDecodeError as error:
        raise UserError(f"{name}:{error.lineno}: not valid JSON: {error.msg}") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        # Quoted parts of the message come from the file and must not be shown.
        problem = _QUOTED.sub("…", error.problem or "unreadable")
        told = "" if problem == "expected …" else f": {problem}"
        raise UserError(
            f"{name}:{line}: not valid YAML{told}; check brackets, quotes and indentation here"
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError):
        raise UserError(f"{name}: not valid {kind}") from None
    if data is None and not is_json:
        return ConfigDocument(name)
    if not isinstance(data, dict):
        raise UserError(f"{name}:1: the config must be a mapping with sections {', '.join(SECTIONS)}")
    places: dict[str, Place] = {}
    try:
        # JSON is nearly YAML, but for tabs as white space; in valid JSON they occur only between tokens.
        loader, text = (_FAST, text.replace("\t", " ")) if is_json else (yaml.SafeLoader, text)
        places = _located(name, yaml.compose(text, Loader=loader))
    except (yaml.YAMLError, ValueError):
        pass  # a text of JSON that is no YAML has no lines
    except RecursionError:
        raise UserError(
            f"{name}: not valid {kind}: an anchor contains itself, or the nesting is too deep"
        ) from None
    return ConfigDocument(name, data, places)


def _located(name: str, whole: yaml.Node | None) -> dict[str, Place]:
    """The line of each key and entry of a YAML text, by dotted path."""
    found: dict[str, Place] = {}
    seen: set[int] = set()
    again = 0

    def locate(node: yaml.Node | None, path: str) -> None:
        nonlocal again
        again += id(node) in seen
        seen.add(id(node))
        if again > _MOST_REPEATED:
            raise UserError(
                f"{name}: its anchors are repeated more than {_MOST_REPEATED:,} times; write it out"
            )
        below: list[tuple[str, yaml.Node, yaml.Node]] = []
        if isinstance(node, yaml.MappingNode):
            below = [(f"{path}.{key.value}" if path else str(key.value), key, v) for key, v in node.value]
        elif isinstance(node, yaml.SequenceNode):
            below = [(f"{path}[{index}]", value, value) for index, value in enumerate(node.value)]
        here: set[str] = set()
        for child, marked, value in below:
            line = marked.start_mark.line + 1
            if child in here:
                told = f"'{_without_words(child)}'" if _NAME.fullmatch(str(marked.value)) else "a key"
                raise UserError(f"{name}:{line}: {told} occurs twice; keep one of them")
            here.add(child)
            # A key with a dot may coincide with the path of another; either position will do.
            found.setdefault(child, Place(line, child))
            locate(value, child)

    locate(whole, "")
    return found


@built_once
def own_sections() -> Mapping[str, Any]:
    """The schemas of our own sections, by name.

    They are JSON Schema with an extra keyword: ``errorMessage`` for invalid values.
    """
    sections: Mapping[str, Any] = data_file(__package__, "schema.yaml")
    return sections


def _valid(document: ConfigDocument, path: str, value: Any, schema: Mapping[str, Any]) -> Any:
    """A value that fits its schema, without keys that have none; else the first wrong one is an error."""
    if "anyOf" in schema:
        return value
    if not _fits(value, schema):
        told = schema.get("errorMessage") or f"must be a mapping with {', '.join(schema['properties'])}"
        raise document.error(path, told)
    if isinstance(value, list) and not schema["items"].keys().isdisjoint({"properties", "errorMessage"}):
        return [_valid(document, f"{path}[{i}]", item, schema["items"]) for i, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    properties = schema.get("properties")
    if properties is not None:
        document.refuse_unknown(path, value, tuple(properties))
    valid = {}
    for key, inner in value.items():
        if not isinstance(key, str):
            raise document.error(f"{path}.{key}", "the key is not a string; put it in quotes")
        if properties is None or inner is not None:
            of_key = schema["additionalProperties"] if properties is None else properties[key]
            valid[key] = _valid(document, f"{path}.{key}", inner, of_key)
    return valid


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    if "enum" in schema:
        return value in schema["enum"]
    kind: type | tuple[type, ...] = _KINDS[schema["type"]]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return False
    if isinstance(value, str):
        return re.search(schema.get("pattern", ""), value) is not None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return abs(value) < 2**63 and all(
            holds(value, schema[bound]) for bound, holds in _BOUNDS.items() if bound in schema
        )
    return True


_BOUNDS: Mapping[str, Callable[[float, float], bool]] = {
    "minimum": operator.ge,
    "maximum": operator.le,
    "exclusiveMinimum": operator.gt,
    "exclusiveMaximum": operator.lt,
}
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}
