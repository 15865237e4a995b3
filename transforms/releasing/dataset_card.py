"""The dataset card: what a corpus is, how it was made, what risk is left; and where its rows are, for loaders.

Everything comes from the manifest and the statistics: counts, names of settings and contexts, never text.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import yaml
from jinja2 import Environment, StrictUndefined

from tacenda.transforms.releasing.verdict import PEOPLE
from tacenda.transforms.storage.process_cache import built_once

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGER = ((10_000_000, "1M<n<10M"), (100_000_000, "10M<n<100M"), (1_000_000_000, "100M<n<1B"))
_MOST_TYPES = 20


def dataset_card(manifest: Mapping[str, Any], figures: Mapping[str, Any], folder: str) -> str:
    """The card as Markdown with YAML in front.

    Args:
        manifest: what the run says of itself.
        figures: ``statistics.json`` as data.
        folder: where the rows are from the card, such as ``corpus/``.
    """
    written = manifest["written"]
    head: dict[str, Any] = {
        "license": "unknown",
        "pretty_name": "Anonymised conversations",
        "size_categories": [_size(manifest["totals"]["conversations"])],
        "tags": ["anonymized", "tacenda"],
        "configs": [
            {
                "config_name": name,
                "data_files": [
                    {"split": split, "path": f"{folder}{files}.{suffix}"}
                    for split, files in (written["splits"] or {"train": "part-*"}).items()
                ],
            }
            for name, suffix in _configs(written["formats"])
        ],
    }
    if written["features"]:
        head["dataset_info"] = {"features": written["features"]}
    totals = manifest["totals"]
    found = sorted(totals["findings"].items(), key=lambda item: (-item[1], item[0]))
    groups = [
        {"source": source, "context": (context or "(none)").replace("|", "\\|"), **group}
        for source, told in figures["sources"].items()
        if source in PEOPLE
        for context, group in [*told["contexts"].items(), ("all", told["total"])]
        if group["count"]
    ]
    body = _template().render(
        manifest=manifest,
        written=written,
        totals=totals,
        verdict=manifest["verdict"],
        found=found[:_MOST_TYPES],
        more_found=len(found) - _MOST_TYPES,
        groups=groups,
        detectors=manifest["config"]["detectors"],
    )
    return f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---\n\n{body}"


def _configs(formats: Sequence[str]) -> list[tuple[str, str]]:
    """Name and suffix of each configuration: loaders read files of one format at a time."""
    if len(formats) < 2:
        return [("default", suffix) for suffix in formats]
    return [(suffix.partition(".")[0], suffix) for suffix in formats]


def _size(conversations: int) -> str:
    return next((name for most, name in (*_SIZES, *_LARGER) if conversations < most), "n>1B")


@built_once
def _template() -> Any:
    text = files("tacenda.transforms.releasing").joinpath("dataset_card.md.j2").read_text(encoding="utf-8")
    # Markdown without HTML: there is nothing to escape.
    environment = Environment(  # noqa: S701
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(text)
