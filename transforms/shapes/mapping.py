"""Mappings: which fields of an export are its conversations, in some ten lines of YAML.

A mapping names a shape and what its fields are called (``shape``, ``fields``); or says where the turns are, by
paths into the record (``turns``); or how turns begin in a text (``begins``). Those in ``mappings`` are shipped.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from typing import Any, NamedTuple

from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.process_cache import built_once

_SEEN_IN_TEXT = 2  # turns that a text must have at its beginning to be recognised

_TEXT_HEAD = 2_000


# YAML is imported where it is read, so that --help does not wait for it.


class Turns(NamedTuple):
    """Paths to the texts of turns; to who speaks, of which the first that has a value counts; to the role of
    the speaker; and to the time that orders turns.
    """

    text: str
    speaker: tuple[str, ...] = ()
    role: str | None = None
    time: str | None = None


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """A mapping as its file says it."""

    name: str  # of the file
    about: str = ""  # what it is for
    has: tuple[str, ...] = ()  # fields, at most three levels deep, by which records are recognised
    shape: str | None = None  # the shape that reads the records, under the names in ``fields``
    fields: Mapping[str, str] = field(default_factory=dict)  # as ``ReadOptions.fields``
    whole: bool = False  # whether a JSON file is one record, even if it is an array
    skip: tuple[str, ...] = ()  # names of files in the same folder that hold no conversations
    begins: str | None = None  # a pattern for what stands before a turn's text; its one group: ``speaker``
    opening: str = ""  # a pattern for what stands before the first turn
    turns: tuple[Turns, ...] = ()  # where turns are, as they follow each other, unless they have times
    id: str | None = None  # the path of the conversation's id; without one, file and position make one
    context: str | None = None  # the path of its context
    keep: tuple[str, ...] = ()  # further paths to write, searched like text
    opaque: Mapping[str, str] = field(default_factory=dict)  # paths to write unchanged, and why
    labels: tuple[str, ...] = ()  # the same, but checked for personal data, such as names of tools
    definitions: tuple[str, ...] = ()  # the same for definitions of tools
    roles: Mapping[str, str] = field(default_factory=dict)  # which labels are system, user or assistant

    @property
    def of_text(self) -> bool:
        """Whether a record is a whole text."""
        return self.begins is not None

    def fits(self, fields: Collection[str]) -> bool:
        return bool(self.has) and all(name in fields for name in self.has)

    def fits_text(self, text: str) -> bool:
        if self.begins is None:
            return False
        opening = re.match(self.opening, text)
        start = opening.end() if opening else 0
        found = [turn.start() for turn in re.finditer(self.begins, text[start : start + _TEXT_HEAD])]
        if self.opening and opening:
            return bool(found)  # notes may stand before the first turn
        return found[:1] == [0] and len(found) >= _SEEN_IN_TEXT


_TEXT, _YES, _OBJECT, _PATHS = "a text", "true or false", "an object of texts", "a path or a list of paths"
_KINDS = {  # the keys of a mapping, and what each is
    **dict.fromkeys(("about", "shape", "begins", "opening", "id", "context"), _TEXT),
    "whole": _YES,
    **dict.fromkeys(("fields", "opaque", "roles"), _OBJECT),
    **dict.fromkeys(("has", "skip", "keep", "labels", "definitions"), _PATHS),
    "turns": "",
}


def mapping_from(content: Any, name: str, where: str) -> FieldMapping:
    """A mapping of what a YAML file holds; ``where`` names it in messages.

    Raises:
        UserError: it is no mapping; the message says which key is wrong.
    """
    if type(content) is not dict:
        raise UserError(f"{where}: a mapping is a YAML object of {', '.join(_KINDS)}")
    mapping = FieldMapping(name, **{key: _read(key, value, where) for key, value in content.items()})
    if sum((bool(mapping.turns), mapping.shape is not None, mapping.of_text)) != 1:
        raise UserError(f"{where}: say where the turns are: one of turns, shape or begins")
    for pattern in filter(None, (mapping.begins, mapping.opening)):
        try:
            re.compile(pattern)
        except re.error:
            raise UserError(f"{where}: begins, opening: not a regular expression of Python") from None
    return mapping


def _read(key: str, value: Any, where: str) -> Any:
    """The value of a key, if it is what the key says."""
    kind = _KINDS.get(key)
    if kind is None:
        raise UserError(f"{where}: {key}: no such key; a mapping has {', '.join(_KINDS)}")
    if not kind:
        return tuple(_turns(one, where) for one in (value if type(value) is list else [value]))
    if kind is _PATHS:
        value = (value,) if type(value) is str else tuple(value) if type(value) in (list, tuple) else (None,)
    plain = {_TEXT: str, _YES: bool, _OBJECT: dict, _PATHS: tuple}[kind]
    texts = (*value, *value.values()) if type(value) is dict else value if kind is _PATHS else ()
    if type(value) is not plain or not all(type(one) is str for one in texts):
        raise UserError(f"{where}: {key}: is not {kind}")
    return value


def _turns(entry: Any, where: str) -> Turns:
    if type(entry) is not dict or entry.keys() - {*Turns._fields} or type(entry.get("text")) is not str:
        raise UserError(f"{where}: turns: give text, and with it speaker, role and time, each a path")
    if not all(entry.get(name) is None or type(entry[name]) is str for name in ("role", "time")):
        raise UserError(f"{where}: turns: role and time are paths")
    return Turns(**{**entry, "speaker": _read("has", entry.get("speaker", ()), f"{where}: turns.speaker")})


@built_once
def shipped() -> dict[str, FieldMapping]:
    """The shipped mappings by name."""
    from tacenda.transforms.storage.yaml_text import parse_yaml

    folder = files("tacenda.transforms.shapes").joinpath("mappings")
    names = sorted(one.name for one in folder.iterdir() if one.name.endswith(".yaml"))
    read = {name.removesuffix(".yaml"): folder.joinpath(name).read_text(encoding="utf-8") for name in names}
    return {name: mapping_from(parse_yaml(text), name, f"{name}.yaml") for name, text in read.items()}


def mapping_named(name: str) -> FieldMapping:
    """The shipped mapping with a name, or that of a YAML file.

    Raises:
        UserError: there is neither, or the file is no mapping.
    """
    import yaml

    from tacenda.transforms.storage.files import read_text
    from tacenda.transforms.storage.yaml_text import parse_yaml

    if name in shipped():
        return shipped()[name]
    if not name.endswith((".yaml", ".yml")):
        known = ", ".join(shipped())
        raise UserError(f"--from {name}: no such mapping; name a YAML file, or one of {known}")
    try:
        content = parse_yaml(read_text(name, f"--from {name}"))
    except yaml.YAMLError:
        raise UserError(f"--from {name}: not valid YAML") from None
    stem = name.rpartition("/")[2].rpartition(".")[0]
    return mapping_from(content, stem, f"--from {name}")


def recognised(fields: Collection[str]) -> FieldMapping | None:
    """The shipped mapping that records with these fields have; the one that asks for most."""
    fitting = [mapping for mapping in shipped().values() if mapping.fits(fields)]
    return max(fitting, key=lambda mapping: len(mapping.has), default=None)


def recognised_text(text: str) -> FieldMapping | None:
    """The shipped mapping whose turns a text begins with."""
    return next((mapping for mapping in shipped().values() if mapping.fits_text(text)), None)


def as_plain(mapping: FieldMapping) -> dict[str, Any]:
    """What a mapping says, for the manifest; :func:`mapping_from` reads it."""
    said = {key: value for key, value in asdict(mapping).items() if value and key != "name"}
    if mapping.turns:
        turns = (one._asdict().items() for one in mapping.turns)
        said["turns"] = [{key: value for key, value in one if value} for one in turns]
    return said
