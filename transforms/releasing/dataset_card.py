"""The dataset card: what a corpus is, how it was made, what risk is left; and where its rows are, for loaders.

Everything comes from the manifest and the statistics: counts, names of settings and contexts, never text.

Croissant metadata of a corpus: its files and fields, what was done to it, and from what it was derived.

The format is MLCommons Croissant 1.1 with the terms of Croissant RAI 1.0 and of W3C PROV. Everything comes from
the manifest and the statistics.

The tokens that stand in a corpus, as a list for a tokenizer: ``tokenizer.add_tokens(json.load(file))``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

import pyarrow as pa
import yaml
from jinja2 import Environment, StrictUndefined

from tacenda.transforms.releasing.verdict import PEOPLE
from tacenda.transforms.schema.token import TOKEN, token
from tacenda.transforms.shapes.json_text import is_parameter
from tacenda.transforms.storage.locating import format_of
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


CROISSANT, RAI = "http://mlcommons.org/croissant/", "http://mlcommons.org/croissant/RAI/"

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": CROISSANT,
    "rai": RAI,
    "dct": "http://purl.org/dc/terms/",
    "prov": "http://www.w3.org/ns/prov#",
    **{
        term: f"cr:{term}"
        for term in (
            "citeAs", "column", "equivalentProperty", "extract", "field", "fileObject", "fileProperty",
            "fileSet", "format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path",
            "recordSet", "references", "regex", "repeated", "replace", "samplingRate", "separator", "source",
            "subField", "transform",
        )
    },
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
}  # fmt: skip

_LINES, _PARQUET = "application/jsonlines", "application/x-parquet"
_TYPES = {"bool": "sc:Boolean"}


class CorpusFile(NamedTuple):
    """A file of the corpus, by its path in the output folder."""

    path: str
    sha256: str
    bytes: int


def croissant(
    manifest: Mapping[str, Any],
    figures: Mapping[str, Any],
    files: Sequence[CorpusFile],
    features: Sequence[Mapping[str, Any]] | None,
) -> dict[str, Any]:
    """The metadata as JSON-LD data; ``features`` are the columns of all files, None if they are not known."""
    verdict, run = manifest["verdict"], manifest["run"]
    told: dict[str, Any] = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": "anonymised-conversations",
        "description": (
            f"{manifest['totals']['conversations']} conversations, anonymised by Tacenda {manifest['tacenda']}."
        ),
        "conformsTo": [f"{CROISSANT}1.1", f"{RAI}1.0"],
        "license": "to be filled in by whoever publishes the corpus",
        "version": manifest["fingerprint"][:16],
        **({"datePublished": run["date"]} if run["date"] else {}),
        "rai:personalSensitiveInformation": _sensitive(manifest),
        "rai:dataPreprocessingProtocol": (
            f"Anonymised by Tacenda {manifest['tacenda']}, config {manifest['config_hash']}, detectors "
            f"{', '.join(manifest['config']['detectors']['names'])}."
        ),
        "rai:dataLimitations": list(_limitations(manifest, figures)),
        "rai:dataReleaseMaintenancePlan": f"Verdict of the run: {verdict['state']}.",
        "prov:wasDerivedFrom": {
            "@type": "prov:Entity",
            "prov:label": f"{manifest['inputs']['files']} input files, {manifest['inputs']['bytes']} bytes",
            "sha256": manifest["inputs"]["sha256"],
        },
        "prov:wasGeneratedBy": {
            "@type": "prov:Activity",
            "prov:label": "tacenda anonymize",
            "prov:wasAssociatedWith": {
                "@type": "prov:SoftwareAgent",
                "prov:label": f"Tacenda {manifest['tacenda']}",
            },
            "identifier": manifest["fingerprint"],
        },
        "distribution": [_file(one) for one in files],
    }
    if features:
        sets, told["recordSet"] = _records(features, files)
        told["distribution"] += sets
    return told


def _file(one: CorpusFile) -> dict[str, Any]:
    form = format_of(one.path)
    media: str | list[str] = "application/octet-stream"
    if form is not None:
        media = _PARQUET if form.encoding == "parquet" else _LINES
        if form.kind == "table":
            media = "text/tab-separated-values" if one.path.endswith(".tsv") else "text/csv"
        if form.compression is not None:
            media = [media, f"application/{form.compression}"]
    return {
        "@type": "cr:FileObject",
        "@id": one.path,
        "name": one.path,
        "contentUrl": one.path,
        "contentSize": f"{one.bytes} B",
        "encodingFormat": media,
        "sha256": one.sha256,
    }


def _records(
    features: Sequence[Mapping[str, Any]], files: Sequence[CorpusFile]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The files of each format as a set, and its records: their columns, and the fields of structs."""
    places: dict[str, list[CorpusFile]] = {}
    for one in files:
        places.setdefault(one.path.rpartition("/")[2].partition(".")[2], []).append(one)
    sets, records = [], []
    for suffix, alike in places.items():
        name = "rows" if len(places) == 1 else f"rows.{suffix}"
        told = {"name": f"{name}-files", "encodingFormat": _file(alike[0])["encodingFormat"]}
        folders = sorted({one.path.rpartition("/")[0] for one in alike})
        includes = [f"{folder}/*.{suffix}" for folder in folders]
        sets.append({"@type": "cr:FileSet", "@id": f"{name}-files", **told, "includes": includes})
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
            if field["subField"]:
                told.append(field)
            continue
        column, *below = [*path, feature["name"]]
        transform = {"transform": {"jsonPath": ".".join(below)}} if below else {}
        told.append(
            {
                **field,
                "dataType": _data_type(str(kind)),
                "source": {**source, "extract": {"column": column}, **transform},
            }
        )
    return told


def _data_type(dtype: str) -> str:
    if "int" in dtype:
        return "sc:Integer"
    if "float" in dtype:
        return "sc:Float"
    return _TYPES.get(dtype, "sc:Text")


def _sensitive(manifest: Mapping[str, Any]) -> list[str]:
    """What personal data was there and was replaced, and that the rest is estimated."""
    kinds = ", ".join(sorted(manifest["totals"]["findings"])) or "none"
    told = [f"Replaced where it was found: {kinds}."]
    if manifest["pseudonymised"]:
        told.append("Part of the replacements can be undone with a key: the corpus is pseudonymised.")
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
    return sorted(tokens, key=_place)


def _place(token: str) -> tuple[str, int]:
    match = TOKEN.fullmatch(token)
    return (match[1], int(match[2])) if match else (token, 0)
