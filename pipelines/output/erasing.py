"""Erase conversations from the corpus of an output folder, with everything that is kept of them.

Only the files of the parts that hold them are written again. Figures and verdict are those of the conversations
that stay; the counts of what a run found and replaced stay those of the run.
"""

import json
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from typing import Any, NamedTuple

import orjson
import pyarrow as pa

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import answer, say
from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.config.output import output_settings
from tacenda.pipelines.output.anonymized_folder import (
    REVIEW,
    AnonymizedFolder,
    open_folder,
    read_conversations,
)
from tacenda.pipelines.output.change import ADDING, Tables, aside, change, held_alone, judged_again
from tacenda.pipelines.output.file_verification import parts_of
from tacenda.pipelines.output.output_folder import state_there
from tacenda.pipelines.output.review_binding import RISK_FILE
from tacenda.pipelines.output.signing import SigningKey, signing_key
from tacenda.pipelines.output.verification import recounted, refuse_untrue, run_in, verify
from tacenda.pipelines.work.error_sanitizing import UnitFailedError, sanitize_errors
from tacenda.pipelines.work.receipts import CORPUS, HELD
from tacenda.transforms.releasing.manifest import keyed_digests, with_change
from tacenda.transforms.releasing.run import (
    REVIEWS_BEFORE,
    Recount,
    Run,
    gate_of,
    highest_in_reviews,
    lowered,
    totals_of,
)
from tacenda.transforms.releasing.verdict import State
from tacenda.transforms.replacing.keys import KeyReference
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Totals
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.scoring.statistics import worst_to_json
from tacenda.transforms.shapes.labels import keyed_hash, neutral_id
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.storage.files import absolute, list_folder, read_bytes, read_text
from tacenda.transforms.storage.publishing import publish, publish_json
from tacenda.transforms.storage.tables import read_columns
from tacenda.transforms.writing.erasing import Wanted, erase_rows, places_of
from tacenda.transforms.writing.standoff import SCHEMA as STANDOFF
from tacenda.transforms.writing.standoff import standoff_file

_ID = "conversation_id"


class Erased(NamedTuple):
    """What was erased: conversations of the corpus, their rows, and records of conversations dropped before.

    ``review_taken_off``: a review was bound to the corpus, and somebody had read an erased conversation.
    """

    conversations: int = 0
    rows: int = 0
    dropped: int = 0
    review_taken_off: bool = False


@dataclass
class _Found:
    """Where conversations are: by part, the numbers of their text hashes there; the context of each by id; and
    the ids of those that were dropped for their scores.
    """

    places: dict[str, list[int]] = field(default_factory=dict)
    contexts: dict[str, str] = field(default_factory=dict)
    dropped: set[str] = field(default_factory=set)


def erase(
    output: str,
    ids: Collection[str],
    digest_key: bytes | None = None,
    signing_key: SigningKey | None = None,
) -> Erased:
    """Erase some conversations; those that the folder does not have are passed over.

    The folder is as before, or without them: after a kill at any moment, the same call does what is left.

    Args:
        output: the output folder of ``tacenda anonymize``.
        ids: of the conversations, as the corpus has them.
        digest_key: to record a keyed digest of each erased id in the manifest; None records counts alone.
        signing_key: of the folder's signed history.

    Raises:
        UserError: there is no finished run, something was changed in it, or a run adds to it.
        UnitFailedError: the folder is not consistent afterwards.
    """
    with held_alone(output, "erase", signing_key):
        folder = open_folder(output, held=True)
        if list_folder(f"{output}/{ADDING}"):
            raise UserError(
                f"{redact_url(output)}: files are being added; let 'tacenda corpus add' end first"
            )
        refuse_untrue(folder)
        found = _find(folder, frozenset(ids))
        if not found.contexts and not found.dropped:
            return Erased()
        _erase_beside(folder, found)
        done = _Erasure(folder, found).carry_out(digest_key, signing_key)
        wrong = [sentence for check in verify(output, version("tacenda")) for sentence in check.wrong]
        if wrong:
            raise UnitFailedError(f"{redact_url(output)}: is not consistent after the erasure: {wrong[0]}")
        return done


def _find(folder: AnonymizedFolder, ids: frozenset[str]) -> _Found:
    found = _Found()
    for url in parts_of(folder.output, "hashes"):
        table = read_columns(url, [_ID, "context"])
        names, contexts = (column.to_pylist() for column in table.columns)
        places = [place for place, name in enumerate(names) if name in ids]
        if places:
            found.places[_part(url)] = places
            found.contexts.update((names[place], contexts[place]) for place in places)
    for url in parts_of(folder.output, "dropped"):
        found.dropped.update(ids.intersection(read_columns(url, [_ID])[_ID].to_pylist()))
    return found


def _these(rows: dict[int, str], _: Any) -> dict[int, str]:
    return rows


def _part(url: str) -> str:
    return url.rpartition("/")[2].removeprefix("part-").partition(".")[0]


class _Erasure:
    """The work on one folder, of which everything is prepared before anything is touched."""

    def __init__(self, folder: AnonymizedFolder, found: _Found) -> None:
        self._folder = folder
        self._found = found
        self._output = folder.output
        self._manifest = dict(folder.manifest)
        self._tables = Tables.of(folder.output)
        self._anew: dict[str, str] = {}
        self._rows = 0
        self._by_split = Counter[str]()

    def carry_out(self, digest_key: bytes | None, signing_key: SigningKey | None) -> Erased:
        """Write the files anew, judge the corpus, and put everything in its place."""
        found, manifest = self._found, self._manifest
        before = read_bytes(f"{self._output}/manifest.json")
        units = self._tables.units.to_pylist()
        for part, places in found.places.items():
            self._rows += self._corpus_without(part, places, units)
        self._tables.units = pa.Table.from_pylist(units, schema=self._tables.units.schema)
        gone = frozenset({*found.contexts, *found.dropped})
        for name in ("risk", "hashes", "dropped"):
            self._tables_without(name, gone)
        taken_off = self._without_review(gone)
        counted, totals = self._scores()
        if "look_at" in manifest.get("hidden_in_plain_sight", {}):
            told = manifest["hidden_in_plain_sight"]
            look_at = [one for one in told["look_at"] if one not in gone]
            manifest["hidden_in_plain_sight"] = {**told, "look_at": look_at}
        if "split" in manifest:
            told = manifest["split"]
            left = {name: n - self._by_split[name] for name, n in told["conversations"].items()}
            manifest["split"] = {**told, "conversations": left}
            totals.splits = {name: n for name, n in left.items() if n}
        entry = {
            "conversations": len(found.contexts),
            "rows": self._rows,
            "dropped_records": len(found.dropped),
            "review_taken_off": taken_off,
            "criterion_met_before": run_in(self._output, self._folder.manifest).meets_gate(),
            "digests": [] if digest_key is None else keyed_digests(gone, digest_key),
        }
        manifest = with_change(manifest, before, "erased", entry)
        verdict = manifest["verdict"]
        reason = verdict if "review" in manifest else manifest["config"]["risk"]
        gate = gate_of(manifest, reason.get("because"), verdict.get("released_anyway"))
        manifest, figures = judged_again(Run(manifest, totals, counted, gate))
        self._tables.place(manifest["verdict"]["state"] == "held", discarded=False)
        change(self._folder, manifest, figures, self._tables, signing_key)
        return Erased(len(found.contexts), self._rows, len(found.dropped), taken_off)

    def _corpus_without(self, part: str, places: Sequence[int], units: list[dict[str, Any]]) -> int:
        """Write the corpus of a part anew; returns the number of rows that were left out."""
        table = read_columns(f"{self._output}/hashes/part-{part}.parquet", [_ID, "text_hash"])
        names, hashes = (column.to_pylist() for column in table.columns)
        ids = frozenset(names[place] for place in places)
        wanted = Wanted(ids, places_of(names, hashes, ids))
        options = self._folder.options()
        reader = make_shape(options.shape or "conversation", options)
        owners = [row for row in units if row["part"] == part for _ in range(row["conversations"])]
        if len(owners) != len(names):
            raise UserError(
                f"{redact_url(self._output)}: the units of part {part} are not those of its corpus"
            )
        rows_of = Counter[str]()
        for path in sorted(self._tables.files):
            folder, _, rest = path.partition("/")
            if folder not in (CORPUS, HELD) or self._tables.files[path]["part"] != part:
                continue
            owner_of = self._anew_without(path, lambda rows: wanted.rows(reader, rows))
            rows_of.update(owner_of.values())
            self._by_split[rest.partition("/")[0]] += len(set(owner_of.values()))
        if rows_of.keys() != ids:
            raise UserError(
                f"{redact_url(self._output)}: texts of part {part} are not those that were written"
            )
        for place in places:
            owner = owners[place]
            owner["rows_out"] -= rows_of[names[place]]
            owner["conversations"] -= 1
        return rows_of.total()

    def _tables_without(self, name: str, gone: Collection[str]) -> None:
        """Write those of a folder's tables anew that name the conversations."""
        for url in parts_of(self._output, name):
            ids = read_columns(url, [_ID])[_ID].to_pylist()
            left_out = {row: one for row, one in enumerate(ids) if one in gone}
            if left_out:
                self._anew_without(f"{name}/{url.rpartition('/')[2]}", partial(_these, left_out))

    def _anew_without(self, path: str, rows_of: Callable[[Any], dict[int, str]]) -> dict[int, str]:
        """Write a file anew; returns the rows that were left out, with their conversations."""
        target = f"{self._output}/{aside(path)}"
        told, left_out = erase_rows(f"{self._output}/{path}", target, rows_of)
        if left_out:
            self._tables.replace(path, self._tables.files[path]["part"], told)
            self._anew[f"{self._output}/{path}"] = target
        return left_out

    def _urls(self, folder: str) -> list[str]:
        """The files of a folder, as they will be."""
        return [self._anew.get(url, url) for url in parts_of(self._output, folder)]

    def _without_review(self, gone: Collection[str]) -> bool:
        """Take off a review of which a conversation is gone; otherwise it is of fewer conversations."""
        manifest = self._manifest
        highest = highest_in_reviews(manifest, gone)
        review = manifest.get("review")
        if REVIEWS_BEFORE in manifest:
            manifest[REVIEWS_BEFORE] = {"highest": highest}
        if review is None:
            return False
        table = read_columns(f"{self._output}/{RISK_FILE}", [_ID, "score"])
        scores = dict(zip(*(column.to_pylist() for column in table.columns), strict=True))
        if not scores.keys().isdisjoint(gone):
            for name in ("review", "red_team"):
                manifest.pop(name, None)
            source = review["source"]
            manifest["worst"] = {k: v for k, v in manifest["worst"].items() if k != source}
            manifest[REVIEWS_BEFORE] = {"highest": highest}
            self._tables.remove_review(self._output)
            return True
        left = Counter(review["populations"])
        left.subtract(self._found.contexts.values())
        review = {
            **review,
            "populations": {context: count for context, count in left.items() if count},
            "highest": highest,
            "lowered": lowered(highest, scores),
        }
        manifest["review"] = review
        return False

    def _scores(self) -> tuple[Recount, Totals]:
        """The scores of the conversations that stay, and the totals; the worst of them go to the manifest."""
        manifest, found = self._manifest, self._found
        scores = recounted(self._urls("risk"))
        scored = Counter[str]()
        for url in parts_of(self._output, "risk"):
            ids = read_columns(url, [_ID])[_ID].to_pylist()
            scored.update(one for one in ids if one in found.contexts)
        review, bound = manifest.get("review"), self._folder.manifest.get("review", {}).get("source")
        figures = json.loads(read_bytes(f"{self._output}/statistics.json"))
        scores.add_unread(figures, (bound,) if review is None else ())
        if review is not None:
            scores.add_review(recounted(parts_of(self._output, REVIEW)))
        for one, context in found.contexts.items():
            if not scored[one]:
                scores.sketch.add_unreviewed("human", context, -1)
            if review is not None:
                scores.sketch.add_unreviewed(review["source"], context, -1)
        manifest["worst"] = worst_to_json(scores.worst)
        totals = totals_of(self._folder.manifest)
        totals.rows_out -= self._rows
        totals.rows_valid -= self._rows
        totals.rows_erased += self._rows
        totals.conversations -= len(found.contexts)
        totals.dropped -= len(found.dropped)
        totals.missed = scores.missed
        if "standoff" in manifest:
            folder = manifest["standoff"]["folder"]
            rows = [read_columns(url, [_ID]).num_rows for url in list_folder(folder)]
            if rows:
                totals.standoff_rows = sum(rows)
                manifest["standoff"] = {**manifest["standoff"], "rows": sum(rows)}
        return scores, totals


def _erase_beside(folder: AnonymizedFolder, found: _Found) -> None:
    """Erase the conversations from the restricted folders of the corpus, and from the records of samples."""
    gone = frozenset({*found.contexts, *found.dropped})
    manifest = folder.manifest
    if "standoff" in manifest:
        for url in list_folder(manifest["standoff"]["folder"]):
            ids = read_columns(url, [_ID])[_ID].to_pylist()
            if not gone.isdisjoint(ids):
                table = read_columns(url, STANDOFF.names)
                with standoff_file(url) as writer:
                    writer.write(table.filter(pa.array([one not in gone for one in ids], pa.bool_())))
    if "dictionary" in manifest:
        for url in list_folder(manifest["dictionary"]["folder"]):
            lines = read_bytes(url).splitlines(keepends=True)
            left = [line for line in lines if orjson.loads(line)[_ID] not in gone]
            if len(left) < len(lines):
                with publish(url, private=True) as sink:
                    sink.write(b"".join(left))
    for url in list_folder(f"{folder.output}/{REVIEW}"):
        if "/draw-" in url:
            record = json.loads(read_bytes(url))
            others = {
                key: [one for one in record[key] if one[_ID] not in gone]
                for key in ("planted", "conversations")
                if key in record
            }
            if any(len(several) < len(record[key]) for key, several in others.items()):
                publish_json(url, {**record, **others})


def erase_and_tell(arguments: Namespace) -> ExitCode:
    """Erase what the arguments of the command name; returns its exit code.

    Raises:
        UserError: the ids, a key or the folder cannot be used.
        UnitFailedError: storage failed, or the folder is not consistent afterwards.
    """
    output = absolute(arguments.folder).rstrip("/")
    given = _ids(arguments.conversations)
    ids = {*given, *_neutral(given, output, arguments)}
    digest_key = None if arguments.digest_key is None else KeyReference(arguments.digest_key).read()
    signer = signing_key(arguments.signing_key, output)
    with sanitize_errors("the erasure"):
        done = erase(output, ids, digest_key, signer)
    state = state_there(output)
    missing = max(0, len(given) - done.conversations - done.dropped)
    if arguments.json:
        told = {**done._asdict(), "not_found": missing, "state": None if state is None else state.value}
        answer(json.dumps(told))
    else:
        lines = [
            f"erased         {counted(done.conversations, 'conversation')} of {counted(done.rows, 'row')}"
        ]
        if done.dropped:
            lines.append(
                f"               {counted(done.dropped, 'record')} of conversations that a run had dropped"
            )
        if missing:
            lines.append(
                f"               {missing:,} of the given ids are not in the corpus; those of the input need "
                "--input, or --config with its key_file"
            )
        if done.review_taken_off:
            lines.append("review         taken off, as an erased conversation was part of it; draw another")
        lines.append(f"verdict        {'none' if state is None else state.value}")
        lines.append(f"output         {redact_url(output)}")
        say("\n".join(lines))
    return ExitCode.HELD if state is State.HELD else ExitCode.DONE


def _neutral(given: set[str], output: str, arguments: Namespace) -> Iterator[str]:
    """The ids under which conversations are written that have one of the given ids in the input."""
    key = None
    if arguments.config is not None:
        key = output_settings(load_config(arguments.config), arguments).key()
        if key is None:
            raise UserError(f"--config {arguments.config}: has no output.key_file; give --input instead")
        yield from (keyed_hash(key, one) for one in given)
    if arguments.input:
        options = open_folder(output).reading()
        for batch, _ in read_conversations([absolute(url) for url in arguments.input], options):
            yield from (neutral_id(batch, i, key) for i, one in enumerate(batch.given) if one in given)


def _ids(place: str) -> set[str]:
    """The ids in a file, or on stdin."""
    text = read_text(absolute(place), f"--conversations {place}") if place != "-" else _from_stdin()
    ids = {line for line in text.splitlines() if line.strip()}
    if not ids:
        raise UserError(f"--conversations {place}: has no id; write one a line")
    return ids


def _from_stdin() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError("--conversations -: not UTF-8; convert the ids first, as with iconv") from None
