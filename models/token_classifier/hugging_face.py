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
        special = _special(path, config)
        name, version = config.get("_name_or_path"), config.get("_commit_hash")
        version = version or config.get("transformers_version")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UserError(
            f"model {path}: {CONFIG} is not that of a token classifier or masked language model "
            f"({type(error).__name__}); save the model again with save_pretrained"
        ) from None
    if special["max_places"] < MIN_PLACES:
        raise UserError(
            f"model {path}: {CONFIG}: 'max_position_embeddings' leaves {special['max_places']} places; "
            f"{MIN_PLACES} are needed"
        )
    return Package(
        path=path,
        name=str(name or path.name),
        version=str(version or ""),
        casing=False,
        languages=(),
        trained_on_personal_data=None,
        **special,
    )


def _special(path: Path, config: dict[str, Any]) -> dict[str, Any]:
    """The fields of a package that differ between token classifiers and masked language models."""
    heads = [str(head) for head in config["architectures"]]
    # Positions of RoBERTa start after the padding index.
    skipped = int(config.get("pad_token_id") or 0) + 1 if "roberta" in str(config.get("model_type")) else 0
    positions = int(config.get("max_position_embeddings") or _MOST_PLACES + 1) - skipped
    weights = sorted(f.name for f in path.glob("*.safetensors"))
    if any(head.endswith("ForMaskedLM") for head in heads):
        _require(path, MODEL, "optimum-cli export onnx --task fill-mask writes it")
        _require(path, TOKENIZER, "optimum-cli export onnx --task fill-mask writes it")
        return {
            "labels": ("O", _PERSONAL),
            "max_places": min(_MOST_MASKED_PLACES, positions),
            "context": 0,
            "decision": Decision(Rule.BINARY, _LIKELY_ENOUGH),
            "engine": Engine.MASKED_LM,
            "unreported": (_PERSONAL,),
            "vocabulary": int(config["vocab_size"]),
            "fingerprint": fingerprint(path, (CONFIG, MODEL, WEIGHTS, TOKENIZER)),
        }
    if not any(head.endswith("ForTokenClassification") for head in heads):
        raise UserError(f"model {path}: {CONFIG} names no architecture …ForTokenClassification")
    if not weights:
        raise UserError(
            f"model {path}: no *.safetensors beside {CONFIG}; a *.bin is a pickle, which may run code, and is "
            "not loaded: if you trust it, convert it with save_pretrained(…, safe_serialization=True)"
        )
    _require(path, TOKENIZER, "save its fast tokenizer there with save_pretrained")
    named = {int(number): str(label) for number, label in config["id2label"].items()}
    # One position is for the classifying token.
    places = min(_MOST_PLACES, positions - 1)
    return {
        "labels": tuple(named[number] for number in range(len(named))),
        "max_places": places,
        "context": min(_MOST_CONTEXT, places // 4),
        "decision": Decision(),
        "engine": Engine.TORCH,
        "fingerprint": fingerprint(path, (CONFIG, TOKENIZER, *weights)),
    }


def _require(path: Path, name: str, remedy: str) -> None:
    if not (path / name).is_file():
        raise UserError(f"model {path}: no {name}; {remedy}")
