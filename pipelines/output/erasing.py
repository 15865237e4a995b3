"""Erase conversations from the corpus of an output folder, with everything that is kept of them.

Only the files of the parts that hold them are written again. Figures and verdict are those of the conversations
that stay; the counts of what a run found and replaced stay those of the run.
"""

import json
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any, NamedTuple

import orjson
import pyarrow as pa

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import TERMINAL, answer, say
from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.config.output import output_settings
from tacenda.pipelines.output.anonymized_folder import RISK_FILE, AnonymizedFolder
from tacenda.pipelines.output.change import ADDING, Change, held_alone, open_settled
from tacenda.pipelines.output.output_folder import name_of, parts_of, state_there
from tacenda.pipelines.output.signing import SigningKey, signing_key
from tacenda.pipelines.output.summary import in_columns
from tacenda.pipelines.output.verification import refuse_untrue, wrong_in
from tacenda.pipelines.work.error_sanitizing import UnitFailedError, sanitize_errors
from tacenda.pipelines.work.plan import make_plan
from tacenda.pipelines.work.receipts import CORPUS, HELD
from tacenda.transforms.releasing.criterion import State
from tacenda.transforms.releasing.run import (
    REVIEWS_BEFORE,
    highest_in_reviews,
    lowered,
    reviews_before,
)
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.shapes.labels import keyed_hash, neutral_id
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.storage.files import absolute, list_folder, read_bytes, read_text
from tacenda.transforms.storage.publishing import publish
from tacenda.transforms.storage.tables import read_columns
from tacenda.transforms.writing.erasing import Wanted, by_text, erase_rows
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


def erase(output: str, ids: Collection[str], signing_key: SigningKey | None = None) -> Erased:
    """Erase some conversations; those that the folder does not have are passed over.

    The folder is as before, or without them: after a kill at any moment, the same call does what is left.

    Raises:
        UserError: there is no finished run, something was changed in it, or a run adds to it.
        UnitFailedError: the folder is not consistent afterwards.
    """
    with held_alone(output, "erase") as folder:
        if list_folder(f"{output}/{ADDING}"):
            raise UserError(
                f"{redact_url(output)}: files are being added; let 'tacenda corpus add' end first"
            )
        refuse_untrue(folder)
        erasure = _Erasure(folder, frozenset(ids))
        if not erasure.erased:
            return Erased()
        _erase_beside(folder, erasure.erased)
        done = erasure.erase(signing_key)
        if wrong := wrong_in(output):
            raise UnitFailedError(f"{redact_url(output)}: is not consistent after the erasure: {wrong[0]}")
        return done


class _Erasure(Change):
    """The change of one folder.

    ``places`` has by part the numbers of the conversations' text hashes there, ``contexts`` the context of each
    by id, ``dropped`` the ids of those that were dropped for their scores.
    """

    def __init__(self, folder: AnonymizedFolder, ids: frozenset[str]) -> None:
        super().__init__(folder)
        self._places: dict[str, list[int]] = {}
        self._contexts: dict[str, str] = {}
        for url in parts_of(folder.output, "hashes"):
            rows = read_columns(url, [_ID, "context"]).to_pylist()
            if places := [place for place, row in enumerate(rows) if row[_ID] in ids]:
                self._places[name_of(url).removeprefix("part-").partition(".")[0]] = places
                self._contexts.update((rows[place][_ID], rows[place]["context"]) for place in places)
        self._dropped = {one for url in parts_of(folder.output, "dropped") for one in _ids_in(url) & ids}
        self.erased = frozenset({*self._contexts, *self._dropped})

    def erase(self, signing_key: SigningKey | None) -> Erased:
        """Write the files anew, judge the corpus, and put everything in its place."""
        output, contexts, totals = self.output, self._contexts, self.totals
        manifest, units = self.manifest, self.units.to_pylist()
        by_split, rows = Counter[str](), 0
        for part in self._places:
            rows += self._corpus_without(part, units, by_split)
        self.units = pa.Table.from_pylist(units, schema=self.units.schema)
        # Conversations without a record are counted by the statistics alone.
        scored = {one for url in parts_of(output, "risk") for one in _ids_in(url) & self.erased}
        for name in ("risk", "hashes", "dropped"):
            for url in parts_of(output, name):
                if _ids_in(url) & self.erased:
                    self._without(f"{name}/{name_of(url)}", self._rows_named)
        bound = manifest.get("review", {}).get("source")
        taken_off = self._without_review()
        scores = self.scores([bound] if taken_off else [])
        for one, context in contexts.items():
            if one not in scored:
                scores.sketch.add_unreviewed("human", context, -1)
            if bound is not None and not taken_off:
                scores.sketch.add_unreviewed(bound, context, -1)
        totals.rows_out -= rows
        totals.rows_erased += rows
        totals.conversations -= len(contexts)
        totals.dropped -= len(self._dropped)
        totals.missed = Counter(scores.missed)
        if hidden := manifest.get("hidden_in_plain_sight"):
            hidden["look_at"] = [one for one in hidden.get("look_at", ()) if one not in self.erased]
        if split := manifest.get("split"):
            split["conversations"] = {name: n - by_split[name] for name, n in split["conversations"].items()}
            totals.splits = Counter({name: n for name, n in split["conversations"].items() if n})
        if (standoff := manifest.get("standoff")) and (urls := list_folder(standoff["folder"])):
            totals.standoff_rows = sum(read_columns(url, [_ID]).num_rows for url in urls)
            standoff["rows"] = totals.standoff_rows
        entry = {
            "conversations": len(contexts),
            "rows": rows,
            "dropped_records": len(self._dropped),
        }
        self.record("erased", entry, taken_off)
        self.carry_out(scores, signing_key)
        return Erased(len(contexts), rows, len(self._dropped), taken_off)

    def _corpus_without(self, part: str, units: list[dict[str, Any]], by_split: Counter[str]) -> int:
        """Write the corpus of a part anew; returns the number of rows that were left out.

        They are taken off the counts of their ``units``, and ``by_split`` counts the conversations.
        """
        shown = redact_url(self.output)
        table = read_columns(f"{self.output}/hashes/part-{part}.parquet", [_ID, "text_hash", "split"])
        names, hashes, *splits = (column.to_pylist() for column in table.columns)
        hashes = list(map("".join, zip(*splits, hashes, strict=True)))
        ids = frozenset(names[place] for place in self._places[part])
        wanted = Wanted(ids, by_text(names, hashes, ids))
        options = self.folder.options()
        reader = make_shape(options.shape or "conversation", options)
        owners = [row for row in units if row["part"] == part for _ in range(row["conversations"])]
        if len(owners) != len(names):
            raise UserError(f"{shown}: the units of part {part} are not those of its corpus")
        rows_of = Counter[str]()
        for path in sorted(path for path, row in self.files.items() if row["part"] == part):
            folder, _, split = path.rpartition("/")[0].partition("/")
            if folder in (CORPUS, HELD):
                left_out = self._without(path, partial(wanted.rows, reader, split))
                rows_of.update(left_out.values())
                by_split[split] += len(set(left_out.values()))
        if rows_of.keys() != ids:
            raise UserError(f"{shown}: texts of part {part} are not those that were written")
        for place in self._places[part]:
            owners[place]["rows_out"] -= rows_of[names[place]]
            owners[place]["conversations"] -= 1
        return rows_of.total()

    def _rows_named(self, table: pa.Table) -> dict[int, str]:
        return {row: one for row, one in enumerate(table[_ID].to_pylist()) if one in self.erased}

    def _without(self, path: str, rows_of: Callable[[Any], dict[int, str]]) -> dict[int, str]:
        """Write a file anew, if it has any of these rows; returns them, with their conversations."""
        told, left_out = erase_rows(f"{self.output}/{path}", self.aside(path), rows_of)
        if left_out:
            self.replace(path, self.files[path]["part"], told)
        return left_out

    def _without_review(self) -> bool:
        """Take off a review of which a conversation is gone; otherwise it is of fewer conversations."""
        manifest, review = self.manifest, self.manifest.get("review")
        highest = highest_in_reviews(manifest, self.erased)
        scores: dict[str, int] = {}
        if review is not None:
            rows = read_columns(f"{self.output}/{RISK_FILE}", [_ID, "score"]).to_pylist()
            scores = {row[_ID]: row["score"] for row in rows}
        taken_off = not scores.keys().isdisjoint(self.erased)
        if taken_off or REVIEWS_BEFORE in manifest:
            manifest |= reviews_before(manifest, self.erased)
        if taken_off:
            for name in ("review", "red_team"):
                manifest.pop(name, None)
            self.remove_review()
        elif review is not None:
            left = Counter(review["populations"])
            left.subtract(self._contexts.values())
            populations = {context: count for context, count in left.items() if count}
            review |= {"populations": populations, "highest": highest, "lowered": lowered(highest, scores)}
        return taken_off


def _ids_in(url: str) -> set[str]:
    return set(read_columns(url, [_ID])[_ID].to_pylist())


def _erase_beside(folder: AnonymizedFolder, gone: frozenset[str]) -> None:
    """Erase the conversations from the restricted folders of the corpus, and from the records of samples."""

    def files(entry: str) -> list[str]:
        return list_folder(folder.manifest[entry]["folder"]) if entry in folder.manifest else []

    for url in files("standoff"):
        table = read_columns(url, STANDOFF.names)
        stays = [one not in gone for one in table[_ID].to_pylist()]
        if not all(stays):
            with standoff_file(url) as writer:
                writer.write(table.filter(pa.array(stays, pa.bool_())))
    for url in files("dictionary"):
        lines = read_bytes(url).splitlines(keepends=True)
        left = [line for line in lines if orjson.loads(line)[_ID] not in gone]
        if len(left) < len(lines):
            with publish(url, private=True) as sink:
                sink.write(b"".join(left))
    for look in list(folder.draws()):
        folder.record(look._replace(planted=tuple(one for one in look.planted if one[_ID] not in gone)))


def erase_and_tell(arguments: Namespace) -> ExitCode:
    """Erase what the arguments of the command name; returns its exit code.

    Raises:
        UserError: the ids, a key or the folder cannot be used.
        UnitFailedError: storage failed, or the folder is not consistent afterwards.
    """
    output = absolute(arguments.folder).rstrip("/")
    given = _ids(arguments.conversations)
    signer = signing_key(arguments.signing_key, output)
    ids = {*given, *_neutral(given, output, arguments)}
    with sanitize_errors("the erasure"):
        done = erase(output, ids, signer)
    state = state_there(output)
    missing, verdict = max(0, len(given) - done.conversations - done.dropped), state and state.value
    code = ExitCode.HELD if state is State.HELD else ExitCode.DONE
    if arguments.json:
        answer(json.dumps({**done._asdict(), "not_found": missing, "state": verdict}))
        return code
    erased = [f"{counted(done.conversations, 'conversation')} of {counted(done.rows, 'row')}"]
    if done.dropped:
        erased.append(f"{counted(done.dropped, 'record')} of conversations that a run had dropped")
    if missing:
        erased.append(
            f"{missing:,} of the given ids are not in the corpus; those of the input need --input, or --config "
            "with its key_file"
        )
    taken_off = ["taken off, as an erased conversation was part of it; draw another"] * done.review_taken_off
    told = {"erased": erased, "review": taken_off, "verdict": [verdict or "none"]}
    say(in_columns([*told.items(), ("output", [redact_url(output)])]))
    return code


def _neutral(given: set[str], output: str, arguments: Namespace) -> Iterator[str]:
    """The ids under which conversations are written that have one of the given ids in the input."""
    key = None
    if arguments.config is not None:
        key = output_settings(load_config(arguments.config), arguments).key()
        if key is None:
            raise UserError(f"--config {arguments.config}: has no output.key_file; give --input instead")
        yield from (keyed_hash(key, one) for one in given)
    if arguments.input:
        options = open_settled(output).reading()
        plan = make_plan([absolute(url) for url in arguments.input], options)
        for batch, _ in plan.readings():
            yield from (neutral_id(batch, i, key) for i, one in enumerate(batch.given) if one in given)


def _ids(place: str) -> set[str]:
    """The ids in a file, or on stdin."""
    text = read_text(place if place == TERMINAL else absolute(place), f"--conversations {place}")
    ids = {line for line in text.splitlines() if line.strip()}
    if not ids:
        raise UserError(f"--conversations {place}: has no id; write one a line")
    return ids
