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

MIN_PLACES = 8

_ENOUGH = 20
"""Fewest gold spans for figures that say something."""


class Engine(str, Enum):
    """The library that runs a model."""

    ONNX = "onnxruntime"
    TORCH = "torch"
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


_FIELDS: dict[str, type] = {
    "name": str,
    "version": str,
    "max_places": int,
    "context": int,
    "casing": bool,
    "lists": bool,
    "trained_on_personal_data": bool,
}
_NAMES = ("labels", "unreported", "languages")
"""Fields that are lists of names."""


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
        described = json.loads((path / DESCRIPTION).read_text("utf-8"))
        data: dict[str, Any] = {"unreported": [], "lists": False, **described}
        plain = {key: data[key] for key in _FIELDS}
        names: dict[str, Any] = {key: tuple(map(str, data[key])) for key in _NAMES}
        sound = all(type(plain[key]) is kind for key, kind in _FIELDS.items())
    except (ValueError, KeyError, TypeError, RecursionError):
        sound = False
    if not sound:
        raise UserError(f"{place} must be an object with {', '.join((*_FIELDS, *_NAMES))}")
    labels = names["labels"]
    if data["max_places"] < max(MIN_PLACES, 4 * data["context"]):
        raise UserError(f"{place}: 'max_places' must be at least {MIN_PLACES} and four times 'context'")
    if len(labels) < 2 or labels[0] != "O" or len(set(labels)) != len(labels):
        raise UserError(f"{place}: 'labels' must begin with \"O\" and name each class once")
    if not set(names["unreported"]) <= set(labels[1:]):
        raise UserError(f"{place}: 'unreported' has a name that is not in 'labels'")
    return Package(
        path=path,
        decision=read_decision(data.get("decision", {}), f"{place}: 'decision'"),
        fingerprint=fingerprint(path, (DESCRIPTION, MODEL, WEIGHTS, TOKENIZER)),
        measured=_measured(path / CURVE, names["languages"]),
        **plain,
        **names,
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
