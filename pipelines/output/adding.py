"""Add the files of a run to the corpus of an output folder.

The run is an ordinary one, of the new input alone, into a folder inside the output; what the corpus has already
stays as it is, byte for byte. Then figures are added up, and the verdict is given anew on the whole.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, NamedTuple

import pyarrow as pa

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.config.named_files import lists_summary
from tacenda.pipelines.output.anonymized_folder import AnonymizedFolder
from tacenda.pipelines.output.change import ADDING, Tables, aside, change, judged_again
from tacenda.pipelines.output.conclusion import write_table
from tacenda.pipelines.output.file_verification import parts_of
from tacenda.pipelines.output.output_folder import WRITTEN_WHILE_READ
from tacenda.pipelines.output.signing import SigningKey
from tacenda.pipelines.output.verification import recounted, run_in
from tacenda.pipelines.work.plan import Corpus
from tacenda.transforms.releasing.manifest import (
    INPUTS,
    INPUTS_FILE,
    UNITS_FILE,
    combine,
    inputs_entry,
    with_change,
)
from tacenda.transforms.releasing.run import REVIEWS_BEFORE, Run, gate_of, highest_in_reviews, totals_of
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Receipt, Totals
from tacenda.transforms.schema.url_redaction import redact_url, source_name
from tacenda.transforms.schema.work_unit import ordinal_of, part_of, planned_part
from tacenda.transforms.storage.files import read_bytes
from tacenda.transforms.storage.locating import FileInfo, content_digests
from tacenda.transforms.storage.tables import read_columns

_OF_ONE_STATE = ("review", "red_team", "compared_with")
"""Entries of a manifest on the corpus as it was, without what is added."""


class KnownInput(NamedTuple):
    """What a corpus has of the files that a command names now.

    ``changed`` are files with another content than when they were read, ``vanished`` those that are not there
    any more, ``new`` the others.
    """

    new: list[str]
    changed: list[str]
    vanished: list[str]


def corpus_of(folder: AnonymizedFolder) -> Corpus:
    """What a plan has to know of a corpus.

    Raises:
        UserError: nothing can be added to it.
    """
    shown, manifest = redact_url(folder.output), folder.manifest
    if "sources" not in manifest or not manifest.get("settings_hash"):
        raise UserError(
            f"corpus add: {shown} was written by an earlier version; run it again with --overwrite"
        )
    if "split" in manifest:
        raise UserError(
            f"corpus add: {shown} is split, and new conversations may belong with some of another split; "
            "run everything again with --overwrite"
        )
    if any(reason.startswith(WRITTEN_WHILE_READ) for reason in manifest["verdict"]["problems"]):
        raise UserError(
            f"corpus add: {shown} is held, as its input was modified meanwhile; run that again first"
        )
    units = read_columns(f"{folder.output}/{UNITS_FILE}", ["unit"])["unit"].to_pylist()
    used = {ordinal_of(planned_part(part_of(unit))) for unit in units}
    return Corpus(frozenset(_digests(folder)), 1 + max(used, default=-1))


def known_input(folder: AnonymizedFolder, files: Sequence[FileInfo]) -> KnownInput:
    """Compare the files of an input with those that were read for a corpus."""
    digests = _digests(folder)
    names = [source_name(file.url) for file in files]
    known = [(name, file) for name, file in zip(names, files, strict=True) if name in digests]
    now = content_digests([file for _, file in known])
    changed = [
        redact_url(file.url)
        for (name, file), digest in zip(known, now, strict=True)
        if digest != digests[name]
    ]
    new = [name for name in names if name not in digests]
    return KnownInput(new, changed, sorted(set(digests) - set(names)))


def _digests(folder: AnonymizedFolder) -> dict[str, str]:
    table = read_columns(f"{folder.output}/{INPUTS_FILE}", ["url", "digest"])
    return dict(zip(table["url"].to_pylist(), table["digest"].to_pylist(), strict=True))


def refuse_other_settings(folder: AnonymizedFolder, job: JobSettings) -> None:
    """Check that a run does to a conversation what the runs of the corpus did.

    Raises:
        UserError: it does not.
    """
    manifest, identity = folder.manifest, job.identity
    if manifest["settings_hash"] == identity.settings:
        return
    differs = next(
        (
            what
            for what, one, other in (
                ("version", manifest["tacenda"], identity.version),
                ("shape", manifest["shape"], identity.shape),
                ("score table", manifest["score_table"], identity.score_table),
                ("config, a model or a list", manifest["config_hash"], identity.config_hash),
            )
            if one != other
        ),
        "option or key",
    )
    raise UserError(
        f"corpus add: {redact_url(folder.output)} was written with another {differs}; add with the same, or "
        "run everything again with --overwrite"
    )


def merge_added(folder: AnonymizedFolder, job: JobSettings, key: SigningKey | None) -> None:
    """Put the output of a finished run into the folder to which it adds, and judge the whole.

    A review that was bound to the corpus is of fewer conversations than there are now: it is taken off.
    Its scores, and the samples that were drawn, still count for the next one.

    Args:
        folder: as it was when the run was planned.
        job: the run.
        key: signs the manifest.

    Raises:
        UserError: the folder was changed since, or its tables have other columns than the run's.
    """
    output, added_to = folder.output, folder.manifest
    before = read_bytes(f"{output}/manifest.json")
    if json.loads(before) != added_to:
        raise UserError(f"{redact_url(output)}: was changed while the run went on; give the command again")
    new = json.loads(read_bytes(f"{job.output}/manifest.json"))
    if added_to["written"]["features"] != new["written"]["features"]:
        raise UserError(
            f"corpus add: the new files have other columns than {redact_url(output)}; choose another folder"
        )
    pairs = [(output, added_to), (job.output, new)]
    whole = combine("", [_receipt(told) for _, told in pairs])
    counted = recounted([url for place, _ in pairs for url in parts_of(place, "risk")])
    for place, manifest in pairs:
        bound = (manifest["review"]["source"],) if "review" in manifest else ()
        counted.add_unread(json.loads(read_bytes(f"{place}/statistics.json")), bound)
    tables, inputs = _tables(folder, job)
    highest = highest_in_reviews(added_to)
    manifest = {
        **{key: told for key, told in added_to.items() if key not in _OF_ONE_STATE},
        **{key: told for key, told in new.items() if key == "compared_with"},
        **({REVIEWS_BEFORE: {"highest": highest}} if highest else {}),
        "fingerprint": new["fingerprint"],
        "inputs": inputs_entry((row["url"], row["bytes"]) for row in inputs.to_pylist()),
        "run": {
            **new["run"],
            "input": list(dict.fromkeys([*added_to["run"]["input"], *new["run"]["input"]])),
        },
        "fields": _fields(added_to["fields"], new["fields"]),
        "worst": whole.worst,
        "written": _written(added_to["written"], new["written"]),
        "sources": write_table(f"{output}/{aside(INPUTS_FILE)}", inputs),
    }
    tables.moves[aside(INPUTS_FILE)] = INPUTS_FILE
    if "lists" in added_to:
        manifest["lists"] = lists_summary(job.replacement, whole.listed)
    if whole.hidden:
        manifest["hidden_in_plain_sight"] = {**whole.hidden, "look_at": whole.suspected}
    if "standoff" in added_to:
        manifest["standoff"] = {**added_to["standoff"], "rows": whole.standoff_rows}
    told = {
        "files": new["inputs"]["files"],
        "conversations": new["totals"]["conversations"],
        "rows": new["rows"]["in"],
        "review_taken_off": "review" in added_to,
        "criterion_met_before": run_in(output, added_to).meets_gate(),
    }
    manifest = with_change(manifest, before, "added", told)
    gate = gate_of(manifest, job.risk.because, job.release_anyway)
    manifest, figures = judged_again(Run(manifest, whole, counted, gate))
    tables.place(manifest["verdict"]["state"] == "held", discarded=job.held_output == "discard")
    change(folder, manifest, figures, tables, key, [ADDING])


def _receipt(manifest: Mapping[str, Any]) -> Receipt:
    totals = totals_of(manifest)
    receipt = Receipt(unit="", **{column.name: getattr(totals, column.name) for column in fields(Totals)})
    bound = manifest["review"]["source"] if "review" in manifest else None
    receipt.worst = {source: told for source, told in manifest["worst"].items() if source != bound}
    receipt.suspected = list(manifest.get("hidden_in_plain_sight", {}).get("look_at", ()))
    return receipt


def _tables(folder: AnonymizedFolder, job: JobSettings) -> tuple[Tables, pa.Table]:
    """The tables of files and units with those of the run, and the table of all input files."""
    tables, new = Tables.of(folder.output), Tables.of(job.output)
    tables.remove_review(folder.output)
    for path, row in new.files.items():
        tables.files[path] = row
        tables.moves[f"{ADDING}/{path}"] = path
    tables.units = pa.concat_tables([tables.units, new.units])
    inputs = pa.concat_tables(
        [read_columns(f"{output}/{INPUTS_FILE}", INPUTS.names) for output in (folder.output, job.output)]
    )
    return tables, inputs.sort_by("url")


def _fields(told: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """What happened to the fields: those of both that were dropped, of which not all have names."""
    return {
        **told,
        "dropped": sorted({*told["dropped"], *more["dropped"]}),
        "dropped_unnamed": max(told["dropped_unnamed"], more["dropped_unnamed"]),
    }


def _written(told: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **told,
        "formats": sorted({*told["formats"], *more["formats"]}),
        "splits": {**told["splits"], **more["splits"]},
    }
