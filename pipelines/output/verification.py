"""Verify an output folder: recount and rejudge everything in it, and compare.

Only the folder is read, so statements on the input, and on what only the run could see (such as files
modified while it read them), are taken from the manifest. Consistent changes to all files of a folder can be
detected only by signatures (``tacenda.pipelines.output.signing``) or a copy of the corpus hash.
"""

import hashlib
import json
import re
from argparse import Namespace
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from importlib.metadata import version
from itertools import chain
from typing import Any, NamedTuple

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from jinja2 import TemplateError

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import answer, say
from tacenda.pipelines.output import output_folder as folders
from tacenda.pipelines.output.anonymized_folder import AnonymizedFolder, look_in
from tacenda.pipelines.output.conclusion import documents
from tacenda.pipelines.output.signing import HISTORY_FILE, signed_manifests, trusted_key, wrong_history
from tacenda.pipelines.output.summary import in_columns
from tacenda.pipelines.work.receipts import CORPUS, HELD, WORK_FOLDER
from tacenda.transforms.releasing import manifest as manifests
from tacenda.transforms.releasing.criterion import State
from tacenda.transforms.releasing.recount import COLUMNS, Recount
from tacenda.transforms.releasing.run import (
    Run,
    highest_in_reviews,
    lowered,
    totals_of,
)
from tacenda.transforms.releasing.verdict import judge
from tacenda.transforms.reviewing.drawing import error_of
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.scoring.bounds import ERROR
from tacenda.transforms.storage.files import absolute, exists, list_folder, read_bytes
from tacenda.transforms.storage.locating import format_of
from tacenda.transforms.storage.opening import open_read
from tacenda.transforms.storage.tables import read_columns

_KNOWN = frozenset((*folders.PARTS, *folders.WRITTEN, WORK_FOLDER, HISTORY_FILE, folders.CHANGE, ".adding"))
"""Names that an output folder may hold."""

_CHUNK = 8 << 20

_MOST = 20
"""Most sentences of one check."""

_LACKS = (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, TemplateError, pa.ArrowException)
"""Errors from files that lack an expected field or type, which those of a run have."""


class Check(NamedTuple):
    """What was checked, and everything wrong with it, a sentence each."""

    what: str
    wrong: tuple[str, ...]
    seen: str = ""


def verify(output: str, trusted: str | None = None) -> list[Check]:
    """Verify an output folder; this program can only compare reports of its own version.

    ``trusted`` is the public key that must have signed it; None accepts any, and folders without signatures.

    Raises:
        UserError: there is no such folder, or no run ended in it.
    """
    if not exists(f"{output}/manifest.json"):
        raise UserError(_nothing_there(output))
    manifest = folders.read_json(output, "manifest.json")
    if manifest is None:
        return [Check("manifest", ("manifest.json is no JSON object",))]
    checks: list[Check] = []
    try:
        checks.extend(_checks(output, manifest, trusted))
    except _LACKS:
        checks.append(Check("manifest", ("a file of the run does not have the form that runs give it",)))
    return checks


def _nothing_there(output: str) -> str:
    shown = redact_url(output)
    if list_folder(f"{output}/{WORK_FOLDER}"):
        return f"{shown}: the run there has not ended; start the same command again"
    runs = [one.rpartition("/")[2] for one in list_folder(output) if exists(f"{one}/manifest.json")]
    where = f"one of the runs below it: {', '.join(runs)}" if runs else "the output folder of a run"
    return f"{shown}: {'no run ended there' if exists(output) else 'no such folder'}; name {where}"


def _checks(output: str, manifest: Mapping[str, Any], trusted: str | None) -> Iterator[Check]:
    totals, command, told = totals_of(manifest), manifest["command"], manifest["verdict"]
    state = told["state"]
    try:
        named = folders.files_named(output) if exists(f"{output}/{manifests.FILES_FILE}") else None
    except (pa.ArrowException, OSError, KeyError, ValueError, UserError):
        named = None
    wrong = _few(_wrong_files(output, manifest, named))
    yield Check("files", wrong, f"{manifest['files']['rows']:,} files have the hash and rows of the manifest")
    if (history := wrong_history(output, trusted)) is not None:
        yield Check("history", _few(history[0]), history[1])
    if not any(manifests.UNITS_FILE in one for one in wrong):
        yield Check("rows", _few(_wrong_rows(output, manifest, totals, named or {})), totals.balance)
    if manifests.CHANGES in manifest:
        found = manifests.wrong_changes(manifest, totals.rows_erased, signed_manifests(output))
        seen = f"{len(manifest[manifests.CHANGES]):,} since the first run, each after the manifest it names"
        yield Check("changes", _few(found), seen)
    if wrong:
        yield Check("verdict", ("nothing can be said of it before the files are right",))
        return
    if command == "inspect":
        yield Check("verdict", _few(_wrong_verdict(output, Run(manifest, Recount()))), state)
        return
    if (figures := folders.read_json(output, "statistics.json")) is None:
        yield Check("statistics", ("statistics.json is not there, or no JSON",))
        return
    run = run_in(output, manifest)
    if (review := run.review) is not None:
        read, people = counted(review["conversations"], "conversation"), len(review["readers"])
        seen = f"{read}, read by {counted(people, 'person', 'people')}"
        yield Check("review", _few(_wrong_review(output, manifest)), seen)
    seen = f"the same from {run.scores.records:,} risk records"
    yield Check("statistics", _few(_wrong_statistics(run, figures)), seen)
    yield Check("verdict", _few(_wrong_verdict(output, run)), f"{state}, by the same figures")
    if manifest["tacenda"] != (own := version("tacenda")):
        yield Check("report", (), f"written by version {manifest['tacenda']}, and not compared by {own}")
        return
    yield Check("report", _few(_wrong_pages(output, manifest, figures)), "identical when rendered again")


def recounted(
    output: str, urls: Iterable[str], of_review: Iterable[str], without: Collection[str | None] = ()
) -> Recount:
    """The scores in files of risk records, and in those of a bound review.

    Unread conversations are those of the folder's statistics, but for the sources ``without``.
    """
    scores, reviewed = Recount(), Recount()
    for several, of in ((urls, scores), (of_review, reviewed)):
        for url in several:
            of.add(read_columns(url, list(COLUMNS)))
    scores.sketch.merge(reviewed.sketch)
    scores.add_unread(folders.read_json(output, "statistics.json") or {"sources": {}}, without)
    return scores


def run_in(output: str, manifest: Mapping[str, Any]) -> Run:
    """The run of a folder, its scores counted again from the risk records."""
    of_review = folders.parts_of(output, "review") if "review" in manifest else ()
    return Run(manifest, recounted(output, folders.parts_of(output, "risk"), of_review))


def wrong_in(output: str) -> list[str]:
    """Everything wrong with an output folder, a sentence each."""
    return [sentence for check in verify(output) for sentence in check.wrong]


def refuse_untrue(folder: AnonymizedFolder) -> None:
    """Check that the folder was not changed after its run or the last review."""
    if wrong := wrong_in(folder.output):
        raise UserError(f"{redact_url(folder.output)}: {wrong[0]}; 'tacenda verify' has the details")


def _few(wrong: Iterable[str]) -> tuple[str, ...]:
    found = list(wrong)
    more = len(found) - _MOST
    return tuple(found) if more <= 0 else (*found[:_MOST], f"and {more:,} more")


def _wrong_files(
    output: str, manifest: Mapping[str, Any], named: Mapping[str, Mapping[str, Any]] | None
) -> Iterator[str]:
    """All differences between the files and the manifest."""
    for key in ("units", "files", *(("sources",) if "sources" in manifest else ())):
        yield from _wrong_file(output, _plain(manifest[key]["file"]), manifest[key])
    if named is None:
        yield f"{manifests.FILES_FILE} cannot be read"
        return
    if strange := {path for path in named if not folders.PART.fullmatch(path)}:
        yield f"{manifests.FILES_FILE} names {len(strange)} files that no run writes"
    for path in sorted(named.keys() - strange):
        yield from _wrong_file(output, path, named[path])
    for folder in folders.PARTS:
        for path in folders.paths_in(output, folder):
            if path not in named and not folders.DRAW.fullmatch(path):
                yield f"{'/'.join(map(_plain, path.split('/')))} is not in the manifest"
            elif "/draw-" in path and look_in(output, path) is None:
                yield f"{path}: the record of a drawn sample is damaged"
    for name in map(folders.name_of, list_folder(output)):
        if name not in _KNOWN:
            yield f"{_plain(name)} was not written by any run of ours: uploads and loaders would take it along"
    hashes = folders.corpus_hashes(named)
    if (manifests.corpus_hash(hashes) if hashes else None) != manifest.get("corpus", {}).get("sha256"):
        yield "the corpus hash is not that of the files of the corpus"


def _wrong_file(output: str, path: str, told: Mapping[str, Any]) -> Iterator[str]:
    """Whether a file is as the manifest says."""
    url = f"{output}/{path}"
    if not exists(url):
        yield f"{path} is not there"
        return
    digest, rows = hashlib.sha256(), _rows(url)
    with open_read(url) as file:
        for data in iter(partial(file.read, _CHUNK), b""):
            digest.update(data)
    same = digest.hexdigest() == told["sha256"]
    if not same or rows != told["rows"]:
        difference = f"{rows} rows, not {told['rows']}" if rows >= 0 else "its rows cannot be counted"
        yield f"{path} is not as the manifest says: {difference if same else 'another hash'}"


def _rows(url: str) -> int:
    """The number of rows of a stored file, -1 if they cannot be counted."""
    form = format_of(url)
    try:
        with open_read(url) as file:
            if form is not None and form.encoding == "parquet":
                return int(pq.ParquetFile(file).metadata.num_rows)
            stream = pa.input_stream(file, form.compression if form else None)
            return sum(data.count(b"\n") for data in iter(partial(stream.read, _CHUNK), b""))
    except (pa.ArrowException, OSError, EOFError, ValueError):
        return -1


def _plain(name: Any) -> str:
    """A file name that is safe to show and to use below the output; a placeholder for any other."""
    return (
        name if isinstance(name, str) and re.fullmatch(r"[0-9A-Za-z._-]{1,120}", name) else "(a strange name)"
    )


def _wrong_rows(
    output: str, manifest: Mapping[str, Any], totals: Totals, named: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    if not totals.balanced or manifest["rows"]["balanced"] is not True:
        yield f"rows do not balance: {totals.balance}"
    counts = ["rows_in", "rows_out", "rows_quarantined", "conversations"]
    units = read_columns(f"{output}/{manifests.UNITS_FILE}", counts)
    for name in counts:
        of_units, told = sum(units[name].to_pylist()), getattr(totals, name)
        # What a limit leaves out of the plan is in no unit.
        beside = totals.rows_not_read if name == "rows_in" else 0
        if not of_units <= told <= of_units + beside:
            yield f"{name}: the units add up to {of_units:,}, the manifest says {told:,}"
    quarantined: Counter[str] = Counter()
    for url in folders.parts_of(output, "quarantine"):
        for line in read_bytes(url).splitlines():
            one = orjson.loads(line)
            quarantined[f"{one['stage']}/{one['error']}"] += one["rows"]
    if dict(quarantined) != dict(totals.quarantined):
        yield "the quarantine does not hold the rows that the manifest says"
    converted = manifest.get("written", {}).get("converted", False)
    for what, within, told in (
        ("the corpus", (CORPUS, HELD), totals.conversations if converted else totals.rows_out),
        ("hashes", ("hashes",), totals.conversations),
        ("dropped", ("dropped",), totals.dropped),
    ):
        rows = [one["rows"] for path, one in named.items() if path.partition("/")[0] in within]
        if rows and sum(rows) != told:
            yield f"{what}: {sum(rows):,} rows, the manifest says {told:,}"


def _wrong_review(output: str, manifest: Mapping[str, Any]) -> Iterator[str]:
    review = manifest["review"]
    names = ["conversation_id", "score", "direct_identifier"]
    rows = [row for url in folders.parts_of(output, "review") for row in read_columns(url, names).to_pylist()]
    scores = {row["conversation_id"]: row["score"] for row in rows}
    direct = {row["conversation_id"] for row in rows if row["direct_identifier"]}
    reading = review["reading"]
    if len(direct) != reading["direct"] + reading["extra_direct"]:
        yield f"conversations with a direct identifier: {len(direct)}, not as many as the manifest says"
    if not len(scores) == review["conversations"] == sum(review["readers"].values()):
        yield f"{review['conversations']} conversations were read; of {len(scores)} there is a score"
    folder = AnonymizedFolder(output, dict(manifest), State(manifest["verdict"]["state"]))
    looks = review["looks"]
    drawn = ([one.read for one in folder.looks(corpus)] for corpus in review["corpora"])
    if not any(of_one[: len(looks)] == looks for of_one in drawn):
        yield "the records of samples are not of those that the review had"
    if review["samples_unused"] > folder.samples_unused(review["corpora"]):
        yield "samples that were drawn and not judged by: more than there are records of"
    of_sample = looks and reading["drawn"] < reading["population"]
    if reading["error"] != (error_of(len(looks)) if of_sample else ERROR):
        yield "the error that the last look spends is not what follows from their number"
    known = chain(scores.items(), highest_in_reviews(manifest).items())
    if any(review["highest"].get(one, 0) < score for one, score in known):
        yield "the highest scores of all reviews are not those that the manifest says"
    if lowered(review["highest"], scores) != review["lowered"]:
        yield "conversations that scored higher in an earlier review: not as many as the manifest says"


def _wrong_statistics(run: Run, told: Mapping[str, Any]) -> Iterator[str]:
    manifest, scores, totals = run.manifest, run.scores, run.totals
    if told["identifiability"] != manifest["identifiability"]:
        yield "identifiability: not what the risk records give"
    if scores.wrong:
        yield f"{scores.wrong:,} risk records whose score is not the sum of their tags"
    if scores.missed != dict(totals.missed):
        yield "what was missed: the tags of the risk records do not add up to the manifest's"
    if scores.sketch.worst_to_json() != manifest["worst"]:
        yield "the worst conversations are not those that the manifest names"
    bound = None if run.review is None else run.review["source"]
    unread = sum(of.total.unreviewed for source, of in run.sources.items() if source != bound)
    if scores.conversations + unread != totals.conversations:
        yield (
            f"{scores.conversations:,} conversations with a score and {unread:,} without one are not the "
            f"{totals.conversations:,} conversations of the run"
        )
    # Convert as JSON does, which has no numeric keys.
    yield from _differences("statistics.json", told, orjson.loads(orjson.dumps(run.figures())))


def _differences(where: str, told: Mapping[str, Any], again: Mapping[str, Any]) -> Iterator[str]:
    """The names of figures that differ; contexts have numbers, as users name them."""
    alone: list[str] = []
    for number, name in enumerate({**told, **again}, 1):
        shown, one, other = _plain(name), told.get(name), again.get(name)
        if where.endswith(", contexts"):
            shown = f"number {number}"
        if isinstance(one, dict) and isinstance(other, dict):
            yield from _differences(f"{where}, {shown}", one, other)
        elif one != other:
            alone.append(shown)
    if alone:
        yield f"{where}: {', '.join(alone)} not what risk records and counts give"


def _wrong_verdict(output: str, run: Run) -> Iterator[str]:
    told, again = run.manifest["verdict"], orjson.loads(orjson.dumps(judge(run)))
    yield from _wrong_marker(output, run.manifest)
    for ground in again.get("rests_on", ()):
        if ground["weakens"] and ground not in told["rests_on"]:
            yield f"a setting weakens the gate and is not told: {ground['what']}"
    if again["state"] != told["state"]:
        yield f"the verdict is {told['state']}; the same figures and settings give {again['state']}"
    for name in sorted({*told, *again} - {"state"}):
        if told.get(name) != again.get(name):
            yield f"the verdict, {_plain(name)}: not what the same figures and settings give"


def _wrong_marker(output: str, manifest: Mapping[str, Any]) -> Iterator[str]:
    there = [name for name in dict.fromkeys(folders.MARKERS.values()) if exists(f"{output}/{name}")]
    expected = folders.MARKERS[State(manifest["verdict"]["state"])]
    if there != [expected]:
        yield f"the marker is {' and '.join(there) or 'missing'}; the verdict is {manifest['verdict']['state']}"
    elif folders.read_json(output, expected) != manifest["verdict"]:
        yield f"{expected} does not say what the manifest says"


def _wrong_pages(output: str, manifest: Mapping[str, Any], figures: Mapping[str, Any]) -> Iterator[str]:
    """Whether report and cards are those that manifest and statistics give."""
    expected = documents(manifest, figures)
    for path in (folders.REPORT, *folders.CARDS):
        there = read_bytes(f"{output}/{path}") if exists(f"{output}/{path}") else None
        if there is None and path in expected:
            yield f"{path} is not there"
        elif there != expected.get(path):
            yield f"{path} is not the one that these figures give"


def show_verification(arguments: Namespace) -> int:
    """Verify an output folder and print each check; returns the exit code: held if anything is wrong."""
    trusted = trusted_key(arguments.public_key)
    checks = verify(absolute(arguments.output).rstrip("/"), trusted)
    consistent = not any(check.wrong for check in checks)
    if arguments.json:
        told = [{"check": check.what, "wrong": check.wrong, "seen": check.seen} for check in checks]
        answer(json.dumps({"consistent": consistent, "checks": told}, ensure_ascii=False))
    else:
        lines = [(one.what, [f"WRONG: {wrong}" for wrong in one.wrong] or [one.seen]) for one in checks]
        say(in_columns([*lines, ("result", ["consistent" if consistent else "NOT CONSISTENT"])]))
    return ExitCode.DONE if consistent else ExitCode.HELD
