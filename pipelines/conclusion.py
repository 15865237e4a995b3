"""Conclude a run: from the receipts of all parts to statistics, manifest, report and, last, the marker."""

import errno
import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tacenda.pipelines.error_sanitizing import sanitize_errors
from tacenda.pipelines.leasing import check_held
from tacenda.pipelines.next_steps import next_steps
from tacenda.pipelines.output_folder import (
    MARKERS,
    WRITTEN_WHILE_READ,
    remove_unfinished,
    stale_files,
    verdict_there,
)
from tacenda.pipelines.putting_aside import put_aside, remove_empty
from tacenda.pipelines.receipts import CORPUS, HELD, load_part, remove_work_folder
from tacenda.pipelines.report_data import report_data
from tacenda.pipelines.settings import JobSettings
from tacenda.transforms.language.coverage import held_by_language, language_statistics
from tacenda.transforms.releasing.criterion import decide
from tacenda.transforms.releasing.judging import Facts, Judged, judge
from tacenda.transforms.releasing.manifest import (
    FILES,
    FILES_FILE,
    UNITS,
    UNITS_FILE,
    build_manifest,
    corpus_hash,
    files_table,
    units_table,
)
from tacenda.transforms.releasing.report import render
from tacenda.transforms.releasing.verdict import Ground, State
from tacenda.transforms.releasing.weakening import of_the_gate, of_the_scores
from tacenda.transforms.schema.receipt import Receipt, Totals
from tacenda.transforms.schema.rejection import Stage
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.scoring.sampling import sampling_statistics
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.statistics import RiskSketch, Statistics
from tacenda.transforms.storage.json_lines import TRUNCATED
from tacenda.transforms.storage.lease import LeaseLostError
from tacenda.transforms.storage.locating import changed
from tacenda.transforms.storage.parquet import ParquetWriter
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.writing.hashed_file import hashed_file


@sanitize_errors("the end of the run")
def conclude(whole: Receipt, parts: Iterable[str], job: JobSettings) -> State:
    """Write everything that belongs to the run as a whole; returns how it ended.

    Written again by a retried attempt, it writes the same bytes. The marker comes last: whoever sees it sees
    all the rest.

    Args:
        whole: the sum of the receipts of all parts.
        parts: the names of the parts.
        job: the settings of the run.

    Raises:
        UnitFailedError: something cannot be written, or is not as it should be; or another run took the output.
    """
    try:
        check_held(job)
    except LeaseLostError:
        # The lease goes with the end of the run: an attempt that came to it may be tried again.
        state = verdict_there(job)
        if state is None:
            raise
        return state
    written_since = len(changed(job.input_urls, job.input_files))
    whole = replace(
        whole,
        rows_in=whole.rows_in + job.rows_not_read,
        rows_not_read=whole.rows_not_read + job.rows_not_read,
    )
    problems = _problems(whole, written_since, job)
    statistics: Statistics | None = None
    judged: Judged | None = None
    facts: Facts | None = None
    if job.command == "inspect":
        state = State.HELD if problems else State.RELEASED
        told = {"state": state.value, "released": not problems, "held_by": problems}
    else:
        statistics = RiskSketch.from_json(whole.risk).compute(job.risk.threshold)
        problems += _context_problems(statistics, job)
        problems += _unlooked_problems(statistics, job)
        facts = _facts(whole, job, _is_self_checked(statistics))
        judged = judge(statistics, job.risk.gate(job.release_anyway), facts, problems)
        judged = judged.with_next_steps(next_steps(judged.judgement.state, job, bool(problems)))
        state, told = judged.judgement.state, judged.judgement.to_json()
    with stale_files(job) as stale:
        held = state is State.HELD
        tables = _write_tables(parts, job, stale, held)
        more = {"run": _circumstances(job), **tables, "worst": whole.worst, "fields": job.fields}
        if facts is not None:
            # A review that comes later is judged by the same settings.
            more["settings"] = [ground._asdict() for ground in facts.grounds]
        if job.command != "score":
            more["not_looked_for"] = job.not_looked_for.to_json()
        manifest = build_manifest(job.identity, whole, told, more)
        if statistics is not None:
            told_of_risk = {
                **statistics.to_json(),
                "skipping": sampling_statistics(whole.sampling),
                "languages": language_statistics(whole.languages, job.languages),
            }
            if job.drop_over is not None:
                told_of_risk["before_dropping"] = _before_dropping(whole, job).to_json()
            publish_json(f"{job.output}/statistics.json", told_of_risk)
        publish_json(f"{job.output}/manifest.json", manifest)
    if statistics is not None and judged is not None:
        report = render(report_data(manifest, statistics, judged.failures))
        publish_bytes(f"{job.output}/report.html", report.encode())
    remove_unfinished(job.output)
    remove_empty(job.output, (CORPUS,) if held else (HELD,))
    publish_json(f"{job.output}/{MARKERS[state]}", told)
    remove_work_folder(job.output)
    return state


def _write_tables(parts: Iterable[str], job: JobSettings, stale: set[str], held: bool) -> dict[str, Any]:
    """Write what the manifest says of each unit and file, a part at a time; returns what it says of the tables.

    What is written is taken out of ``stale``. The corpus of a run that is ``held`` is put aside.
    """
    rows = Counter[str]()
    corpus: dict[str, str] = {}
    with (
        hashed_file(f"{job.output}/{UNITS_FILE}") as units_sink,
        hashed_file(f"{job.output}/{FILES_FILE}") as files_sink,
        ParquetWriter(units_sink, UNITS) as units,
        ParquetWriter(files_sink, FILES) as files,
    ):
        for name in sorted(parts):
            part = load_part(job, name)
            if part is None:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
            written = put_aside(part.receipt.files, job) if held else part.receipt.files
            for key, writer, table in (
                ("units", units, units_table(name, part.units)),
                ("files", files, files_table(replace(part.receipt, files=written))),
            ):
                writer.write(table)
                rows[key] += table.num_rows
            for path, file in written.items():
                folder, _, base = path.partition("/")
                if folder in (CORPUS, HELD):
                    corpus[base] = file["sha256"]
            stale.difference_update(written)
    tables: dict[str, Any] = {
        key: {"file": name, "rows": rows[key], "sha256": sink.hexdigest()}
        for key, name, sink in (("units", UNITS_FILE, units_sink), ("files", FILES_FILE, files_sink))
    }
    if corpus:
        tables["corpus"] = {"files": len(corpus), "sha256": corpus_hash(corpus)}
    return tables


def _circumstances(job: JobSettings) -> dict[str, Any]:
    """What changes no byte of the corpus and is no part of what the run is."""
    return {
        "input": [redact_url(url) for url in job.input_urls],
        "fields": dict(sorted(job.read.fields.items())),
        "date": job.date,
        "operator": job.operator,
    }


def _problems(sums: Totals, written_since: int, job: JobSettings) -> list[str]:
    """What holds a run whatever its risk, and cannot be overridden."""
    problems = []
    if written_since:
        # The plan says where units begin and end: of other bytes, no count of rows shows what was passed over.
        problems.append(f"{WRITTEN_WHILE_READ}: {written_since}; run again")
    if not sums.balanced:
        problems.append(
            f"rows do not balance: {sums.rows_in} in, {sums.rows_out} out, "
            f"{sums.rows_quarantined} quarantined"
            + (f", {sums.rows_dropped} dropped" if sums.dropped else "")
            + (f", {sums.rows_not_read} not read" if sums.rows_not_read else "")
        )
    cut_off = sums.quarantined.get(f"{Stage.READ.value}/{TRUNCATED}", 0)
    if cut_off:
        problems.append(
            f"input files that are cut off or damaged: {cut_off}; how many rows they lost is not known; "
            "get them whole and run again (the quarantine says where each ends)"
        )
    if job.command == "score" and sums.rows_quarantined:
        # There is no corpus to keep them out of: without them, the sample would only look better than it is.
        problems.append(
            f"{sums.rows_quarantined} rows of what was reviewed are in quarantine: mend them and run again "
            "(it says where they are and what is wrong)"
        )
    if sums.reviews_matched != job.reviews_given:
        problems.append(
            f"{job.reviews_given} conversations are reviewed in the spans files, "
            f"{sums.reviews_matched} of them are in the input"
        )
    uncovered = held_by_language(sums.languages, job.languages) if job.command == "anonymize" else None
    if uncovered:
        problems.append(uncovered)
    return problems


def _context_problems(statistics: Statistics, job: JobSettings) -> list[str]:
    """Contexts that were asked for and are not there: all conversations would be judged as one."""
    named = job.read.fields.get("context")
    contexts = {context for figures in statistics.sources.values() for context in figures.contexts}
    if named is None or contexts != {""}:
        return []
    return [f"--field context={named}: no conversation has it, so that no context is judged by itself"]


def _before_dropping(whole: Receipt, job: JobSettings) -> Statistics:
    """The figures of all that was scored, as they were before anything was dropped for its score."""
    sketch = RiskSketch.from_json(whole.risk).merge(RiskSketch.from_json(whole.risk_dropped))
    return sketch.compute(job.risk.threshold)


def _unlooked_problems(statistics: Statistics, job: JobSettings) -> list[str]:
    """Direct identifiers that a self-check scores 0 because nothing looked for them."""
    direct = job.not_looked_for.direct()
    if not direct or not _is_self_checked(statistics) or (job.risk.because or "").strip():
        return []
    return [
        f"nothing looked for direct identifiers ({', '.join(direct)}), so that a score without them says "
        "nothing; look for them, or say in risk.because why not"
    ]


def _is_self_checked(statistics: Statistics) -> bool:
    checked = statistics.sources.get("model")
    return checked is not None and checked.total.count > 0


def _facts(sums: Receipt, job: JobSettings, self_checked: bool) -> Facts:
    gate = job.risk.gate(job.release_anyway)
    table = ScoreTable.load(job.risk.preset, job.risk.overrides, job.risk.labels)
    grounds = [*of_the_gate(gate), *of_the_scores(table, job.risk.variant_clustering)]
    if named := job.read.fields.get("context"):
        grounds.append(Ground(f"contexts are what the field {named} says"))
    if self_checked:
        grounds += _of_what_was_not_looked_for(job)
    grounds += [
        Ground(f"text in {name} is released by request: {reason}")
        for name, reason in sorted(job.languages.accepted.items())
    ]
    grounds += [
        Ground(f"nothing looked at the field {name}: {reason}")
        for name, reason in sorted(job.read.opaque.items())
    ]
    if gate.because is not None:
        grounds.append(Ground(f"the reason given for the settings: {gate.because}"))
    if sums.dropped:
        before = decide(_before_dropping(sums, job), gate.threshold, criterion=gate.criterion)
        met = "met" if before.met else "not met"
        grounds.append(Ground(f"before they were dropped, the criterion was {met}"))
    return Facts(
        sums.rows_in,
        sums.rows_quarantined,
        sums.annotations,
        reviews=job.command == "score",
        dropped=sums.dropped,
        drop_over=job.drop_over,
        grounds=grounds,
    )


def _of_what_was_not_looked_for(job: JobSettings) -> list[Ground]:
    # Where people read the corpus, they see what no detector looked for.
    alone = job.risk.release_on == "self_check"
    grounds = []
    if direct := job.not_looked_for.direct():
        grounds.append(Ground(f"direct identifiers that nothing looked for: {', '.join(direct)}", alone))
    if weakly := job.not_looked_for.weakly:
        grounds.append(Ground(f"rules alone looked for {', '.join(weakly)}, of which they find few", alone))
    if other := [kind.tag for kind in job.not_looked_for.kinds if not kind.direct]:
        grounds.append(Ground(f"scored kinds that nothing looked for: {', '.join(other)}"))
    return grounds


def publish_json(url: str, data: Any) -> None:
    """Publish plain data as JSON."""
    publish_bytes(url, (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode())


def publish_bytes(url: str, data: bytes) -> None:
    """Publish a file."""
    with publish(url) as sink:
        sink.write(data)
