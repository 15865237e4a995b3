"""Events of OpenLineage (spec 2-0-2): which datasets a run read and wrote, and how it ended.

They contain paths, counts and versions, like the manifest, and no text. Unlike the files in an output folder,
they have times and an id of the attempt, since they log what happened.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

from tacenda.transforms.schema.url_redaction import redact_url, source_name

Kind = Literal["START", "COMPLETE", "ABORT", "FAIL"]

_SPEC = "https://openlineage.io/spec"
_EVENT = f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent"
_FACETS = {
    "errorMessage": "1-0-1/ErrorMessageRunFacet",
    "jobType": "2-0-4/JobTypeJobFacet",
    "outputStatistics": "1-0-2/OutputStatisticsOutputDatasetFacet",
    "processing_engine": "1-1-1/ProcessingEngineRunFacet",
    "tags": "1-0-0/TagsRunFacet",
}
"""Version and name of the facets used, by the key under which the spec puts them."""


def run_event(
    kind: Kind,
    time: str,
    run_id: str,
    *,
    command: str,
    version: str,
    inputs: Iterable[str],
    outputs: Iterable[Mapping[str, Any]],
    tags: Mapping[str, str],
    error: str | None = None,
) -> dict[str, Any]:
    """One event.

    Args:
        kind: what happened.
        time: when, in ISO 8601 with its zone.
        run_id: a UUID, the same in all events of one attempt.
        command: the command of ours, which is the job's name.
        version: that of this program.
        inputs: URLs or absolute paths of what is read, of which only a digest is told (``source_name``).
        outputs: the datasets written, as :func:`output_dataset` gives them.
        tags: further facts in words, such as the verdict.
        error: for FAIL: the class of the error, which quotes nothing.
    """
    producer = f"pkg:pypi/tacenda@{version}"
    facets: dict[str, dict[str, Any]] = {
        "processing_engine": {"name": "tacenda", "version": version},
        "tags": {"tags": [{"key": key, "value": value} for key, value in sorted(tags.items())]},
    }
    if error is not None:
        facets["errorMessage"] = {"message": error, "programmingLanguage": "PYTHON"}
    job = {"jobType": {"processingType": "BATCH", "integration": "TACENDA", "jobType": "COMMAND"}}
    return {
        "eventType": kind,
        "eventTime": time,
        "producer": producer,
        "schemaURL": _EVENT,
        "run": {"runId": run_id, "facets": _signed_facets(facets, producer)},
        "job": {"namespace": "tacenda", "name": command, "facets": _signed_facets(job, producer)},
        "inputs": [dict(one) for one in _unique(map(_source, inputs))],
        "outputs": [
            {**one, "outputFacets": _signed_facets(one["outputFacets"], producer)}
            if "outputFacets" in one
            else dict(one)
            for one in outputs
        ],
    }


def dataset(url: str) -> dict[str, str]:
    """A dataset by the naming rules of the spec: ``file`` and the path, or the bucket's URL and the key."""
    parts = urlsplit(redact_url(url))
    if parts.scheme in ("", "file"):
        return {"namespace": "file", "name": parts.path or "/"}
    return {"namespace": f"{parts.scheme}://{parts.netloc}", "name": parts.path.strip("/") or "/"}


def output_dataset(url: str, rows: int | None = None, size: int = 0, files: int = 0) -> dict[str, Any]:
    """A dataset that a run writes, with its rows, bytes and files if it has ended."""
    if rows is None:
        return dict(dataset(url))
    statistics = {"rowCount": rows, "size": size, "fileCount": files}
    return {**dataset(url), "outputFacets": {"outputStatistics": statistics}}


def _signed_facets(facets: Mapping[str, Mapping[str, Any]], producer: str) -> dict[str, dict[str, Any]]:
    """Facets with the producer and the schema that the spec asks of each."""
    return {
        key: {"_producer": producer, "_schemaURL": _schema_of(_FACETS[key]), **facet}
        for key, facet in facets.items()
    }


def _schema_of(facet: str) -> str:
    return f"{_SPEC}/facets/{facet}.json#/$defs/{facet.rpartition('/')[2]}"


def _source(url: str) -> dict[str, str]:
    """What is read, under the name that outputs have for it."""
    namespace = dataset(url)["namespace"]
    return {"namespace": namespace, "name": source_name(url)}


def _unique(datasets: Iterable[dict[str, str]]) -> list[dict[str, str]]:
    return list({(one["namespace"], one["name"]): one for one in datasets}.values())
