"""A Hugging Face token classifier in a folder: ``config.json``, ``tokenizer.json`` and its weights."""

import json
from pathlib import Path
from typing import Any

from tacenda.models.token_classifier.decoding_settings import Decision
from tacenda.models.token_classifier.package import MIN_PLACES, TOKENIZER, Engine, Package, fingerprint
from tacenda.transforms.schema.errors import UserError

CONFIG = "config.json"
_MOST_CONTEXT = 32
_MOST_PLACES = 384
"""Longer blocks cost more than they gain in accuracy."""


def read_hugging_face(path: Path) -> Package:
    """Describe a Hugging Face model from its own files.

    Labels are those of ``id2label``. Languages and training data are unknown.

    Raises:
        UserError: a file is missing or does not belong to a token classifier.
    """
    weights = sorted(f.name for f in path.glob("*.safetensors"))
    if not weights:
        raise UserError(
            f"model {path}: no *.safetensors beside {CONFIG}; a *.bin is a pickle, which may run code, and is "
            "not loaded: if you trust it, convert it with save_pretrained(…, safe_serialization=True)"
        )
    if not (path / TOKENIZER).is_file():
        raise UserError(f"model {path}: no {TOKENIZER}; save its fast tokenizer there with save_pretrained")
    try:
        config = json.loads((path / CONFIG).read_text(encoding="utf-8"))
        named = {int(number): str(label) for number, label in config["id2label"].items()}
        labels = tuple(named[number] for number in range(len(named)))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(f"model {path}: {CONFIG} has no id2label of classes 0, 1, 2 …") from None
    if not any(str(a).endswith("ForTokenClassification") for a in config.get("architectures") or ()):
        raise UserError(f"model {path}: {CONFIG} names no architecture …ForTokenClassification")
    # One position is for the classifying token.
    places = min(_MOST_PLACES, _positions(config, path) - 1)
    if places < MIN_PLACES:
        raise UserError(
            f"model {path}: {CONFIG}: 'max_position_embeddings' leaves {places} places; {MIN_PLACES} are needed"
        )
    return Package(
        path=path,
        name=str(config.get("_name_or_path") or path.name),
        version=str(config.get("_commit_hash") or config.get("transformers_version") or ""),
        labels=labels,
        max_places=places,
        context=min(_MOST_CONTEXT, places // 4),
        casing=False,
        decision=Decision(),
        languages=(),
        trained_on_personal_data=None,
        fingerprint=fingerprint(path, (CONFIG, TOKENIZER, *weights)),
        engine=Engine.TORCH,
    )


def _positions(config: dict[str, Any], path: Path) -> int:
    """Number of positions of a network; RoBERTa's start after the padding index."""
    positions = config.get("max_position_embeddings") or _MOST_PLACES + 1
    offset = (config.get("pad_token_id") or 0) + 1 if "roberta" in str(config.get("model_type")) else 0
    try:
        return int(positions) - offset
    except (TypeError, ValueError):
        raise UserError(f"model {path}: {CONFIG}: 'max_position_embeddings' is not a number") from None
