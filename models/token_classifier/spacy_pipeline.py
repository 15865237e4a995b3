"""What a spaCy pipeline in a folder says of itself."""

import json
from pathlib import Path

from models.token_classifier.decision import Decision
from models.token_classifier.package import Engine, Package, fingerprint
from transforms.schema.errors import UserError

META = "meta.json"
_ENTITIES = ("ner", "beam_ner", "entity_ruler", "transformer_ner")
"""Components that write entities, by their usual names."""


def read_spacy(path: Path) -> Package:
    """The description of a pipeline, from its ``meta.json``.

    Raises:
        UserError: it is none, or finds no entities.
    """
    try:
        meta = json.loads((path / META).read_text(encoding="utf-8"))
        by_component = meta["labels"]
        labels = dict.fromkeys(str(label) for name in _ENTITIES for label in by_component.get(name, ()))
        name = f"{meta['lang']}_{meta['name']}"
        language, version = str(meta["lang"]), str(meta.get("version", ""))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UserError(f"model {path}: {META} is none of a spaCy pipeline") from None
    if not labels:
        raise UserError(f"model {path}: the pipeline has no labels of entities ({', '.join(_ENTITIES)})")
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
    )
