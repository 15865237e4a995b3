"""Croissant metadata of a corpus: its files and fields, what was done to it, and from what it was derived.

The format is MLCommons Croissant 1.1 with the terms of Croissant RAI 1.0 and of W3C PROV. Everything comes from
the manifest and the statistics.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

from tacenda.transforms.shapes.json_text import is_parameter
from tacenda.transforms.storage.locating import format_of

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
