"""Model package: a folder with a network, its tokenizer and the metadata needed to use them.

``package.json`` has the name, version, labels (class 0 is "O"), block length, whether letter case is an
input, the decoding settings, and the sources of the weights.
"""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from tacenda.models.token_classifier.decoding_settings import Decision, read_decision
from tacenda.transforms.schema.errors import UserError

MODEL, TOKENIZER, DESCRIPTION = "model.onnx", "tokenizer.json", "package.json"
WEIGHTS = "model.onnx.data"
"""Weights outside the graph; optional."""
CURVE = "curve.json"
"""What training measured on gold, with all thresholds; optional."""

_KEYS = (
    "name", "version", "labels", "max_places", "context", "casing", "decision", "languages",
    "trained_on_personal_data", "licenses", "about", "unreported", "lists",
)  # fmt: skip

MIN_PLACES = 8

_ENOUGH = 20
"""Fewest gold spans for figures that say something."""


class Engine(str, Enum):
    """The library that runs a model."""

    ONNX = "onnxruntime"
    TORCH = "torch"
    SPACY = "spacy"
    MASKED_LM = "onnxruntime, masked language model"


@dataclass(frozen=True, slots=True)
class Package:
    """A validated ``package.json`` and its folder.

    ``labels`` has one entry a class. A block has at most ``max_places`` places of a conversation, of which up
    to ``context`` are unscored context. ``casing``: the letter case of each piece is its token type;
    with ``lists``, so is what the shipped lists say of its word.
    ``trained_on_personal_data`` is None if unknown. ``fingerprint`` is a sha256 over all files that affect
    the findings. ``unreported`` are labels that are not infoTypes: classes learnt only to separate others
    from them. ``measured`` are the languages of its maker's figures on gold.
    """

    path: Path
    name: str
    version: str
    labels: tuple[str, ...]
    max_places: int
    context: int
    casing: bool
    decision: Decision
    languages: tuple[str, ...]
    trained_on_personal_data: bool | None
    fingerprint: str
    lists: bool = False
    engine: Engine = Engine.ONNX
    unreported: tuple[str, ...] = ()
    vocabulary: int = 0
    measured: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The entry in manifest and report."""
        names = ("name", "version", "engine", "fingerprint", "languages", "trained_on_personal_data")
        told = {name: getattr(self, name) for name in names}
        return {**told, "engine": self.engine.value, "languages": list(self.languages)}


def read_package(path: Path) -> Package:
    """Read and validate a package.

    Raises:
        UserError: a file is missing or invalid.
    """
    for name in (DESCRIPTION, MODEL, TOKENIZER):
        if not (path / name).is_file():
            raise UserError(
                f"model {path}: no file {name}; a package has {DESCRIPTION}, {MODEL}, {TOKENIZER}"
            )
    place = f"model {path}: {DESCRIPTION}"
    try:
        data = json.loads((path / DESCRIPTION).read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise UserError(f"{place} is not valid JSON") from None
    if not isinstance(data, dict):
        raise UserError(f"{place} must be an object with {', '.join(_KEYS[:8])}")
    if unknown := [key for key in data if key not in _KEYS]:
        raise UserError(f"{place}: unknown key '{unknown[0]}'; known here: {', '.join(_KEYS)}")
    data = {"unreported": [], "lists": False, **data}
    for key, (what, holds) in _FIELDS.items():
        if not holds(data.get(key)):
            raise UserError(f"{place}: '{key}' must be {what}")
    labels, unreported, languages = (tuple(data[key]) for key in ("labels", "unreported", "languages"))
    if data["max_places"] < 4 * data["context"]:
        raise UserError(f"{place}: 'max_places' must be at least four times 'context'")
    if len(labels) < 2 or labels[0] != "O" or len(set(labels)) != len(labels):
        raise UserError(f"{place}: 'labels' must begin with \"O\" and name each class once")
    if not set(unreported) <= set(labels[1:]):
        raise UserError(f"{place}: 'unreported' has a name that is not in 'labels'")
    plain = ("name", "version", "max_places", "context", "casing", "lists", "trained_on_personal_data")
    return Package(
        path=path,
        labels=labels,
        unreported=unreported,
        languages=languages,
        decision=read_decision(data.get("decision", {}), f"{place}: 'decision'"),
        fingerprint=fingerprint(path, (DESCRIPTION, MODEL, WEIGHTS, TOKENIZER)),
        measured=_measured(path / CURVE, languages),
        **{key: data[key] for key in plain},
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _at_least(least: int) -> tuple[str, Callable[[Any], bool]]:
    return f"a whole number of at least {least}", lambda value: type(value) is int and value >= least


_TEXT, _NAMES = ("a text", _is_text), ("a list of names", _are_names)
_FLAG: tuple[str, Callable[[Any], bool]] = ("true or false", lambda value: isinstance(value, bool))
_FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "max_places": _at_least(MIN_PLACES),
    "context": _at_least(0),
    "labels": _NAMES,
    "unreported": _NAMES,
    "name": _TEXT,
    "version": _TEXT,
    "casing": _FLAG,
    "lists": _FLAG,
    "languages": _NAMES,
    "trained_on_personal_data": _FLAG,
}
"""What each field must be, and whether a value is."""


def _measured(curve: Path, languages: tuple[str, ...]) -> tuple[str, ...]:
    """The languages with figures; figures of gold that tells no language are of the only one there is."""
    try:
        figures = json.loads(curve.read_text(encoding="utf-8"))["figures"]
        by_language = figures.get("by_language") or {
            code: figures for code in languages if len(languages) == 1
        }
        return tuple(code for code, one in by_language.items() if one["support"] >= _ENOUGH)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return ()


def fingerprint(folder: Path, names: tuple[str, ...]) -> str:
    """Sha256 over the names and sha256 of those of the files that exist."""
    whole = hashlib.sha256()
    for name in names:
        if (folder / name).is_file():
            whole.update(f"{name} {file_sha256(folder / name)}\n".encode())
    return whole.hexdigest()


def file_sha256(path: Path) -> str:
    """Sha256 of a file, read in chunks."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()
