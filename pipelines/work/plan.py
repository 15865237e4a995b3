"""The plan of a run: input files and parts. It depends on files and options only, never on workers."""

import hashlib
import json
import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.transforms.reading import planning
from tacenda.transforms.reading.cutting import first_conversations, first_records, units_of
from tacenda.transforms.reading.planning import dropped, unseen
from tacenda.transforms.reading.regrouping import read_units
from tacenda.transforms.releasing.manifest import inputs_entry
from tacenda.transforms.schema import work_unit
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url, source_name
from tacenda.transforms.shapes.json_text import is_parameter
from tacenda.transforms.shapes.options import ReadOptions, unwritten_field
from tacenda.transforms.shapes.shape import Reading
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tacenda.transforms.storage.locating import located

_PARTITIONS = 64  # up to this number, hash partitions have the size of work units; beyond it, they grow first
_LARGEST_PARTITION = 16  # size limit of a hash partition, in work units


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(planning.InputPlan):
    """The plan of the input and, if conversations are spread over rows, hash partitions.

    ``input_state`` changes when a file is modified, even if its size stays the same. ``unseen`` are the fields
    to keep that no sampled record has. ``not_read`` are the URLs of files in the input folders that are not
    read.
    """

    input_state: str
    partitions: tuple[work_unit.Partition, ...] = ()
    unseen: tuple[str, ...] = ()
    not_read: tuple[str, ...] = ()

    def field_treatment(self, options: ReadOptions) -> dict[str, Any]:
        """The treatment of fields, as far as sampled records have them, for plan, manifest and report."""
        unwritten = {unwritten_field(options)}
        opaque = {**(options.mapping.opaque if options.mapping else {}), **options.opaque}
        named, unnamed = dropped(self.fields, self.shape.written_fields() - unwritten)
        return {
            "kept": sorted(name for name in options.keep if name not in options.opaque),
            "opaque": dict(sorted(item for item in opaque.items() if item[0] not in unwritten)),
            "dropped": named,
            "dropped_unnamed": unnamed,
        }

    def units(self, of_parts: Sequence[work_unit.Part] | None = None) -> Iterator[work_unit.WorkUnit]:
        """All work units of parts in order; input that can only be read sequentially is read on the way."""
        for part in self.parts if of_parts is None else of_parts:
            with sanitize_errors(f"part {part.name}"):
                yield from units_of(part, self.shape.columns())

    def readings(self, batch_conversations: int = 1000) -> Iterator[Reading]:
        """All conversations, read in this process, in order; those of turn rows are regrouped in memory."""
        return read_units(self.units(), self.shape, len(self.partitions), batch_conversations)

    def units_named(self, names: Collection[str]) -> Iterator[work_unit.WorkUnit]:
        """The units with the given names; only their parts are read."""
        planned = {work_unit.planned_part(name) for name in names}
        parts = [part for part in self.parts if part.name in planned]
        return (unit for unit in self.units(parts) if unit.name in names)

    @property
    def encoding(self) -> work_unit.Encoding:
        """The encoding of hash partitions: Parquet if all parts are, since JSON may not fit column types."""
        encodings = {part.encoding for part in self.parts}
        return "parquet" if encodings == {"parquet"} else "jsonl"

    @property
    def text_bytes(self) -> int:
        """Estimated uncompressed size of the text."""
        return sum(part.text_bytes for part in self.parts)

    def inputs(self) -> dict[str, Any]:
        """The entry on the input in the manifest."""
        entry = inputs_entry(sorted((source_name(file.url), file.size) for file in self.files))
        return {**entry, **({"not_read": not_read_entry(self.not_read)} if self.not_read else {})}


_MOST_NAMED = 100


def not_read_entry(urls: Sequence[str]) -> dict[str, Any]:
    """The manifest's entry on files that are not read: their number, by suffix, and the names of the first."""
    suffixes: Counter[str] = Counter()
    for url in urls:
        stem, dot, suffix = url.rpartition("/")[2].lower().rpartition(".")
        # A word for those that may be a part of a name.
        suffixes["none" if not (stem and dot) else f".{suffix}" if is_parameter(suffix) else "other"] += 1
    names = sorted(map(source_name, urls))[:_MOST_NAMED]
    return {"files": len(urls), "suffixes": dict(sorted(suffixes.items())), "names": names}


@dataclass(frozen=True, slots=True)
class Corpus:
    """What a corpus to which a run adds has already.

    ``files`` are the names of the files that were read for it, as the manifest has them (``source_name``); a
    plan leaves them out. ``parts`` is the number of the first part that is free.
    """

    files: frozenset[str] = frozenset()
    parts: int = 0


def make_plan(urls: Sequence[str], options: ReadOptions, corpus: Corpus | None = None) -> Plan:
    """Find the files, recognise their shape, and divide them into parts of a new ``corpus``, or one that grows.

    Raises:
        UserError: there is no input, or it cannot be read; or a field to keep is in none of the files, which
            are all Parquet.
    """
    corpus = corpus or Corpus()
    there, beside = located(urls)
    files = [file for file in there if source_name(file.url) not in corpus.files]
    found = planning.plan_input(files, options, sorted(corpus.files))
    missing = unseen(options, found.fields)
    if missing and found.fields and all(part.encoding == "parquet" for part in found.parts):
        # In JSON lines, rare ones may still occur.
        option = "--split-by" if missing[0] == unwritten_field(options) else "--keep"
        columns = ", ".join(sorted(found.fields))
        raise UserError(f"{option} {missing[0]}: no input file has such a column; they have {columns}")
    state = hashlib.sha256(
        json.dumps([(redact_url(file.url), file.state) for file in found.files]).encode()
    ).hexdigest()
    if options.limit is not None:
        with sanitize_errors("the count of rows"):
            if isinstance(found.shape, TurnRowsShape):
                # All is read, and units skip the rest.
                only = first_conversations(found.parts, found.shape, options.limit)
                found = replace(found, shape=TurnRowsShape(found.shape.options, only))
            else:
                found = first_records(found, options.limit)
    given = {one.name: getattr(found, one.name) for one in fields(found)}
    given["parts"] = tuple(replace(part, ordinal=part.ordinal + corpus.parts) for part in found.parts)
    not_read = tuple(sorted({*beside, *found.skipped}))
    plan = Plan(**given, input_state=state, unseen=missing, not_read=not_read)
    if not found.shape.grouped or not found.parts:
        return plan
    return replace(plan, partitions=_partitions(plan.text_bytes, options, corpus.parts))


def plan_records(urls: Sequence[str], options: ReadOptions, option: str) -> Plan:
    """Plan a job that reads records and counts: parts as large as units, a conversation or text a record.

    Errors name the ``option`` of the command which names the input.

    Raises:
        UserError: as :func:`make_plan`; or conversations are spread over rows.
    """
    plan = make_plan(urls, replace(options, part_bytes=options.unit_bytes))
    if plan.partitions:
        raise UserError(f"{option}: has a row a turn; give a conversation or a text a row")
    return plan


def _partitions(text_bytes: int, options: ReadOptions, first: int) -> tuple[work_unit.Partition, ...]:
    """Hash partitions for input of this size, assigned to parts in sequence, from the ``first`` on."""
    largest = options.unit_bytes * _LARGEST_PARTITION
    size = min(max(text_bytes / _PARTITIONS, options.unit_bytes), largest)
    count = max(1, math.ceil(text_bytes / size))
    size = text_bytes // count
    parts = math.ceil(count / max(1, options.part_bytes // max(1, size)))
    return tuple(
        work_unit.Partition(i, size, work_unit.ordinal_name(first + i * parts // count)) for i in range(count)
    )
