"""Add the files of a run to the corpus of an output folder.

The run is an ordinary one, of the new input alone, into a folder inside the output; what the corpus has already
stays as it is, byte for byte. Then figures are added up, and the verdict is given anew on the whole.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.config.named_files import lists_summary
from tacenda.pipelines.output.anonymized_folder import AnonymizedFolder
from tacenda.pipelines.output.change import ADDING, Change
from tacenda.pipelines.output.output_folder import files_named
from tacenda.pipelines.output.signing import SigningKey
from tacenda.pipelines.output.verification import refuse_untrue
from tacenda.pipelines.work.plan import Corpus
from tacenda.transforms.releasing.criterion import sentence
from tacenda.transforms.releasing.manifest import (
    INPUTS,
    INPUTS_FILE,
    UNITS,
    UNITS_FILE,
    inputs_entry,
)
from tacenda.transforms.releasing.run import MODIFIED, reviews_before, totals_of
from tacenda.transforms.replacing.standing_out import MOST_IDS
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.url_redaction import redact_url, source_name
from tacenda.transforms.schema.work_unit import ordinal_of, planned_part
from tacenda.transforms.storage.files import read_bytes
from tacenda.transforms.storage.locating import FileInfo, content_digests
from tacenda.transforms.storage.tables import read_columns

_OF_ONE_STATE = ("review", "red_team")
"""Entries of a manifest on the corpus as it was, without what is added."""


def corpus_of(folder: AnonymizedFolder) -> Corpus:
    """What a plan has to know of a corpus; a UserError if nothing can be added to it."""
    manifest = folder.manifest
    refused = {
        "was written by an earlier version; run it again with --overwrite": "sources" not in manifest
        or not manifest.get("settings_hash"),
        "is split; run everything again with --overwrite": "split" in manifest,
        "is held, as its input was modified meanwhile; run that again first": MODIFIED in manifest["run"],
    }
    for why, holds in refused.items():
        if holds:
            raise UserError(f"corpus add: {redact_url(folder.output)} {why}")
    units = read_columns(f"{folder.output}/{UNITS_FILE}", ["unit"])["unit"].to_pylist()
    used = {ordinal_of(planned_part(unit)) for unit in units}
    return Corpus(frozenset(_digests(folder)), 1 + max(used, default=-1))


def known_input(
    folder: AnonymizedFolder, files: Sequence[FileInfo]
) -> tuple[list[str], list[str], list[str]]:
    """Files that were not read for a corpus, those that have another content since, and those that are gone."""
    digests, named = _digests(folder), {source_name(file.url): file for file in files}
    known = [name for name in named if name in digests]
    now = zip(known, content_digests([named[name] for name in known]), strict=True)
    changed = [redact_url(named[name].url) for name, digest in now if digest != digests[name]]
    return sorted(named.keys() - digests.keys()), changed, sorted(digests.keys() - named.keys())


def _digests(folder: AnonymizedFolder) -> dict[str, str]:
    table = read_columns(f"{folder.output}/{INPUTS_FILE}", ["url", "digest"])
    return dict(zip(table["url"].to_pylist(), table["digest"].to_pylist(), strict=True))


def refuse_other_settings(folder: AnonymizedFolder, job: JobSettings) -> None:
    """Refuse a run that does something else to a conversation than the runs of the corpus did."""
    manifest, identity = folder.manifest, job.identity
    if manifest["settings_hash"] == identity.settings_hash:
        return
    parts = (
        ("version", manifest["tacenda"], identity.tacenda),
        ("shape", manifest["shape"], identity.shape),
        ("score table", manifest["score_table"], identity.score_table),
        ("config, a model or a list", manifest["config_hash"], identity.config_hash),
    )
    differs = next((what for what, one, other in parts if one != other), "option or key")
    raise UserError(
        f"corpus add: {redact_url(folder.output)} was written with another {differs}; add with the same, or "
        "run everything again with --overwrite"
    )


def merge_added(
    folder: AnonymizedFolder, planned: Mapping[str, Any], job: JobSettings, key: SigningKey | None
) -> None:
    """Put the output of a finished run into the folder to which it adds, and judge the whole.

    A review that was bound to the corpus is of fewer conversations than there are now: it is taken off.
    Its scores, and the samples that were drawn, still count for the next one. ``planned`` is the manifest that
    the folder had when the run was planned.

    Raises:
        UserError: the folder was changed since the run was planned, or has other columns than the run's; or
            the input of the run was modified while it was read.
    """
    output, added_to = folder.output, folder.manifest
    if added_to != planned:
        raise UserError(f"{redact_url(output)}: was changed while the run went on; give the command again")
    refuse_untrue(folder)
    new = json.loads(read_bytes(f"{job.output}/manifest.json"))
    if modified := new["run"].get(MODIFIED):
        raise UserError(f"corpus add: {sentence('modified', n=modified)}")
    if added_to["written"]["features"] != new["written"]["features"]:
        raise UserError(
            f"corpus add: the new files have other columns than {redact_url(output)}; choose another folder"
        )
    change = Change(folder)
    change.totals.add(totals_of(new))
    change.remove_review()
    added = files_named(job.output)
    change.files |= added
    change.moves |= {f"{ADDING}/{path}": path for path in added}
    change.units = pa.concat_tables([change.units, read_columns(f"{job.output}/{UNITS_FILE}", UNITS.names)])
    tables = (read_columns(f"{place}/{INPUTS_FILE}", INPUTS.names) for place in (output, job.output))
    inputs = pa.concat_tables(tables).sort_by("url")
    _add_up(change.manifest, new, job, change.totals)
    change.manifest |= {
        "inputs": inputs_entry((row["url"], row["bytes"]) for row in inputs.to_pylist()),
        "sources": change.table(INPUTS_FILE, inputs),
    }
    told = {
        "files": new["inputs"]["files"],
        "conversations": new["totals"]["conversations"],
        "rows": new["rows"]["in"],
    }
    change.record("added", told, "review" in added_to)
    scores = change.scores(without=[added_to.get("review", {}).get("source")])
    scores.add_unread(json.loads(read_bytes(f"{job.output}/statistics.json")))
    change.carry_out(scores, key)


def _add_up(manifest: dict[str, Any], new: dict[str, Any], job: JobSettings, whole: Totals) -> None:
    """Make a manifest that of the whole, but for inputs, tables and what follows from the figures."""
    reviews, of_before = reviews_before(manifest), manifest["run"]["input"]
    for entry in _OF_ONE_STATE:
        manifest.pop(entry, None)
    manifest |= reviews
    manifest |= {name: new[name] for name in ("fingerprint", "run")}
    manifest["run"]["input"] = list(dict.fromkeys([*of_before, *new["run"]["input"]]))
    told, more = manifest["fields"], new["fields"]
    told["dropped"] = sorted({*told["dropped"], *more["dropped"]})
    # Not all fields that were dropped have names.
    told["dropped_unnamed"] = max(told["dropped_unnamed"], more["dropped_unnamed"])
    written, more = manifest["written"], new["written"]
    written["formats"] = sorted({*written["formats"], *more["formats"]})
    written["splits"] |= more["splits"]
    if "lists" in manifest:
        manifest["lists"] = lists_summary(job.replacement, whole.listed)
    if whole.hidden:
        entries = (told.get("hidden_in_plain_sight", {}) for told in (manifest, new))
        look_at = sorted(one for entry in entries for one in entry.get("look_at", ()))
        manifest["hidden_in_plain_sight"] = {**whole.hidden, "look_at": look_at[:MOST_IDS]}
    if "standoff" in manifest:
        manifest["standoff"]["rows"] = whole.standoff_rows
