"""The end of a run: from the receipts of all units to statistics, manifest, report and, last, the marker."""

import json
from collections.abc import Sequence
from typing import Any

from pipelines.failure import without_text
from pipelines.output_folder import remove_stale, remove_unfinished
from pipelines.receipts import clear_receipts
from pipelines.report_data import report_data
from pipelines.settings import JobSettings
from transforms.releasing.criterion import Verdict, decide
from transforms.releasing.manifest import build_manifest
from transforms.releasing.merging import Totals, total
from transforms.releasing.report import render
from transforms.schema.receipt import Receipt
from transforms.schema.rejection import Stage
from transforms.scoring.statistics import RiskSketch, Statistics
from transforms.storage.json_lines import TRUNCATED
from transforms.storage.locating import changed
from transforms.storage.publishing import publish

SUCCESS, HELD = "_SUCCESS", "_HELD"
_OF_MARKS = (f"{Stage.SCORE.value}/", f"{Stage.READ.value}/BadSpan")
"""Rejections of conversations that somebody marked."""


@without_text("the end of the run")
def conclude(receipts: Sequence[Receipt], job: JobSettings) -> bool:
    """Write everything that belongs to the run as a whole; returns whether it is released.

    Written again by a retried attempt, it writes the same bytes. The marker comes last: whoever sees it sees
    all the rest.

    Raises:
        UnitFailedError: something cannot be written, or is not as it should be.
    """
    written_since = len(changed(job.input_urls, job.input_files))
    totals = total(receipts)
    problems = _problems(totals, written_since, job)
    statistics: Statistics | None = None
    verdict: Verdict | None = None
    if job.command != "inspect":
        sketch = RiskSketch()
        for receipt in receipts:
            sketch.merge(RiskSketch.from_json(receipt.risk))
        statistics = sketch.compute(job.risk.threshold)
        verdict = decide(statistics, job.risk.threshold)
    held = [*problems, *(verdict.reasons if verdict is not None else ())]
    released = not problems and (verdict is None or verdict.released or job.release_anyway is not None)
    told = _verdict_json(released, held, job)
    manifest = build_manifest(job.identity, receipts, totals, told)
    remove_stale(job, {path for receipt in receipts for path in receipt.files})
    if statistics is not None and verdict is not None:
        _publish_json(f"{job.output}/statistics.json", statistics.to_json())
    _publish_json(f"{job.output}/manifest.json", manifest)
    if statistics is not None and verdict is not None:
        report = render(report_data(job, totals, len(receipts), statistics, verdict, released, problems))
        _publish(f"{job.output}/report.html", report.encode())
    clear_receipts(job.output)
    remove_unfinished(job.output)
    _publish_json(f"{job.output}/{SUCCESS if released else HELD}", told)
    return released


def _problems(totals: Totals, written_since: int, job: JobSettings) -> list[str]:
    """What holds a run whatever its risk, and cannot be overridden."""
    problems = []
    if written_since:
        # The plan says where units begin and end: of other bytes, no count of rows shows what was passed over.
        problems.append(f"input files that were written while the run read them: {written_since}; run again")
    if not totals.balanced:
        problems.append(
            f"rows do not balance: {totals.rows_in} in, {totals.rows_out} out, "
            f"{totals.rows_quarantined} quarantined"
        )
    cut_off = totals.quarantined.get(f"{Stage.READ.value}/{TRUNCATED}", 0)
    if cut_off:
        problems.append(
            f"input files that are cut off or damaged: {cut_off}; how many rows they lost is not known; "
            "get them whole and run again (the quarantine says where each ends)"
        )
    unscored = sum(count for error, count in totals.quarantined.items() if error.startswith(_OF_MARKS))
    if job.command == "score" and unscored:
        # There is no corpus to keep them out of: without them, the sample would only look better than it is.
        problems.append(
            f"conversations whose marks could not be read or scored: {unscored}; mend them and run again "
            "(the quarantine says where they are and what is wrong)"
        )
    if totals.reviews_matched != job.reviews_given:
        problems.append(
            f"{job.reviews_given} conversations are reviewed in the spans files, "
            f"{totals.reviews_matched} of them are in the input"
        )
    return problems


def _verdict_json(released: bool, held: Sequence[str], job: JobSettings) -> dict[str, Any]:
    told: dict[str, Any] = {"released": released, "threshold": job.risk.threshold, "held_by": list(held)}
    if job.command == "inspect":
        del told["threshold"]
    if released and held:
        told["released_anyway"] = job.release_anyway
    return told


def _publish_json(url: str, data: Any) -> None:
    _publish(url, (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode())


def _publish(url: str, data: bytes) -> None:
    with publish(url) as sink:
        sink.write(data)
