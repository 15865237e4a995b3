"""A Hugging Face model in a folder: ``config.json``, ``tokenizer.json`` and its weights.

It is a token classifier with ``*.safetensors``, or a masked language model exported to ``model.onnx``.
"""

import json
from pathlib import Path
from typing import Any

from tacenda.models.token_classifier.decoding_settings import Decision, Rule
from tacenda.models.token_classifier.package import (
    MIN_PLACES,
    MODEL,
    TOKENIZER,
    WEIGHTS,
    Engine,
    Package,
    fingerprint,
)
from tacenda.transforms.schema.errors import UserError

CONFIG = "config.json"
_FILLS_MASKS = "ForMaskedLM"
_MOST_CONTEXT = 32
_MOST_PLACES = 384
"""Longer blocks cost more than they gain in accuracy."""
_MOST_MASKED_PLACES = 512
_LIKELY_ENOUGH = 1e-3
"""The default threshold of a masked language model: each needs its own."""


def read_hugging_face(path: Path) -> Package:
    """Describe a Hugging Face model from its own files.

    Labels are those of ``id2label``. Languages and training data are unknown.

    Raises:
        UserError: a file is missing or does not belong to a token classifier.
    """
    config = _config(path)
    if _has_head(config, _FILLS_MASKS):
        return _read_masked_lm(path, config)
    weights = sorted(f.name for f in path.glob("*.safetensors"))
    if not weights:
        raise UserError(
            f"model {path}: no *.safetensors beside {CONFIG}; a *.bin is a pickle, which may run code, and is "
            "not loaded: if you trust it, convert it with save_pretrained(…, safe_serialization=True)"
        )
    if not (path / TOKENIZER).is_file():
        raise UserError(f"model {path}: no {TOKENIZER}; save its fast tokenizer there with save_pretrained")
    try:
        named = {int(number): str(label) for number, label in config["id2label"].items()}
        labels = tuple(named[number] for number in range(len(named)))
    except (ValueError, KeyError, AttributeError):
        raise UserError(f"model {path}: {CONFIG} has no id2label of classes 0, 1, 2 …") from None
    if not _has_head(config, "ForTokenClassification"):
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


def is_masked_lm(path: Path) -> bool:
    """Whether the folder's config names a masked language model.

    Raises:
        UserError: the config is invalid.
    """
    return (path / CONFIG).is_file() and _has_head(_config(path), _FILLS_MASKS)


def _config(path: Path) -> dict[str, Any]:
    try:
        config = json.loads((path / CONFIG).read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise UserError(f"model {path}: {CONFIG} is not valid JSON; copy it again") from None
    if not isinstance(config, dict):
        raise UserError(f"model {path}: {CONFIG} must be an object, as save_pretrained writes it")
    return config


def _has_head(config: dict[str, Any], head: str) -> bool:
    """Whether a config names an architecture with this head."""
    architectures = config.get("architectures")
    return isinstance(architectures, list) and any(str(name).endswith(head) for name in architectures)


def _read_masked_lm(path: Path, config: dict[str, Any]) -> Package:
    for name in (MODEL, TOKENIZER):
        if not (path / name).is_file():
            raise UserError(
                f"model {path}: no {name}; a masked language model is read from {MODEL} and {TOKENIZER}: "
                "convert it with tacenda lab masked-lm MODEL NEW_FOLDER GOLD"
            )
    vocabulary = config.get("vocab_size")
    if isinstance(vocabulary, bool) or not isinstance(vocabulary, int) or vocabulary < 1:
        raise UserError(f"model {path}: {CONFIG}: 'vocab_size' is not a number above 0")
    places = min(_MOST_MASKED_PLACES, _positions(config, path))
    if places < MIN_PLACES:
        raise UserError(f"model {path}: {CONFIG}: {places} positions are too few; {MIN_PLACES} are needed")
    return Package(
        path=path,
        name=str(config.get("_name_or_path") or path.name),
        version=str(config.get("_commit_hash") or config.get("transformers_version") or ""),
        labels=("O", _PERSONAL),
        max_places=places,
        context=0,
        casing=False,
        decision=Decision(Rule.BINARY, _LIKELY_ENOUGH),
        languages=(),
        trained_on_personal_data=None,
        fingerprint=fingerprint(path, (CONFIG, MODEL, WEIGHTS, TOKENIZER)),
        engine=Engine.MASKED_LM,
        unreported=(_PERSONAL,),
        vocabulary=vocabulary,
    )


_PERSONAL = "SENSITIVE"


def _positions(config: dict[str, Any], path: Path) -> int:
    """Number of positions of a network; RoBERTa's start after the padding index."""
    positions = config.get("max_position_embeddings") or _MOST_PLACES + 1
    try:
        padding = int(config.get("pad_token_id") or 0)
        return int(positions) - (padding + 1 if "roberta" in str(config.get("model_type")) else 0)
    except (TypeError, ValueError):
        what = "'max_position_embeddings' or 'pad_token_id' is not a number"
        raise UserError(f"model {path}: {CONFIG}: {what}") from None
