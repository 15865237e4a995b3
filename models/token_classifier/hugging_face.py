"""Hugging Face models, described by their own files.

A folder has ``config.json``, ``tokenizer.json`` and weights: a token classifier with ``*.safetensors``, or a
masked language model exported to ``model.onnx``.
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
_MOST_CONTEXT = 32
_MOST_PLACES = 384
"""Longer blocks cost more than they gain in accuracy."""
_MOST_MASKED_PLACES = 512
_LIKELY_ENOUGH = 1e-3
"""The default threshold of a masked language model: each needs its own."""
_PERSONAL = "SENSITIVE"


def read_hugging_face(path: Path) -> Package:
    """Describe a Hugging Face model; its languages and training data are unknown.

    Raises:
        UserError: a file is missing or does not belong to a token classifier or masked language model.
    """
    try:
        config = json.loads((path / CONFIG).read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        raise UserError(f"model {path}: {CONFIG} is not valid JSON; copy it again") from None
    if not isinstance(config, dict):
        raise UserError(f"model {path}: {CONFIG} must be an object, as save_pretrained writes it")
    heads = config.get("architectures")
    heads = tuple(map(str, heads)) if isinstance(heads, list) else ()
    is_masked = any(head.endswith("ForMaskedLM") for head in heads)
    if not is_masked and not any(head.endswith("ForTokenClassification") for head in heads):
        raise UserError(f"model {path}: {CONFIG} names no architecture …ForTokenClassification")
    special = _masked_lm(path, config) if is_masked else _token_classifier(path, config)
    if special["max_places"] < MIN_PLACES:
        raise UserError(
            f"model {path}: {CONFIG}: 'max_position_embeddings' leaves {special['max_places']} places; "
            f"{MIN_PLACES} are needed"
        )
    return Package(
        path=path,
        name=str(config.get("_name_or_path") or path.name),
        version=str(config.get("_commit_hash") or config.get("transformers_version") or ""),
        casing=False,
        languages=(),
        trained_on_personal_data=None,
        **special,
    )


def _token_classifier(path: Path, config: dict[str, Any]) -> dict[str, Any]:
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
    # One position is for the classifying token.
    places = min(_MOST_PLACES, _positions(config, path) - 1)
    return {
        "labels": labels,
        "max_places": places,
        "context": min(_MOST_CONTEXT, places // 4),
        "decision": Decision(),
        "engine": Engine.TORCH,
        "fingerprint": fingerprint(path, (CONFIG, TOKENIZER, *weights)),
    }


def _masked_lm(path: Path, config: dict[str, Any]) -> dict[str, Any]:
    for name in (MODEL, TOKENIZER):
        if not (path / name).is_file():
            raise UserError(
                f"model {path}: no {name}; a masked language model is read from {MODEL} and {TOKENIZER}: "
                "optimum-cli export onnx --task fill-mask writes them"
            )
    vocabulary = config.get("vocab_size")
    if type(vocabulary) is not int or vocabulary < 1:
        raise UserError(f"model {path}: {CONFIG}: 'vocab_size' is not a number above 0")
    return {
        "labels": ("O", _PERSONAL),
        "max_places": min(_MOST_MASKED_PLACES, _positions(config, path)),
        "context": 0,
        "decision": Decision(Rule.BINARY, _LIKELY_ENOUGH),
        "engine": Engine.MASKED_LM,
        "unreported": (_PERSONAL,),
        "vocabulary": vocabulary,
        "fingerprint": fingerprint(path, (CONFIG, MODEL, WEIGHTS, TOKENIZER)),
    }


def _positions(config: dict[str, Any], path: Path) -> int:
    """Number of positions of a network; RoBERTa's start after the padding index."""
    positions = config.get("max_position_embeddings") or _MOST_PLACES + 1
    try:
        padding = int(config.get("pad_token_id") or 0)
        return int(positions) - (padding + 1 if "roberta" in str(config.get("model_type")) else 0)
    except (TypeError, ValueError):
        what = "'max_position_embeddings' or 'pad_token_id' is not a number"
        raise UserError(f"model {path}: {CONFIG}: {what}") from None
