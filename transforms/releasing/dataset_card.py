"""The dataset card: what a corpus is, how it was made, what risk is left; and where its rows are, for loaders.

Everything comes from the manifest and the statistics: counts, names of settings and contexts, never text.

Croissant metadata of a corpus: its files and fields, what was done to it, and from what it was derived, in
MLCommons Croissant 1.1 with the terms of Croissant RAI 1.0 and of W3C PROV.

The tokens that stand in a corpus, as a list for a tokenizer: ``tokenizer.add_tokens(json.load(file))``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

import pyarrow as pa
import yaml
from jinja2 import Environment, StrictUndefined

from tacenda.transforms.releasing.verdict import PEOPLE
from tacenda.transforms.schema.token import TOKEN, token
from tacenda.transforms.shapes.json_text import is_parameter
from tacenda.transforms.storage.locating import format_of
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

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
    text = files(__package__).joinpath("dataset_card.md.j2").read_text(encoding="utf-8")
    # Markdown without HTML: there is nothing to escape.
    environment = Environment(  # noqa: S701
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    body = environment.from_string(text).render(
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


@built_once
def _context() -> dict[str, Any]:
    return dict(parse_yaml(files(__package__).joinpath("croissant.yaml").read_text(encoding="utf-8")))


def croissant(
    manifest: Mapping[str, Any],
    figures: Mapping[str, Any],
    files: Sequence[Mapping[str, Any]],
    features: Sequence[Mapping[str, Any]] | None,
) -> dict[str, Any]:
    """The metadata as JSON-LD data.

    ``files`` has path, ``sha256`` and ``bytes`` of each file of the corpus; ``features`` are their columns.
    """
    by, inputs, date = f"Tacenda {manifest['tacenda']}", manifest["inputs"], manifest["run"]["date"]
    detectors = ", ".join(manifest["config"]["detectors"]["names"])
    kinds = ", ".join(sorted(manifest["totals"]["findings"])) or "none"
    sensitive = [f"Replaced where it was found: {kinds}."]
    if manifest["pseudonymised"]:
        sensitive.append("Part of the replacements can be undone with a key: the corpus is pseudonymised.")
    told: dict[str, Any] = {
        "@context": _context(),
        "@type": "sc:Dataset",
        "name": "anonymised-conversations",
        "description": f"{manifest['totals']['conversations']} conversations, anonymised by {by}.",
        "conformsTo": [f"{_context()['cr']}1.1", f"{_context()['rai']}1.0"],
        "license": "to be filled in by whoever publishes the corpus",
        "version": manifest["fingerprint"][:16],
        **({"datePublished": date} if date else {}),
        "rai:personalSensitiveInformation": sensitive,
        "rai:dataPreprocessingProtocol": (
            f"Anonymised by {by}, config {manifest['config_hash']}, detectors {detectors}."
        ),
        "rai:dataLimitations": list(_limitations(manifest, figures)),
        "rai:dataReleaseMaintenancePlan": f"Verdict of the run: {manifest['verdict']['state']}.",
        "prov:wasDerivedFrom": {
            "@type": "prov:Entity",
            "prov:label": f"{inputs['files']} input files, {inputs['bytes']} bytes",
            "sha256": inputs["sha256"],
        },
        "prov:wasGeneratedBy": {
            "@type": "prov:Activity",
            "prov:label": "tacenda anonymize",
            "prov:wasAssociatedWith": {"@type": "prov:SoftwareAgent", "prov:label": by},
            "identifier": manifest["fingerprint"],
        },
        "distribution": [
            {
                "@type": "cr:FileObject",
                **dict.fromkeys(("@id", "name", "contentUrl"), one["path"]),
                "contentSize": f"{one['bytes']} B",
                "encodingFormat": _media(one["path"]),
                "sha256": one["sha256"],
            }
            for one in files
        ],
    }
    if features:
        sets, told["recordSet"] = _records(features, files)
        told["distribution"] += sets
    return told


def _media(path: str) -> str | list[str]:
    """The media type of a file, and that of its compression."""
    form = format_of(path)
    if form is None:
        return "application/octet-stream"
    media = "application/x-parquet" if form.encoding == "parquet" else "application/jsonlines"
    if form.kind == "table":
        media = "text/tab-separated-values" if path.endswith(".tsv") else "text/csv"
    return media if form.compression is None else [media, f"application/{form.compression}"]


def _records(
    features: Sequence[Mapping[str, Any]], files: Sequence[Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The files of each format as a set, and its records: their columns, and the fields of structs."""
    places: dict[str, list[str]] = {}
    for one in files:
        places.setdefault(one["path"].rpartition("/")[2].partition(".")[2], []).append(one["path"])
    sets, records = [], []
    for suffix, alike in places.items():
        name = "rows" if len(places) == 1 else f"rows.{suffix}"
        includes = [f"{folder}/*.{suffix}" for folder in sorted({path.rpartition("/")[0] for path in alike})]
        told = {"name": f"{name}-files", "encodingFormat": _media(alike[0]), "includes": includes}
        sets.append({"@type": "cr:FileSet", "@id": f"{name}-files", **told})
        fields = _fields(features, name, {"fileSet": {"@id": f"{name}-files"}}, ())
        records.append({"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields})
    return sets, records


def _fields(
    features: Sequence[Mapping[str, Any]],
    within: str,
    source: Mapping[str, Any],
    path: Sequence[str],
    listed: bool = False,
) -> list[dict[str, Any]]:
    """Columns, or what lies at a path of names in one.

    Loaders read no lists within lists, so none are told.
    """
    told = []
    for feature in features:
        name, is_list = f"{within}/{feature['name']}", "list" in feature
        if not is_parameter(feature["name"]) or (listed and is_list):
            continue
        field: dict[str, Any] = {"@type": "cr:Field", "@id": name, "name": name}
        if is_list:
            field["repeated"] = True
        kind = feature.get("list") or feature.get("struct") or feature["dtype"]
        if isinstance(kind, list):
            field["subField"] = _fields(kind, name, source, [*path, feature["name"]], listed or is_list)
        else:
            column, *below = [*path, feature["name"]]
            transform = {"transform": {"jsonPath": ".".join(below)}} if below else {}
            known = {"int": "sc:Integer", "float": "sc:Float", "bool": "sc:Boolean"}
            field["dataType"] = next((of for part, of in known.items() if part in str(kind)), "sc:Text")
            field["source"] = {**source, "extract": {"column": column}, **transform}
        if field.get("subField", True):
            told.append(field)
    return told


def _limitations(manifest: Mapping[str, Any], figures: Mapping[str, Any]) -> Iterator[str]:
    yield "No anonymisation finds everything; people may also be recognised by what they tell."
    for source, told in figures["sources"].items():
        total = told["total"]
        if total["count"]:
            yield (
                f"Residual risk by {source}: mean {total['mean']:.3f}, standard deviation {total['std']:.3f}, "
                f"{total['count']} conversations."
            )
    yield f"{manifest['rows']['quarantined']} of {manifest['rows']['in']} rows could not be processed."


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
