"""Write MODEL_CARD.md: the sources of a package and its measured accuracy.

It is made of the files beside it: ``package.json`` and ``curve.json``. The card is a summary; the latter has
the figures by file, corpus and generator.
"""

import json
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from tacenda.models.token_classifier.package import CURVE, DESCRIPTION, file_sha256
from tacenda.models.training.corpora import OUTSIDE, LabelScheme, read_gold

CARD = "MODEL_CARD.md"

_NOT_FACTS = ("calibrated on", "warning")


def described(path: Path, scheme: LabelScheme) -> dict[str, Any]:
    """A gold file's sha256, number of conversations, and spans by class of the scheme, without ignored ones."""
    records = list(read_gold([path]))
    spans = (span for record in records for turn in record["turns"] for span in turn["spans"])
    found = Counter(scheme.classes[c] for c in map(scheme.class_of, spans) if c > OUTSIDE)
    return {
        "file": path.name,
        "sha256": file_sha256(path),
        "conversations": len(records),
        "spans": dict(sorted(found.items())),
    }


def write_card(folder: Path) -> None:
    """Write the card of a package; it is shorter for packages not made by ``tacenda train detector``."""
    (folder / CARD).write_text(card(folder), "utf-8")


def card(folder: Path) -> str:
    """Render the card from the files of a package."""
    package = json.loads((folder / DESCRIPTION).read_text("utf-8"))
    measured = json.loads((folder / CURVE).read_text("utf-8")) if (folder / CURVE).is_file() else None
    # Markdown, not HTML: no escaping.
    environment = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)  # noqa: S701
    environment.filters.update(figure=_figure, spans=_spans, weakest=_weakest, wrapped=_wrapped)
    template = environment.from_string(files(__package__).joinpath("model_card.md.j2").read_text("utf-8"))
    facts = {name: fact for name, fact in package.get("about", {}).items() if name not in _NOT_FACTS}
    text = template.render(package=package, facts=facts, measured=measured)
    return text.rstrip() + "\n"


def _figure(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}"


def _spans(data: Sequence[Mapping[str, Any]]) -> int:
    """Total number of spans in some files."""
    return sum(sum(one["spans"].values()) for one in data)


def _weakest(corpora: Mapping[str, Any], count: int = 4) -> list[tuple[str, Any]]:
    """The corpora with the lowest recall, among those with 20 spans or more."""
    judged = [(name, one) for name, one in corpora.items() if one["support"] >= 20]
    return sorted(judged, key=lambda entry: (entry[1]["recall"], entry[0]))[:count]


_wrapped = partial(textwrap.fill, width=118, break_long_words=False, break_on_hyphens=False)
