"""Report a run to a lineage service: OpenLineage events of its start and its end, written by this process.

Events of OpenLineage (spec 2-0-2): which datasets a run read and wrote, and how it ended.

They contain paths, counts and versions, like the manifest, and no text. Unlike the files in an output folder,
they have times and an id of the attempt, since they log what happened.
"""

import json
import os
import uuid
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from functools import partial
from typing import Any, Literal
from urllib.parse import urlsplit

from tacenda.pipelines.command_line.terminal import remark
from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.work.error_sanitizing import RunFailedError
from tacenda.pipelines.work.receipts import CORPUS, HELD
from tacenda.transforms.releasing.manifest import FILES_FILE
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url, source_name
from tacenda.transforms.storage.files import absolute, read_bytes
from tacenda.transforms.storage.tables import read_columns

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
        # What is read, under the namespace that outputs have.
        "inputs": [
            {"namespace": dataset(url)["namespace"], "name": source_name(url)}
            for url in dict.fromkeys(inputs)
        ],
        "outputs": [
            {**one, **{key: _signed_facets(one[key], producer) for key in ("outputFacets",) if key in one}}
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
        return {**dataset(url)}
    statistics = {"rowCount": rows, "size": size, "fileCount": files}
    return {**dataset(url), "outputFacets": {"outputStatistics": statistics}}


def _signed_facets(facets: Mapping[str, Mapping[str, Any]], producer: str) -> dict[str, dict[str, Any]]:
    """Facets with the producer and the schema that the spec asks of each."""
    return {
        key: {
            "_producer": producer,
            "_schemaURL": f"{_SPEC}/facets/{_FACETS[key]}.json#/$defs/{_FACETS[key].rpartition('/')[2]}",
            **facet,
        }
        for key, facet in facets.items()
    }


API_KEY = "OPENLINEAGE_API_KEY"
"""Environment variable with the token of the service, if it needs one; other clients use the same name."""

_ANSWER_S = 10.0
_OPTION = "--lineage"


@contextmanager
def traced(url: str | None, job: JobSettings, *, ends_with_driver: bool) -> Iterator[None]:
    """Report the start of a run before the block, and its end after it; nothing if ``url`` is None.

    A run that is interrupted here but continues elsewhere is not reported as ended.

    Args:
        url: a file of this machine, to append lines to, or an http(s) address to post them to.
        job: the run.
        ends_with_driver: whether the job ends when this process does.

    Raises:
        UserError: the start cannot be reported. If only the end cannot be, a note says so.
    """
    if url is None:
        yield
        return
    event = partial(_event, job, str(uuid.uuid4()))
    place = _checked(url)
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
            _send_last(place, event("FAIL", error=type(error).__name__))
        raise
    _send_last(place, event("COMPLETE"))


def _event(job: JobSettings, run_id: str, kind: Kind, error: str | None = None) -> dict[str, Any]:
    tags = {"fingerprint": job.identity.fingerprint, "shape": job.shape.name}
    outputs = [output_dataset(job.output)]
    if kind == "COMPLETE":
        manifest = json.loads(read_bytes(f"{job.output}/manifest.json"))
        tags["verdict"] = manifest["verdict"]["state"]
        tags["config_sha256"] = job.identity.config_hash
        outputs = _outputs(job.output)
    return run_event(
        kind,
        datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
        run_id,
        command=job.command,
        version=job.identity.version,
        inputs=job.input_urls,
        outputs=outputs,
        tags=tags,
        error=error,
    )


def _outputs(output: str) -> list[dict[str, Any]]:
    """The folders that the run wrote, the corpus first, with what is in them."""
    rows, sizes, files = Counter[str](), Counter[str](), Counter[str]()
    for one in read_columns(f"{output}/{FILES_FILE}", ["path", "rows", "bytes"]).to_pylist():
        folder = one["path"].partition("/")[0]
        rows[folder] += one["rows"]
        sizes[folder] += one["bytes"]
        files[folder] += 1
    order = sorted(files, key=lambda folder: (folder not in (CORPUS, HELD), folder))
    return [output_dataset(f"{output}/{one}", rows[one], sizes[one], files[one]) for one in order]


def _checked(url: str) -> str:
    """The URL, or the absolute path of a file.

    Raises:
        UserError: it is neither a file of this machine nor a web address.
    """
    if url.startswith(("http://", "https://")):
        return url
    if "://" in url or not url:
        raise UserError(f"{_OPTION} {redact_url(url)}: name a file of this machine, or an http(s) address")
    return absolute(url)


def _sent(place: str, event: dict[str, Any]) -> bool:
    line = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
    try:
        if place.startswith(("http://", "https://")):
            _post(place, line)
        else:
            with open(place, "ab") as file:
                file.write(line + b"\n")
    except (
        OSError,
        ValueError,
    ):  # urllib's errors are OSErrors; an address that it cannot read is a ValueError
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


def _send_last(place: str, event: dict[str, Any]) -> None:
    if not _sent(place, event):
        remark(f"{_OPTION} {redact_url(place)}: did not take the last event ({event['eventType']})")
