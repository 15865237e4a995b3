"""Model package: a folder with a network, its tokenizer and the metadata needed to use them.

``package.json`` has the name, version, labels (class 0 is "O"), block length, whether letter case is an
input, the decoding settings, and the sources of the weights.
"""

import hashlib
import json
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
    "trained_on_personal_data", "licenses", "about", "unreported",
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
    to ``context`` are unscored context. ``casing``: the letter case of each piece is its token type.
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
    engine: Engine = Engine.ONNX
    unreported: tuple[str, ...] = ()
    vocabulary: int = 0
    measured: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The entry in manifest and report."""
        return {
            "name": self.name,
            "version": self.version,
            "engine": self.engine.value,
            "fingerprint": self.fingerprint,
            "languages": list(self.languages),
            "trained_on_personal_data": self.trained_on_personal_data,
        }


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
    fields = _Fields(data, place)
    max_places = fields.number("max_places", MIN_PLACES)
    context = fields.number("context", 0)
    if max_places < 4 * context:
        raise UserError(f"{place}: 'max_places' must be at least four times 'context'")
    labels = fields.names("labels")
    if len(labels) < 2 or labels[0] != "O" or len(set(labels)) != len(labels):
        raise UserError(f"{place}: 'labels' must begin with \"O\" and name each class once")
    unreported = fields.names("unreported") if "unreported" in data else ()
    if not set(unreported) <= set(labels[1:]):
        raise UserError(f"{place}: 'unreported' has a name that is not in 'labels'")
    return Package(
        path=path,
        name=fields.text("name"),
        version=fields.text("version"),
        labels=labels,
        max_places=max_places,
        context=context,
        casing=fields.flag("casing"),
        decision=read_decision(data.get("decision", {}), f"{place}: 'decision'"),
        languages=fields.names("languages"),
        trained_on_personal_data=fields.flag("trained_on_personal_data"),
        fingerprint=fingerprint(path, (DESCRIPTION, MODEL, WEIGHTS, TOKENIZER)),
        unreported=unreported,
        measured=_measured(path / CURVE, fields.names("languages")),
    )


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


class _Fields:
    """Typed access to a JSON object."""

    def __init__(self, data: dict[str, Any], place: str) -> None:
        self._data = data
        self._place = place
        for key in data:
            if key not in _KEYS:
                raise UserError(f"{place}: unknown key '{key}'; known here: {', '.join(_KEYS)}")

    def _wrong(self, key: str, what: str) -> UserError:
        return UserError(f"{self._place}: '{key}' must be {what}")

    def text(self, key: str) -> str:
        value = self._data.get(key)
        if not isinstance(value, str) or not value:
            raise self._wrong(key, "a text")
        return value

    def number(self, key: str, least: int) -> int:
        value = self._data.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise self._wrong(key, f"a whole number of at least {least}")
        return value

    def flag(self, key: str) -> bool:
        value = self._data.get(key)
        if not isinstance(value, bool):
            raise self._wrong(key, "true or false")
        return value

    def names(self, key: str) -> tuple[str, ...]:
        value = self._data.get(key)
        if not isinstance(value, list) or not all(isinstance(name, str) and name for name in value):
            raise self._wrong(key, "a list of names")
        return tuple(value)
