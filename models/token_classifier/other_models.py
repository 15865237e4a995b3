"""Models of other makers, described by their own files.

A Hugging Face folder has ``config.json``, ``tokenizer.json`` and weights: a token classifier with
``*.safetensors``, or a masked language model exported to ``model.onnx``. A spaCy pipeline has ``meta.json``.
"""

import json
from configparser import Error, RawConfigParser
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

CONFIG, META = "config.json", "meta.json"
_FILLS_MASKS = "ForMaskedLM"
_MOST_CONTEXT = 32
_MOST_PLACES = 384
"""Longer blocks cost more than they gain in accuracy."""
_MOST_MASKED_PLACES = 512
_LIKELY_ENOUGH = 1e-3
"""The default threshold of a masked language model: each needs its own."""
_PERSONAL = "SENSITIVE"
_ENTITIES = ("ner", "beam_ner", "entity_ruler", "future_entity_ruler", "transformer_ner")
"""Factories of components that write entities; components of other factories are recognised by their name."""
_SPANS = "span_ruler"
"""Factory of components that write entities if ``annotate_ents`` is set."""


def read_hugging_face(path: Path) -> Package:
    """Describe a Hugging Face model; its languages and training data are unknown.

    Raises:
        UserError: a file is missing or does not belong to a token classifier or masked language model.
    """
    config = _config(path)
    if _has_head(config, _FILLS_MASKS):
        return _masked_lm(path, config)
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
    return _package(
        path,
        config,
        (CONFIG, TOKENIZER, *weights),
        labels=labels,
        max_places=places,
        context=min(_MOST_CONTEXT, places // 4),
        decision=Decision(),
        engine=Engine.TORCH,
    )


def _masked_lm(path: Path, config: dict[str, Any]) -> Package:
    for name in (MODEL, TOKENIZER):
        if not (path / name).is_file():
            raise UserError(
                f"model {path}: no {name}; a masked language model is read from {MODEL} and {TOKENIZER}: "
                "optimum-cli export onnx --task fill-mask writes them"
            )
    vocabulary = config.get("vocab_size")
    if type(vocabulary) is not int or vocabulary < 1:
        raise UserError(f"model {path}: {CONFIG}: 'vocab_size' is not a number above 0")
    places = min(_MOST_MASKED_PLACES, _positions(config, path))
    if places < MIN_PLACES:
        raise UserError(f"model {path}: {CONFIG}: {places} positions are too few; {MIN_PLACES} are needed")
    return _package(
        path,
        config,
        (CONFIG, MODEL, WEIGHTS, TOKENIZER),
        labels=("O", _PERSONAL),
        max_places=places,
        context=0,
        decision=Decision(Rule.BINARY, _LIKELY_ENOUGH),
        engine=Engine.MASKED_LM,
        unreported=(_PERSONAL,),
        vocabulary=vocabulary,
    )


def _package(path: Path, config: dict[str, Any], files: tuple[str, ...], **fields: Any) -> Package:
    return Package(
        path=path,
        name=str(config.get("_name_or_path") or path.name),
        version=str(config.get("_commit_hash") or config.get("transformers_version") or ""),
        casing=False,
        languages=(),
        trained_on_personal_data=None,
        fingerprint=fingerprint(path, files),
        **fields,
    )


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


def _positions(config: dict[str, Any], path: Path) -> int:
    """Number of positions of a network; RoBERTa's start after the padding index."""
    positions = config.get("max_position_embeddings") or _MOST_PLACES + 1
    try:
        padding = int(config.get("pad_token_id") or 0)
        return int(positions) - (padding + 1 if "roberta" in str(config.get("model_type")) else 0)
    except (TypeError, ValueError):
        what = "'max_position_embeddings' or 'pad_token_id' is not a number"
        raise UserError(f"model {path}: {CONFIG}: {what}") from None


def read_spacy(path: Path) -> Package:
    """Describe a spaCy pipeline.

    Raises:
        UserError: the folder is not a pipeline, or its pipeline finds no entities.
    """
    settings = RawConfigParser()
    settings.optionxform = str  # type: ignore[assignment, method-assign]
    try:
        settings.read(path / "config.cfg", encoding="utf-8")
    except (Error, UnicodeDecodeError):
        raise UserError(f"model {path}: config.cfg is not that of a spaCy pipeline") from None
    try:
        meta = json.loads((path / META).read_text(encoding="utf-8"))
        by_component = meta["labels"]
        writers = [name for name in by_component if _writes_entities(name, settings)]
        labels = dict.fromkeys(str(label) for name in writers for label in by_component[name])
        name = f"{meta['lang']}_{meta['name']}"
        language, version = str(meta["lang"]), str(meta.get("version", ""))
        measured = bool((meta.get("performance") or {}).get("ents_f"))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(f"model {path}: {META} is not that of a spaCy pipeline") from None
    if not labels:
        raise UserError(
            f"model {path}: the pipeline has no entity labels ({', '.join((*_ENTITIES, _SPANS))})"
        )
    parts = sorted(str(f.relative_to(path)) for f in path.rglob("*") if f.is_file())
    return Package(
        path=path,
        name=name,
        version=version,
        labels=tuple(labels),
        max_places=0,
        context=0,
        casing=True,
        decision=Decision(),
        languages=(language,),
        trained_on_personal_data=None,
        fingerprint=fingerprint(path, tuple(parts)),
        engine=Engine.SPACY,
        measured=(language,) if measured else (),
    )


def _writes_entities(name: str, settings: RawConfigParser) -> bool:
    """Whether a component of a pipeline writes entities, by its section of the pipeline's ``config.cfg``."""
    section = f"components.{name}"
    factory = settings.get(section, "factory", fallback="").strip('"')
    if factory == _SPANS:
        return settings.get(section, "annotate_ents", fallback="") == "true"
    return factory in _ENTITIES or name in _ENTITIES
