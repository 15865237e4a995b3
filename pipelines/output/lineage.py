"""Report a run to a lineage service: OpenLineage events (spec 2-0-2) of its start and its end.

They contain paths, counts and versions, like the manifest, and no text. Unlike the files in an output folder,
they have times and an id of the attempt, since they log what happened.
"""

import json
import os
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from functools import partial
from typing import Any, Literal
from urllib.parse import urlsplit

from tacenda.pipelines.command_line.terminal import remark
from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.output.output_folder import files_named
from tacenda.pipelines.work.error_sanitizing import RunFailedError
from tacenda.pipelines.work.receipts import CORPUS, HELD
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url, source_name
from tacenda.transforms.storage.files import absolute, read_bytes

API_KEY = "OPENLINEAGE_API_KEY"
"""Environment variable with the token of the service, if it needs one; other clients use the same name."""

_SPEC = "https://openlineage.io/spec"
_FACETS = {
    "errorMessage": "1-0-1/ErrorMessageRunFacet",
    "jobType": "2-0-4/JobTypeJobFacet",
    "outputStatistics": "1-0-2/OutputStatisticsOutputDatasetFacet",
    "processing_engine": "1-1-1/ProcessingEngineRunFacet",
    "tags": "1-0-0/TagsRunFacet",
}
"""Version and name of the facets used, by the key under which the spec puts them."""

_ANSWER_S = 10.0
_OPTION = "--lineage"


@contextmanager
def traced(url: str | None, job: JobSettings, *, ends_with_driver: bool) -> Iterator[None]:
    """Report the start of a run before the block, and its end after it; nothing if ``url`` is None.

    ``url`` is a file of this machine, to append lines to, or an http(s) address to post them to. A run that is
    interrupted here but continues elsewhere, as it does not end with the driver, is not reported as ended.

    Raises:
        UserError: the start cannot be reported. If only the end cannot be, a note says so.
    """
    if url is None:
        yield
        return
    event = partial(_event, job, str(uuid.uuid4()))
    if not url or ("://" in url and not _is_address(url)):
        raise UserError(f"{_OPTION} {redact_url(url)}: name a file of this machine, or an http(s) address")
    place = url if _is_address(url) else absolute(url)
    if not _sent(place, event("START")):
        raise UserError(f"{_OPTION} {redact_url(url)}: takes no events; check the address, or leave it out")
    try:
        yield
    except KeyboardInterrupt:
        if ends_with_driver:
            _send_last(place, event("ABORT"))
        raise
    except BaseException as error:
        if not (isinstance(error, RunFailedError) and error.goes_on):
            # The class of the error alone, which quotes nothing.
            _send_last(place, event("FAIL", error=type(error).__name__))
        raise
    _send_last(place, event("COMPLETE"))


def _event(
    job: JobSettings,
    run_id: str,
    kind: Literal["START", "COMPLETE", "ABORT", "FAIL"],
    error: str | None = None,
) -> dict[str, Any]:
    """One event; ``run_id`` is the same in all events of one attempt."""
    version = job.identity.version
    facets = partial(_facets, f"pkg:pypi/tacenda@{version}")
    tags = {"fingerprint": job.identity.fingerprint, "shape": job.shape.name}
    outputs: list[dict[str, Any]] = [_dataset(job.output)]
    if kind == "COMPLETE":
        verdict = json.loads(read_bytes(f"{job.output}/manifest.json"))["verdict"]
        tags |= {"verdict": verdict["state"], "config_sha256": job.identity.config_hash}
        outputs = [
            {**_dataset(f"{job.output}/{folder}"), "outputFacets": facets(outputStatistics=told)}
            for folder, told in _written(job.output).items()
        ]
    of_run: dict[str, Any] = {
        "processing_engine": {"name": "tacenda", "version": version},
        "tags": {"tags": [{"key": key, "value": value} for key, value in sorted(tags.items())]},
    }
    if error is not None:
        of_run["errorMessage"] = {"message": error, "programmingLanguage": "PYTHON"}
    of_job = {"processingType": "BATCH", "integration": "TACENDA", "jobType": "COMMAND"}
    return {
        "eventType": kind,
        "eventTime": datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
        "producer": f"pkg:pypi/tacenda@{version}",
        "schemaURL": f"{_SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": run_id, "facets": facets(**of_run)},
        "job": {"namespace": "tacenda", "name": job.command, "facets": facets(jobType=of_job)},
        # Of what is read, only a digest is told, under the namespace that outputs have.
        "inputs": [{**_dataset(url), "name": source_name(url)} for url in dict.fromkeys(job.input_urls)],
        "outputs": outputs,
    }


def _facets(producer: str, /, **facets: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Facets with the producer and the schema that the spec asks of each."""
    schemas = {key: f"{_FACETS[key]}.json#/$defs/{_FACETS[key].rpartition('/')[2]}" for key in facets}
    return {
        key: {"_producer": producer, "_schemaURL": f"{_SPEC}/facets/{schemas[key]}", **facet}
        for key, facet in facets.items()
    }


def _dataset(url: str) -> dict[str, Any]:
    """A dataset by the naming rules of the spec: ``file`` and the path, or the bucket's URL and the key."""
    parts = urlsplit(redact_url(url))
    if parts.scheme in ("", "file"):
        return {"namespace": "file", "name": parts.path or "/"}
    return {"namespace": f"{parts.scheme}://{parts.netloc}", "name": parts.path.strip("/") or "/"}


def _written(output: str) -> dict[str, dict[str, int]]:
    """The folders that the run wrote, the corpus first, with what is in them."""
    told: dict[str, dict[str, int]] = {}
    for path, one in files_named(output).items():
        folder = told.setdefault(path.partition("/")[0], {"rowCount": 0, "size": 0, "fileCount": 0})
        folder["rowCount"] += one["rows"]
        folder["size"] += one["bytes"]
        folder["fileCount"] += 1
    return dict(sorted(told.items(), key=lambda item: (item[0] not in (CORPUS, HELD), item[0])))


def _is_address(place: str) -> bool:
    return place.startswith(("http://", "https://"))


def _sent(place: str, event: Mapping[str, Any]) -> bool:
    line = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
    try:
        if _is_address(place):
            _post(place, line)
        else:
            with open(place, "ab") as file:
                file.write(line + b"\n")
    except (OSError, ValueError):  # urllib's errors; an address that it cannot read is a ValueError
        return False
    return True


def _post(address: str, body: bytes) -> None:
    headers = {"Content-Type": "application/json"}
    if token := os.environ.get(API_KEY):
        headers["Authorization"] = f"Bearer {token}"
    import urllib.request  # takes a while

    request = urllib.request.Request(address, body, headers)  # noqa: S310 - its scheme was checked
    with urllib.request.urlopen(request, timeout=_ANSWER_S):  # noqa: S310
        pass


def _send_last(place: str, event: Mapping[str, Any]) -> None:
    if not _sent(place, event):
        remark(f"{_OPTION} {redact_url(place)}: did not take the last event ({event['eventType']})")
