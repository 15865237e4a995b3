"""MODEL_CARD.md: what a package was made of and what it does, every figure as it was measured."""

from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from tacenda.models.token_classifier.package import file_sha256
from tacenda.models.training.corpora import IGNORED, LabelScheme, read_gold

CARD = "MODEL_CARD.md"


def described(paths: Sequence[Path], scheme: LabelScheme) -> list[dict[str, Any]]:
    """Each gold file with its sha256, how many conversations it has, and spans by class of the scheme."""
    told = []
    for path in paths:
        records = list(read_gold([path]))
        told.append({"file": path.name, "sha256": file_sha256(path), **counted(records, scheme)})
    return told


def counted(records: Sequence[Mapping[str, Any]], scheme: LabelScheme) -> dict[str, Any]:
    """Conversations, and spans by class; don't-care spans are left out."""
    found: Counter[str] = Counter()
    for record in records:
        for turn in record["turns"]:
            known = (scheme.class_of(span) for span in turn["spans"])
            found.update(scheme.classes[c] for c in known if c != IGNORED)
    return {"conversations": len(records), "spans": dict(sorted(found.items()))}


def written(told: Mapping[str, Any], intent: Any, classes: Sequence[str]) -> str:
    """The card of what ``curve.json`` tells."""
    # Markdown, not HTML: nothing is to be escaped.
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)  # noqa: S701
    environment.filters["figure"] = _figure
    text = files(__package__).joinpath("model_card.md.j2").read_text("utf-8")
    return environment.from_string(text).render(**told, intent=intent, classes=classes).rstrip() + "\n"


def _figure(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}"
