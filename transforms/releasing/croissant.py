"""Croissant metadata of a corpus: its files and fields, what was done to it, and from what it was derived.

The format is MLCommons Croissant 1.1 with the terms of Croissant RAI 1.0 and of W3C PROV. Everything comes from
the manifest and the statistics.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import pyarrow as pa

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

_MEDIA_TYPES = {None: "application/jsonlines", "gzip": "application/gzip", "zstd": "application/zstd"}
_PARQUET = "application/x-parquet"
_TYPES = {"bool": "sc:Boolean"}


class CorpusFile(NamedTuple):
    """A file of the corpus, by its path in the output folder."""

    path: str
    sha256: str
    bytes: int


def croissant(
    manifest: Mapping[str, Any], figures: Mapping[str, Any], files: Sequence[CorpusFile]
) -> dict[str, Any]:
    """The metadata as JSON-LD data."""
    verdict, run = manifest["verdict"], manifest["run"]
    told = {
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
    if len(files) == 1 and manifest["written"]["features"] and files[0].path.endswith(".parquet"):
        told["recordSet"] = [_records(manifest["written"]["features"], files[0].path)]
    return told


def _file(one: CorpusFile) -> dict[str, Any]:
    form = format_of(one.path)
    if form is None:
        media = "application/octet-stream"
    else:
        media = _PARQUET if form.encoding == "parquet" else _MEDIA_TYPES[form.compression]
        if form.kind == "table":
            media = "text/tab-separated-values" if one.path.endswith(".tsv") else "text/csv"
    return {
        "@type": "cr:FileObject",
        "@id": one.path,
        "name": one.path,
        "contentUrl": one.path,
        "contentSize": f"{one.bytes} B",
        "encodingFormat": media,
        "sha256": one.sha256,
    }


def _records(features: Sequence[Mapping[str, Any]], path: str) -> dict[str, Any]:
    """The columns whose values are no lists."""
    return {
        "@type": "cr:RecordSet",
        "@id": "rows",
        "name": "rows",
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"rows/{feature['name']}",
                "name": f"rows/{feature['name']}",
                "dataType": _data_type(feature["dtype"]),
                "source": {"fileObject": {"@id": path}, "extract": {"column": feature["name"]}},
            }
            for feature in features
            if "dtype" in feature
        ],
    }


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
