"""The dataset card: what a corpus is, how it was made, what risk is left; and where its rows are, for loaders.

Everything comes from the manifest and the statistics: counts, names of settings and contexts, never text.

The tokens that stand in a corpus, as a list for a tokenizer: ``tokenizer.add_tokens(json.load(file))``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa
import yaml
from jinja2 import Environment, StrictUndefined

from tacenda.transforms.releasing.criterion import PEOPLE
from tacenda.transforms.releasing.report import Compiled
from tacenda.transforms.schema.token import TOKEN, token

_SIZES = ("1K", "10K", "100K", "1M", "10M", "100M", "1B")
"""The limits between sizes, as the hub writes them: from a thousand up, each ten times the one before."""

_MOST_TYPES = 20


def dataset_card(manifest: Mapping[str, Any], figures: Mapping[str, Any], folder: str) -> str:
    """The card as Markdown with YAML in front; ``folder`` is where the rows are, such as ``corpus/``."""
    written = manifest["written"]
    # Loaders read files of one format at a time.
    formats = written["formats"]
    configs = [("default" if len(formats) < 2 else one.partition(".")[0], one) for one in formats]
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
            for name, suffix in configs
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
    form: dict[str, Any] = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
    # Markdown without HTML: there is nothing to escape.
    environment = Environment(loader=Compiled(), undefined=StrictUndefined, **form)  # noqa: S701
    body = environment.get_template("dataset_card.md.j2").render(
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


def _size(conversations: int) -> str:
    over = [size for place, size in enumerate(_SIZES) if conversations >= 1_000 * 10**place]
    if len(over) == len(_SIZES):
        return f"n>{_SIZES[-1]}"
    return f"{over[-1]}<n<{_SIZES[len(over)]}" if over else f"n<{_SIZES[0]}"


_NAMES = {"float": "float32", "double": "float64", "halffloat": "float16"}
"""Types whose name there is not Arrow's."""


def features_of(schema: pa.Schema) -> list[dict[str, Any]]:
    """One entry a column, nested as the types are.

    >>> features_of(pa.schema([("text", pa.string())]))
    [{'name': 'text', 'dtype': 'string'}]
    """
    return [{"name": field.name, **_feature(field.type)} for field in schema]


def _feature(kind: pa.DataType) -> dict[str, Any]:
    if pa.types.is_struct(kind):
        return {"struct": [{"name": field.name, **_feature(field.type)} for field in kind]}
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        inner = _feature(kind.value_type)
        return {"list": inner.get("struct") or inner.get("dtype") or inner}
    return {"dtype": _NAMES.get(str(kind), str(kind))}


MOST = 1_000
"""Numbers from here on are not counted: such tokens are too rare to be learnt as words."""


def counted_tokens(values: Mapping[str, int]) -> dict[str, int]:
    """Those of some values, with their counts, that are numbered tokens."""
    counts: Counter[str] = Counter()
    for value, count in values.items():
        if (match := TOKEN.fullmatch(value)) and len(match[2]) <= len(str(MOST - 1)):
            counts[token(match[1], int(match[2]))] += count
    return dict(counts)


def added_tokens(tokens: Iterable[str]) -> list[str]:
    """Tokens by infoType and number.

    >>> added_tokens(["[AGE_10]", "[PERSON_NAME_1]", "[AGE_2]"])
    ['[AGE_2]', '[AGE_10]', '[PERSON_NAME_1]']
    """
    places = {one: TOKEN.fullmatch(one) for one in tokens}
    return sorted(places, key=lambda one: (m[1], int(m[2])) if (m := places[one]) else (one, 0))
