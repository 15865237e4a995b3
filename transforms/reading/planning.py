"""From located files to the shape of the input and its work units."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import orjson
import pyarrow as pa

from transforms.reading.file_keys import file_keys
from transforms.reading.kept_fields import fields_of_records, fields_of_schema
from transforms.reading.units import parse_lines
from transforms.schema.errors import UserError
from transforms.schema.work_unit import WorkUnit
from transforms.shapes.options import ReadOptions
from transforms.shapes.recognise import (
    FieldKind,
    fitting_shapes,
    kinds_of_record,
    kinds_of_schema,
    make_shape,
    recognise,
)
from transforms.shapes.shape import Shape
from transforms.storage.formats import SUFFIXES, Format, format_of, signature
from transforms.storage.json_lines import read_lines
from transforms.storage.locating import FileInfo
from transforms.storage.opening import open_read
from transforms.storage.parquet import Footer, read_footer

LOOKUPS_AT_ONCE = 16
LINES_LOOKED_AT = 100
HEAD_BYTES = 256 << 10


@dataclass(frozen=True, slots=True)
class InputPlan:
    """What is known before any work starts: the shape, the units in order, and the schema of Parquet parts.

    ``schema`` is None where no input file is Parquet. ``fields`` names what the records looked at have, where
    there are fields to keep. The plan depends on the files and the options alone.
    """

    shape: Shape
    units: tuple[WorkUnit, ...]
    schema: pa.Schema | None
    fields: frozenset[str] = frozenset()


class _Head(NamedTuple):
    """What the start (JSON lines) or the end (Parquet) of a file tells; ``kinds`` None where nothing does.

    ``fields`` are the names in it, where somebody asks for them.
    """

    kinds: dict[str, FieldKind] | None
    footer: Footer | None
    fields: frozenset[str] = frozenset()


def plan_input(files: Sequence[FileInfo], options: ReadOptions) -> InputPlan:
    """Recognise the shape of the input and cut it into work units.

    Raises:
        UserError: a file is cut off, is a JSON array, or differs in shape from the others; or there is no
            record in any file.
    """
    formats = [_format(info) for info in files]
    with ThreadPoolExecutor(LOOKUPS_AT_ONCE) as pool:
        heads = list(pool.map(lambda info, form: _look(info, form, options), files, formats))
    shape = _common_shape(files, heads, options)
    units: list[WorkUnit] = []
    keys = file_keys([info.url for info in files])
    for info, file_format, head, key in zip(files, formats, heads, keys, strict=True):
        if head.footer is not None:
            units.extend(_row_group_units(len(units), info, key, head.footer, options.unit_bytes))
        elif file_format.compression is None:
            units.extend(_byte_range_units(len(units), info, key, options.unit_bytes) if info.size else ())
        else:
            whole = WorkUnit(
                len(units), info.url, "jsonl", file_format.compression, 0, info.size, 0, info.size, key
            )
            units.append(whole)
    fields = frozenset[str]().union(*(head.fields for head in heads))
    return InputPlan(shape, tuple(units), _common_schema(files, heads, shape), fields)


def _format(info: FileInfo) -> Format:
    found = format_of(info.url)
    if found is None:
        raise UserError(f"{info.url}: unknown kind of file; rename it to end in one of {', '.join(SUFFIXES)}")
    return found


def _look(info: FileInfo, file_format: Format, options: ReadOptions) -> _Head:
    if file_format.encoding == "parquet":
        footer = read_footer(info.url)
        names = footer.schema.names
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise UserError(f"{info.url}: has two columns named {twice}; rename one of them")
        return _Head(kinds_of_schema(footer.schema), footer, frozenset(fields_of_schema(footer.schema)))
    if info.size == 0:
        if file_format.compression is not None:
            raise UserError(
                f"{info.url}: is empty, and no {file_format.compression} stream is; copy it again, or remove it"
            )
        return _Head(None, None)
    block = next(read_lines(info.url, file_format.compression, block_bytes=HEAD_BYTES), None)
    lines = block.lines[:LINES_LOOKED_AT] if block else []
    fields: frozenset[str] = frozenset()
    if options.keep:
        fields = frozenset(fields_of_records(value for _, value in parse_lines(range(len(lines)), lines)[0]))
    kinds: dict[str, FieldKind] | None = None
    for line in lines:
        if line.lstrip().startswith(b"["):
            raise UserError(
                f"{info.url}: holds a JSON array, not JSON lines; write one object a line (jq -c '.[]')"
            )
        try:
            record = orjson.loads(line)
        except orjson.JSONDecodeError:
            continue
        if type(record) is dict:
            found = kinds_of_record(record)
            if fitting_shapes(found, options):
                return _Head(found, None, fields)
            # A record that fits nothing is told of only where no later one does.
            kinds = found if kinds is None else kinds
    return _Head(kinds, None, fields)


def _common_shape(files: Sequence[FileInfo], heads: Sequence[_Head], options: ReadOptions) -> Shape:
    chosen: tuple[str, Shape] | None = None
    for info, head in zip(files, heads, strict=True):
        if head.kinds is None:
            continue
        shape = recognise(head.kinds, options, info.url)
        if chosen is None:
            chosen = info.url, shape
        elif chosen[1].name != shape.name:
            raise UserError(
                f"{info.url}: has the shape {shape.name}, but {chosen[0]} has {chosen[1].name}; run them apart"
            )
    if chosen is not None:
        return chosen[1]
    if options.shape is not None or not any(info.size for info in files):
        # Nothing to read needs no shape in particular.
        return make_shape(options.shape or "conversation", options)
    first = next(info for info in files if info.size)
    raise UserError(f"{first.url}: {_why_unreadable(first)}")


def _why_unreadable(info: FileInfo) -> str:
    """Say what a file is in which no record could be read, and how to mend it."""
    with open_read(info.url) as file:
        head = file.read(HEAD_BYTES)
    found, compression = signature(head), _format(info).compression
    if found == "UTF-16":
        return "is UTF-16 text; save it as UTF-8"
    if compression is not None:
        if found == compression:
            return f"no record could be read; the {compression} stream is empty, cut off or no JSON lines"
        return f"is not {compression}, whatever its name says; rename it, or copy it again"
    if found is not None:
        return f"is {found} and not JSON lines; unpack it, or give it the suffix of what it is"
    if head.lstrip().split(b"\n")[0].strip() == b"{":
        return "holds JSON over several lines, not JSON lines; write one object a line (jq -c .)"
    return "no record could be read in any input file; check that they are JSON lines"


def _common_schema(files: Sequence[FileInfo], heads: Sequence[_Head], shape: Shape) -> pa.Schema | None:
    """Return one output schema for all Parquet files, so that every part of the corpus has the same."""
    schema: pa.Schema | None = None
    for info, head in zip(files, heads, strict=True):
        if head.footer is None:
            continue
        own = shape.output_schema(head.footer.schema)
        try:
            schema = own if schema is None else pa.unify_schemas([schema, own], promote_options="permissive")
        except pa.ArrowException as error:
            raise UserError(
                f"{info.url}: has columns of other types than the files before it; run them apart"
            ) from error
    return schema


def _row_group_units(
    ordinal: int, info: FileInfo, key: str, footer: Footer, unit_bytes: int
) -> list[WorkUnit]:
    units: list[WorkUnit] = []
    start = first_row = rows = size = 0
    last = len(footer.row_groups) - 1
    for index, group in enumerate(footer.row_groups):
        rows += group.rows
        size += group.size_bytes
        if size >= unit_bytes or index == last:
            if rows:
                units.append(
                    WorkUnit(
                        ordinal + len(units),
                        info.url,
                        "parquet",
                        None,
                        start,
                        index + 1,
                        first_row,
                        size,
                        key,
                    )
                )
            start, first_row, rows, size = index + 1, first_row + rows, 0, 0
    return units


def _byte_range_units(ordinal: int, info: FileInfo, key: str, unit_bytes: int) -> list[WorkUnit]:
    count = max(1, round(info.size / unit_bytes))
    cuts = [info.size * index // count for index in range(count + 1)]
    return [
        WorkUnit(ordinal + index, info.url, "jsonl", None, start, stop, 0, stop - start, key)
        for index, (start, stop) in enumerate(pairwise(cuts))
    ]
