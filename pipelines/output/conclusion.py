"""Conclude a run: turn the receipts of all parts into statistics, manifest, report and, last, the marker."""

import errno
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from operator import itemgetter
from typing import Any

import pyarrow as pa

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.config.named_files import lists_summary
from tacenda.pipelines.output import output_folder as folders
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.receipts import CORPUS, HELD, load_part, remove_work_folder
from tacenda.transforms.releasing import manifest as manifests
from tacenda.transforms.releasing.criterion import State
from tacenda.transforms.releasing.dataset_card import added_tokens, dataset_card, features_of
from tacenda.transforms.releasing.recount import Recount
from tacenda.transforms.releasing.report import render
from tacenda.transforms.releasing.run import MODIFIED, Run
from tacenda.transforms.releasing.verdict import judge
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.url_redaction import redact_url, source_name
from tacenda.transforms.scoring.statistics import RiskSketch
from tacenda.transforms.shapes.mapping import as_plain
from tacenda.transforms.storage import lease
from tacenda.transforms.storage.files import remove_file
from tacenda.transforms.storage.lease import LeaseLostError
from tacenda.transforms.storage.locating import changed
from tacenda.transforms.storage.publishing import json_bytes, publish_bytes
from tacenda.transforms.storage.tables import ParquetWriter
from tacenda.transforms.writing.converting import TARGETS
from tacenda.transforms.writing.part_files import hashed_file


@sanitize_errors("the end of the run")
def conclude(whole: Receipt, parts: Iterable[str], job: JobSettings) -> State:
    """Write everything that belongs to the run as a whole; returns its state.

    ``whole`` is the sum of the receipts of all ``parts``. A retry writes the same bytes. The marker is written
    last, when everything else is complete.

    Raises:
        UnitFailedError: something cannot be written or is inconsistent, or another run has taken the output.
    """
    try:
        lease.check(job.lease)
    except LeaseLostError:
        # The lease ends with the run, so a retry of a finished conclusion has none.
        state = folders.verdict_there(job)
        if state is None:
            raise
        return state
    written_since = len(changed(job.input_urls, job.input_files))
    rows_in, not_read = (of + job.rows_not_read for of in (whole.rows_in, whole.rows_not_read))
    whole = replace(whole, rows_in=rows_in, rows_not_read=not_read)
    manifest = {"verdict": {}, **manifests.counts_entries(whole), **asdict(job.identity)}
    manifest |= _entries(job, whole, written_since)
    run = Run(manifest, Recount(RiskSketch.from_json(whole.risk)))
    told = manifest["verdict"] = judge(run)
    state, figures = State(told["state"]), run.figures() if job.command != "inspect" else {}
    for name in folders.CARDS:  # before what they describe changes
        remove_file(f"{job.output}/{name}")
    held = state is State.HELD
    manifest |= {**_write_tables(parts, job, held), "worst": run.scores.sketch.worst_to_json()}
    if figures:
        manifest["identifiability"] = figures["identifiability"]
    for name, content in documents(manifest, figures).items():
        publish_bytes(f"{job.output}/{name}", content)
    folders.remove_unfinished(job.output)
    folders.remove_empty(job.output, (CORPUS,) if held else (HELD,))
    publish_bytes(f"{job.output}/{folders.MARKERS[state]}", json_bytes(told))
    remove_work_folder(job.output)
    return state


def _entries(job: JobSettings, whole: Receipt, modified: int) -> dict[str, Any]:
    """The manifest's entries on the run that no judgement changes; those that do not apply are left out.

    ``modified`` input files were written since they were planned.
    """
    entries: dict[str, Any] = {}
    # Circumstances of the run that neither the config nor the counts show.
    entries["run"] = {
        "input": [source_name(url) for url in job.input_urls],
        "fields": dict(sorted(job.read.fields.items())),
        **({"mapping": as_plain(job.read.mapping)} if job.read.mapping else {}),
        "date": job.date,
        "operator": job.operator,
        "reviewer": job.reviewer,
        "reviews_given": job.reviews_given,
        "drop_over": job.drop_over,
        **({MODIFIED: modified} if modified else {}),
    }
    entries["fields"] = job.fields
    if job.command != "score":
        entries["not_looked_for"] = job.not_looked_for
        if exclusions := job.detecting.rules.exclusions:
            entries["exclusion_rules"] = exclusions
        if job.replacement.lists:
            entries["lists"] = lists_summary(job.replacement, whole.listed)
    if job.command == "anonymize":
        entries["pseudonymised"] = job.replacement.is_pseudonymous() or job.dictionary is not None
    if job.context is not None:
        entries["context"] = job.context
    if whole.hidden:
        entries["hidden_in_plain_sight"] = {**whole.hidden, "look_at": whole.suspected}
    if job.standoff is not None:
        entries["standoff"] = {"folder": redact_url(job.standoff), "rows": whole.standoff_rows}
    if job.split is not None:
        entries["split"] = job.split.summary(whole.splits)
    if job.dictionary is not None:
        entries["dictionary"] = {"folder": redact_url(job.dictionary)}
    return entries


def _write_tables(parts: Iterable[str], job: JobSettings, held: bool) -> dict[str, Any]:
    """Write the tables of units, files and inputs; returns their entries in the manifest, and on the corpus.

    The corpus of a ``held`` run is moved aside.
    """
    units, files, corpus = [manifests.UNITS.empty_table()], [manifests.FILES.empty_table()], dict[str, str]()
    for name in sorted(parts):
        part = load_part(job, name)
        if part is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        written = folders.put_aside(part.receipt.files, job.output) if held else part.receipt.files
        units.append(manifests.units_table(name, part.units))
        files.append(manifests.files_table(replace(part.receipt, files=written)))
        corpus.update(folders.corpus_hashes(written))
    entries: dict[str, Any] = {
        "units": write_table(f"{job.output}/{manifests.UNITS_FILE}", pa.concat_tables(units)),
        "files": write_table(f"{job.output}/{manifests.FILES_FILE}", pa.concat_tables(files)),
    }
    if job.command == "anonymize":
        digests = zip(job.input_files, job.input_digests, strict=True)
        rows = [{"url": source_name(one.url), "bytes": one.size, "digest": digest} for one, digest in digests]
        inputs = pa.Table.from_pylist(sorted(rows, key=itemgetter("url")), schema=manifests.INPUTS)
        entries["sources"] = write_table(f"{job.output}/{manifests.INPUTS_FILE}", inputs)
    entries |= manifests.corpus_entry(corpus)
    return entries | ({"written": _written(job, corpus)} if job.command == "anonymize" else {})


def write_table(url: str, table: pa.Table) -> dict[str, Any]:
    """Write a table of the manifest; returns its entry there."""
    with hashed_file(url) as sink, ParquetWriter(sink, table.schema) as writer:
        writer.write(table)
    return {"file": folders.name_of(url), "rows": table.num_rows, "sha256": sink.hexdigest()}


def _written(job: JobSettings, corpus: Iterable[str]) -> dict[str, Any]:
    """The form of the corpus: its shape, the formats of its files by their names, and its columns if known."""
    formats = sorted({name.partition(".")[2] for name in corpus})
    schema = None if job.to is None else TARGETS[job.to]
    if job.to is None and formats == ["parquet"]:
        schema = job.schema
    return {
        "shape": job.to or job.shape.name,
        "converted": job.to is not None,
        "formats": formats,
        "splits": _splits(corpus),
        "features": None if schema is None else features_of(schema),
    }


def _splits(corpus: Iterable[str]) -> dict[str, str]:
    """The splits of a corpus by name, and what the names of their files are like."""
    splits: dict[str, str] = {}
    for name in sorted(corpus):
        folder, _, file = name.rpartition("/")
        # Of input that had splits, a part is named after its own (``Part.name``).
        own = file.partition(".")[0].removeprefix("part-").partition("-")[2]
        if folder:
            splits[folder] = f"{folder}/part-*"
        elif own:
            splits[own.replace("-", "_")] = f"part-*-{own}"
    return splits


def documents(manifest: Mapping[str, Any], figures: Mapping[str, Any]) -> dict[str, bytes]:
    """Statistics, manifest, report, card and tokens by their path; no card of a held corpus, and of an
    inspection, which has no figures, the manifest alone.

    Report, card and tokens follow from manifest and statistics, so that they can be made again and compared.
    """
    told = {"statistics.json": json_bytes(figures)} if figures else {}
    told["manifest.json"] = json_bytes(manifest)
    if figures:
        told[folders.REPORT] = render(manifest, figures).encode()
    if {"written", "corpus"} <= manifest.keys() and manifest["verdict"]["state"] != State.HELD.value:
        told[folders.CARD] = dataset_card(manifest, figures, f"{CORPUS}/").encode()
        if tokens := manifest["totals"]["tokens"]:
            told[folders.TOKENS] = json_bytes(added_tokens(tokens))
    return told
