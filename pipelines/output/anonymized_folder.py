"""Read an output folder of ``tacenda anonymize``: its manifest, text hashes and conversations."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tacenda.pipelines.config.output import LABEL_FIELDS
from tacenda.pipelines.output.output_folder import state_there
from tacenda.pipelines.work.plan import Plan, make_plan
from tacenda.pipelines.work.receipts import CORPUS, HELD, WORK_FOLDER, begun_runs
from tacenda.pipelines.work.unit_job import turn_rows
from tacenda.transforms.reading.regrouping import partition_unit, regroup
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.releasing.manifest import FILES_FILE
from tacenda.transforms.releasing.verdict import RULE, State
from tacenda.transforms.reviewing.drawing import Hashed
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.shapes.mapping import mapping_from
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.shape import Reading, Shape
from tacenda.transforms.storage.files import exists, list_folder, read_bytes
from tacenda.transforms.storage.tables import read_columns
from tacenda.transforms.writing.columns import LONGEST_TURN

REVIEW = "review"
"""Folder of the output with the drawn samples and the reviewers' findings."""


@dataclass(frozen=True, slots=True)
class AnonymizedFolder:
    """The folder, its manifest and the state of its run."""

    output: str
    manifest: dict[str, Any]
    state: State

    def hashed(self) -> Iterator[Hashed]:
        """The text hashes of all conversations, in the order of the corpus."""
        for url in list_folder(f"{self.output}/hashes"):
            table = read_columns(url, list(Hashed._fields))
            columns = (table[name].to_pylist() for name in Hashed._fields)
            yield from map(Hashed._make, zip(*columns, strict=True))

    def readings(self) -> tuple[Shape, Iterator[Reading]]:
        """The anonymised conversations, including held ones, and their shape."""
        paths = read_columns(f"{self.output}/{FILES_FILE}", ["path"])["path"].to_pylist()
        urls = [f"{self.output}/{path}" for path in paths if path.partition("/")[0] in (CORPUS, HELD)]
        plan = make_plan(urls, self.options())
        return plan.shape, _readings(plan)

    def options(self) -> ReadOptions:
        """How the conversations are read."""
        written = self.manifest["written"]
        if written["converted"]:
            return ReadOptions(written["shape"], max_turn_chars=LONGEST_TURN)
        return self.reading()

    def reading(self) -> ReadOptions:
        """How the input is read, whose records neutral ids are digests of."""
        shape, told, run = self.manifest["shape"], self.manifest["fields"], self.manifest["run"]
        return ReadOptions(
            shape,
            max_turn_chars=LONGEST_TURN,
            fields=run["fields"],
            keep=(*told["kept"], *(name for name in told["opaque"] if name not in LABEL_FIELDS)),
            opaque=told["opaque"],
            mapping=mapping_from(run["mapping"], shape, "manifest") if "mapping" in run else None,
        )


def open_folder(output: str, *, held: bool = False) -> AnonymizedFolder:
    """Open the output folder of a finished run; ``held``: this process holds the lease on it.

    Raises:
        UserError: there is no run, it did not finish, or it was another command's.
    """
    shown = redact_url(output)
    state = state_there(output)
    begun = begun_runs(output) if held else list_folder(f"{output}/{WORK_FOLDER}")
    if not exists(f"{output}/manifest.json") or state is None or begun:
        raise UserError(f"{shown}: no finished run; name the output folder of 'tacenda anonymize'")
    try:
        manifest = json.loads(read_bytes(f"{output}/manifest.json"))
        command, reviewable = manifest["command"], "written" in manifest
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{shown}: its manifest is from another version; run it again") from None
    if command == "anonymize" and manifest["verdict"].get("rule") != RULE:
        raise UserError(
            f"{shown}: was judged by the rule of an earlier version; run it again with --overwrite"
        )
    if command != "anonymize":
        raise UserError(f"{shown}: written by 'tacenda {command}'; only 'tacenda anonymize' writes a corpus")
    if not reviewable or not list_folder(f"{output}/hashes"):
        raise UserError(f"{shown}: has no text hashes to match a review with; run it again")
    if "corpus" not in manifest:
        raise UserError(f"{shown}: the corpus was held and not kept (output.held: discard); run it again")
    return AnonymizedFolder(output, manifest, state)


def read_conversations(urls: Sequence[str], options: ReadOptions) -> Iterator[Reading]:
    """Read the conversations of some files in this process, in order."""
    yield from _readings(make_plan(urls, options))


def _readings(plan: Plan) -> Iterator[Reading]:
    if not plan.partitions:
        for unit in plan.units():
            yield from read_unit(unit, plan.shape)
        return
    tables: dict[int, list[Any]] = {}
    for unit in plan.units():
        for ordinal, table in partition_unit(unit, turn_rows(plan.shape), len(plan.partitions)):
            tables.setdefault(ordinal, []).append(table)
    for ordinal in sorted(tables):
        yield from regroup(tables.pop(ordinal), plan.shape)
