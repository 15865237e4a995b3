"""Describe a spaCy pipeline in a folder from its metadata."""

import json
from configparser import Error, RawConfigParser
from pathlib import Path

from tacenda.models.token_classifier.decoding_settings import Decision
from tacenda.models.token_classifier.package import Engine, Package, fingerprint
from tacenda.transforms.schema.errors import UserError

META, CONFIG = "meta.json", "config.cfg"
_ENTITIES = ("ner", "beam_ner", "entity_ruler", "future_entity_ruler", "transformer_ner")
"""Factories of components that write entities; components of other factories are recognised by their name."""
_SPANS = "span_ruler"
"""Factory of components that write entities if ``annotate_ents`` is set."""


def read_spacy(path: Path) -> Package:
    """Describe a pipeline from its ``meta.json``.

    Raises:
        UserError: the folder is not a pipeline, or its pipeline finds no entities.
    """
    components = _components(path)
    try:
        meta = json.loads((path / META).read_text(encoding="utf-8"))
        by_component = meta["labels"]
        writers = [name for name in by_component if _writes_entities(name, components.get(name, {}))]
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


def _components(path: Path) -> dict[str, dict[str, str]]:
    """The settings of each component in ``config.cfg``, as JSON; empty if there is no such file."""
    config = RawConfigParser()
    config.optionxform = str  # type: ignore[assignment, method-assign]
    try:
        config.read(path / CONFIG, encoding="utf-8")
    except (Error, UnicodeDecodeError):
        raise UserError(f"model {path}: {CONFIG} is not that of a spaCy pipeline") from None
    return {
        section.removeprefix("components."): dict(config[section])
        for section in config.sections()
        if section.startswith("components.")
    }


def _writes_entities(name: str, settings: dict[str, str]) -> bool:
    factory = settings.get("factory", "").strip('"')
    if factory == _SPANS:
        return settings.get("annotate_ents") == "true"
    return factory in _ENTITIES or name in _ENTITIES
