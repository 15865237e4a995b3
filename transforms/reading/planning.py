"""Plan the input: determine the shape of the files and divide them into parts."""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile
from typing import Any, NamedTuple

import pyarrow as pa

from tacenda.transforms.reading.units import OF_CELLS, TEXT, parse_cells, parse_lines
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import source_name
from tacenda.transforms.schema.work_unit import LINES, FileRange, Layout, Part
from tacenda.transforms.shapes.json_text import is_parameter
from tacenda.transforms.shapes.mapping import FieldMapping, mapping_named, recognised_text
from tacenda.transforms.shapes.options import ReadOptions, actual_name
from tacenda.transforms.shapes.recognise import (
    SHAPES,
    FieldKind,
    fitting_shapes,
    kinds_of_record,
    kinds_of_schema,
    make_shape,
    mapping_for,
    recognise,
    with_mapping,
)
from tacenda.transforms.shapes.shape import Shape, rows_of
from tacenda.transforms.storage.json_lines import read_head, read_lines
from tacenda.transforms.storage.layouts import layout_of, table_layout
from tacenda.transforms.storage.locating import FileInfo, Format, format_of, is_document, signature, suffixes
from tacenda.transforms.storage.opening import open_read
from tacenda.transforms.storage.tables import Footer, is_arrow, read_footer, read_row_groups

_FEATURES = b"huggingface"
"""The key under which Hugging Face's tools keep what they know of columns, in Arrow and in Parquet."""

LOOKUPS_AT_ONCE = 16
LINES_LOOKED_AT = 100
HEAD_BYTES = 256 << 10

UNITS_AT_ONCE = 16
"""Factor on the unit size of turn-a-row input, which is read before it is partitioned by conversation."""

_TOLD = 5
"""Files that are wrong and named at once."""

_NEAR = 1 / 32
"""Share of a part that is not worth cutting a file for."""

UNPACKED = 4
"""Assumed compression ratio of JSON lines; 3 to 12 are common."""


@dataclass(frozen=True, slots=True)
class InputPlan:
    """The shape, the parts in order, and the schema of Parquet parts.

    ``schema`` is None without Parquet input. ``options`` are those given, with what a mapping says; ``skipped``
    are files that it says hold no conversations. ``fields`` are the fields of the sampled records. Ranges refer
    to files by their index in ``files``. ``rows_not_read`` is the number of rows left out by a limit. The
    plan depends on the files and the options only.
    """

    shape: Shape
    parts: tuple[Part, ...]
    schema: pa.Schema | None
    fields: frozenset[str] = frozenset()
    files: tuple[FileInfo, ...] = ()
    rows_not_read: int = 0
    options: ReadOptions = field(default_factory=ReadOptions)
    skipped: tuple[str, ...] = ()


class _Head(NamedTuple):
    """Information from the start (JSON) or the footer (Parquet) of a file.

    ``kinds`` is None if no record was found. ``mapping`` is that which the records have; ``failure`` is why
    none of the first ``tried`` records can be read, None if one can.
    """

    kinds: dict[str, FieldKind] | None
    footer: Footer | None
    fields: frozenset[str] = frozenset()
    layout: Layout = LINES
    mapping: FieldMapping | None = None
    tried: int = 0
    failure: str | None = None


def plan_input(files: Sequence[FileInfo], options: ReadOptions, beside: Sequence[str] = ()) -> InputPlan:
    """Recognise the shape of the input and divide it into parts.

    Args:
        files: of the input.
        options: how it is read.
        beside: names (``source_name``) of files that were read before into the same corpus, and give ids of
            their own.

    Raises:
        UserError: a file is truncated, differs in shape from the others, or its first records all lack what its
            shape needs; or no file has a record.
    """
    with ThreadPoolExecutor(LOOKUPS_AT_ONCE) as pool:
        heads = list(pool.map(lambda info: _look(info, _format(info), options), files))
    mapping = next((head.mapping for head in heads if head.mapping is not None), None)
    skipped: tuple[str, ...] = ()
    if mapping is not None and mapping.skip:
        skipped = tuple(info.url for info in files if info.url.rpartition("/")[2] in mapping.skip)
        kept = [i for i, info in enumerate(files) if info.url.rpartition("/")[2] not in mapping.skip]
        files, heads = [files[i] for i in kept], [heads[i] for i in kept]
    formats = [_format(info) for info in files]
    own = options = with_mapping(options, mapping)
    shape = _common_shape(files, heads, options)
    urls = [source_name(info.url) if beside else info.url for info in files]
    keys = file_keys([*beside, *urls])[len(beside) :]
    splits = _splits(files, shape)
    if shape.grouped:
        # Every unit contributes a table to every hash partition, so fewer units mean fewer tables.
        options = replace(options, unit_bytes=options.unit_bytes * UNITS_AT_ONCE)
    parts = _Parts(options)
    rows = zip(files, formats, heads, keys, strict=True)
    for number, (info, form, head, key) in enumerate(rows):
        if head.footer is not None:
            for piece in _row_groups(number, info, key, head.footer, options, cuttable=not shape.grouped):
                parts.add(replace(piece, split=splits[number]))
        elif form.compression is not None or head.layout != LINES:
            size = info.size * UNPACKED if form.compression is not None else info.size
            cut = size > options.unit_bytes and not shape.grouped
            whole = FileRange(number, info.url, "jsonl", form.compression, 0, info.size, 0, size, key, cut)
            parts.add(replace(whole, layout=head.layout))
        elif info.size:
            parts.add(FileRange(number, info.url, "jsonl", None, 0, info.size, 0, info.size, key))
    fields = frozenset[str]().union(*(head.fields for head in heads))
    return InputPlan(
        shape,
        parts.finished(),
        _common_schema(files, heads, shape, options),
        fields,
        tuple(files),
        options=own,
        skipped=skipped,
    )


def _format(info: FileInfo) -> Format:
    found = format_of(info.url)
    if found is None:
        raise UserError(f"{info.url}: unknown file type; rename it to end in {suffixes()}")
    return found


def _look(info: FileInfo, file_format: Format, options: ReadOptions) -> _Head:
    if file_format.encoding == "parquet":
        footer = read_footer(info.url)
        names = footer.schema.names
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise UserError(f"{info.url}: has two columns named {twice}; rename one of them")
        fields = frozenset(fields_of_schema(footer.schema))
        mapping = options.mapping or mapping_for(fields, options)
        return _Head(kinds_of_schema(footer.schema), footer, fields, mapping=mapping)
    if info.size == 0:
        if file_format.compression is not None:
            raise UserError(
                f"{info.url}: is empty, so not valid {file_format.compression}; copy it again, or remove it"
            )
        return _Head(None, None)
    layout, records = _first_of_text(info, file_format, options)
    fields = frozenset(layout.columns or fields_of_records(records))
    mapping = options.mapping or mapping_for(fields, options)
    if layout.kind in ("text", "mails") and mapping is None and options.shape is None:
        is_mail = layout.kind == "mails" or ".eml" in info.url.rpartition("/")[2].lower()
        mapping = mapping_named("mail") if is_mail else recognised_text(records[0][TEXT] if records else "")
    own = with_mapping(options, mapping)
    if mapping is not None and mapping.whole and layout.kind == "array":
        layout, records = Layout("whole"), [records]
    if layout.kind == "table":
        kinds: dict[str, FieldKind] | None = kinds_of_record(dict.fromkeys(layout.columns, ""))
    else:
        found = [kinds_of_record(record) for record in records if type(record) is dict]
        # A record that fits no shape is reported only if no later one fits.
        fitting = (kinds for kinds in found if own.mapping or fitting_shapes(kinds, own))
        kinds = next(fitting, found[0] if found else {} if own.mapping and records else None)
    return _Head(kinds, None, fields, layout, mapping, len(records), _failure(records, kinds, own))


def _first_of_text(info: FileInfo, file_format: Format, options: ReadOptions) -> tuple[Layout, list[Any]]:
    """How the records of a text file lie, and the first of them."""
    layout = _layout(info, file_format, options)
    blocks = read_lines(info.url, file_format.compression, layout=layout, block_bytes=HEAD_BYTES)
    block = next(blocks, None)
    lines = block.lines[:LINES_LOOKED_AT] if block else []
    if layout.kind in OF_CELLS:
        records = [value for _, value in parse_cells(range(len(lines)), lines, layout)[0]]
    else:
        records = [value for _, value in parse_lines(range(len(lines)), lines)[0]]
    return layout, records


def first_records(info: FileInfo) -> list[Any]:
    """The first records of a file."""
    file_format = _format(info)
    if file_format.encoding == "parquet":
        names = read_footer(info.url).schema.names
        batches = read_row_groups(info.url, 0, 1, names, batch_rows=LINES_LOOKED_AT, batch_bytes=HEAD_BYTES)
        table = next(batches, None)
        return [] if table is None or table.table is None else rows_of(table.table, 0)[0]
    return _first_of_text(info, file_format, ReadOptions())[1]


_OF_SETTINGS = frozenset({"MissingField", "WrongType"})
"""Error classes that come of wrong settings where all records have them."""


def _failure(
    records: Sequence[Any], kinds: Mapping[str, FieldKind] | None, options: ReadOptions
) -> str | None:
    """Why none of some records can be read: what all of them lack, or have of another type."""
    if not records or kinds is None:
        return None
    try:
        shape = recognise(kinds, options, "")
    except UserError:
        return None  # said elsewhere
    errors = shape.errors_of(records)
    error, field = errors[0] or ("", None)
    if error not in _OF_SETTINGS or any(one is None or one[0] != error for one in errors):
        return None
    named = f"field {field}" if field else "field that it needs"
    if error == "MissingField":
        return f"its first {len(records)} records have no {named} as the shape {shape.name} reads it"
    return (
        f"a {named} of its first {len(records)} records has a type that the shape {shape.name} does not read"
    )


def _layout(info: FileInfo, file_format: Format, options: ReadOptions) -> Layout:
    """How records lie in a text file, by its suffix and its beginning.

    Raises:
        UserError: it is a table without the names of its columns, or no UTF-8.
    """
    head = read_head(info.url, file_format.compression, HEAD_BYTES)
    if file_format.kind in ("text", "mails"):
        return Layout(file_format.kind)
    if file_format.kind == "lines":
        if options.mapping is not None and options.mapping.whole and not is_document(info.url):
            return LINES  # each is a list
        kind = layout_of(head)
        return LINES if kind == "objects" and not is_document(info.url) else Layout(kind)
    if signature(head) is not None:
        raise UserError(f"{info.url}: {_why_unreadable(info)}")
    try:
        return table_layout(head, info.url)
    except UnicodeDecodeError:
        raise UserError(f"{info.url}: is not UTF-8; save it as UTF-8") from None
    except ValueError:
        raise UserError(
            f"{info.url}: its first line does not have a name for each column; add such a line"
        ) from None


def _common_shape(files: Sequence[FileInfo], heads: Sequence[_Head], options: ReadOptions) -> Shape:
    chosen: tuple[str, Shape] | None = None
    wrong: list[str] = []
    for info, head in zip(files, heads, strict=True):
        if head.kinds is None:
            continue
        if (
            head.layout.kind == "table"
            and options.mapping is None
            and len(fitting_shapes(head.kinds, options)) != 1
        ):
            # Not by their names: without a line of names, they are somebody's words.
            wrong.append(
                f"{info.url}: its columns fit no shape, or more than one; map them, as in --field text=YOURS, "
                f"or choose one with --shape {'|'.join(SHAPES)}"
            )
            continue
        try:
            shape = recognise(head.kinds, with_mapping(options, head.mapping), info.url)
        except UserError as error:
            wrong.append(str(error))
            continue
        if chosen is None:
            chosen = info.url, shape
        elif chosen[1].name != shape.name:
            wrong.append(
                f"{info.url}: has shape {shape.name}, but {chosen[0]} has {chosen[1].name}; run them separately"
            )
    failed = [head.failure is not None for head in heads if head.tried]
    wrong += [
        f"{info.url}: {head.failure}; correct --shape, --field or --from"
        for info, head in zip(files, heads, strict=True)
        if head.failure is not None and (all(failed) or head.tried >= LINES_LOOKED_AT)
    ]
    if wrong:
        more = f"; {len(wrong) - _TOLD} more files are like this" if len(wrong) > _TOLD else ""
        raise UserError("; ".join(wrong[:_TOLD]) + more)
    if chosen is not None:
        return chosen[1]
    if options.shape is not None or options.mapping is not None or not any(info.size for info in files):
        # Without records, any shape will do.
        return make_shape(options.shape or "conversation", options)
    first = next(info for info in files if info.size)
    raise UserError(f"{first.url}: {_why_unreadable(first)}")


def _why_unreadable(info: FileInfo) -> str:
    """Explain why no record of a file could be read, and what to do."""
    with open_read(info.url) as file:
        head = file.read(HEAD_BYTES)
    found, compression = signature(head), _format(info).compression
    if found == "UTF-16":
        return "is UTF-16 text; save it as UTF-8"
    if compression is not None:
        if found == compression:
            return f"no record could be read; the {compression} stream is empty, truncated or not JSON lines"
        return f"is not {compression}, despite its name; rename it, or copy it again"
    if found is not None:
        return f"is {found}, not JSON lines; unpack it, or give it the right suffix"
    if head.lstrip().split(b"\n")[0].strip() == b"{" and not is_document(info.url):
        return "is JSON over several lines, not JSON lines; rename it to end in .json"
    return (
        "no conversation could be read in any input file; each record must be a JSON object, and files must "
        "be complete"
    )


def _common_schema(
    files: Sequence[FileInfo], heads: Sequence[_Head], shape: Shape, options: ReadOptions
) -> pa.Schema | None:
    """Unify the output schemas of all Parquet files, so that all parts of the corpus have the same."""
    schema: pa.Schema | None = None
    for info, head in zip(files, heads, strict=True):
        if head.footer is None:
            continue
        own = shape.output_schema(head.footer.schema)
        try:
            schema = own if schema is None else pa.unify_schemas([schema, own], promote_options="permissive")
        except pa.ArrowException:
            raise UserError(
                f"{info.url}: its columns have other types than those of earlier files; run them separately"
            ) from None
    return schema if schema is None else _with_features(schema, heads, options)


def _splits(files: Sequence[FileInfo], shape: Shape) -> list[str]:
    """The split of each file: the folder of an Arrow file, where they are in several.

    Raises:
        UserError: the conversations of a dataset with splits are spread over rows.
    """
    folders = [info.url.split("/")[-2:-1] if is_arrow(info.url) else [] for info in files]
    splits = ["".join(re.findall("[A-Za-z0-9-]+", folder[0])) if folder else "" for folder in folders]
    if len({split for split in splits if split}) < 2:
        return [""] * len(files)
    if shape.grouped:
        raise UserError(f"{files[0].url}: has a turn a row, and splits; run each split by itself")
    return splits


def _with_features(schema: pa.Schema, heads: Sequence[_Head], options: ReadOptions) -> pa.Schema:
    """A schema with what Hugging Face notes of its columns, such as that they are classes.

    The names of classes are words of somebody's, so only those of columns that are opaque are written.
    """
    noted = [head.footer.schema.metadata or {} for head in heads if head.footer is not None]
    found: dict[str, Any] = {}
    for metadata in noted:
        with suppress(ValueError, LookupError, TypeError):
            features = json.loads(metadata.get(_FEATURES, b"{}"))["info"]["features"]
            found.update({name: features[name] for name in features if name in options.opaque})
    kept = {name: feature for name, feature in found.items() if name in schema.names}
    if not kept:
        return schema
    return schema.with_metadata({_FEATURES: json.dumps({"info": {"features": kept}}).encode()})


def _row_groups(
    number: int, info: FileInfo, key: str, footer: Footer, options: ReadOptions, *, cuttable: bool
) -> Iterator[FileRange]:
    """A range for each row group with rows; those above a work unit are cut."""
    first_row = 0
    for index, group in enumerate(footer.row_groups):
        if group.rows:
            cut = cuttable and group.text_bytes > options.unit_bytes and group.rows > 1
            yield FileRange(
                number, info.url, "parquet", None, index, index + 1, first_row, group.text_bytes, key, cut
            )
        first_row += group.rows


class _Parts:
    """Gathers ranges in order into parts of even size, each of one encoding and split.

    Of a run of such ranges, the number of parts is the least for which none is above ``part_bytes``. Their ends
    are where as many bytes lie before as in equal parts, or at the end of a file or row group near there: they
    do not depend on the size of work units.
    """

    def __init__(self, options: ReadOptions) -> None:
        self._unit_bytes = options.unit_bytes
        self._part_bytes = max(options.part_bytes, options.unit_bytes)
        self._done: list[Part] = []
        self._run: list[FileRange] = []

    def add(self, piece: FileRange) -> None:
        """Add a range."""
        # A range that will need continuations gets a part of its own, so that parts are consecutive.
        alone = piece.sequential and piece.text_bytes > self._part_bytes
        if self._run and (alone or self._kind(self._run[0]) != self._kind(piece)):
            self._end_run()
        self._run.append(piece)
        if alone:
            self._end_run()

    @staticmethod
    def _kind(piece: FileRange) -> tuple[str, str]:
        return piece.encoding, piece.split

    def _end_run(self) -> None:
        """Divide the ranges gathered so far into parts."""
        total = sum(piece.text_bytes for piece in self._run)
        alone = len(self._run) == 1 and self._run[0].sequential
        count = 1 if alone else max(1, math.ceil(total / self._part_bytes))
        parts: list[list[FileRange]] = [[] for _ in range(count)]
        before = 0
        for piece in self._run:
            for cut in self._cut(piece, before, total / count):
                middle = before + cut.text_bytes / 2
                parts[min(count - 1, int(middle * count / max(total, 1)))].append(cut)
                before += cut.text_bytes
        for ranges in parts:
            if ranges:
                packed = tuple(self._packed(ranges))
                self._done.append(Part(len(self._done), packed, self._unit_bytes, self._part_bytes))
        self._run = []

    def _cut(self, piece: FileRange, before: int, size: float) -> Iterator[FileRange]:
        """Cut a range of plain lines where parts of a size end, but for ends near its own."""
        if piece.encoding != "jsonl" or piece.sequential or piece.compression or piece.layout != LINES:
            yield piece
            return
        ends = [piece.start]
        place = size * (before // size + 1)
        while place < before + piece.text_bytes:
            end = piece.start + round(place) - before
            if min(end - piece.start, piece.stop - end) >= size * _NEAR:
                ends.append(end)
            place += size
        for start, stop in pairwise([*ends, piece.stop]):
            yield replace(piece, start=start, stop=stop, text_bytes=stop - start)

    def _packed(self, ranges: Sequence[FileRange]) -> Iterator[FileRange]:
        """Join small row groups of one file up to a work unit."""
        held: FileRange | None = None
        for piece in ranges:
            if held is not None and (
                piece.encoding == "parquet"
                and (piece.file, piece.sequential, held.sequential) == (held.file, False, False)
                and held.text_bytes + piece.text_bytes <= self._unit_bytes
            ):
                held = replace(held, stop=piece.stop, text_bytes=held.text_bytes + piece.text_bytes)
                continue
            if held is not None:
                yield held
            held = piece
        if held is not None:
            yield held

    def finished(self) -> tuple[Part, ...]:
        """All parts."""
        if self._run:
            self._end_run()
        return tuple(self._done)


_DIGITS, _MORE_DIGITS = 8, 32


def file_keys(urls: Sequence[str]) -> list[str]:
    """A unique hexadecimal key for each file: eight digits, or 32 if two files would share the eight.

    The key depends on the file's name if that is unique, so that a moved corpus keeps its ids; otherwise on
    its path below the common folder of all files.

    >>> file_keys(["s3://bucket/a/1.jsonl"]) == file_keys(["/data/1.jsonl"])
    True
    >>> one, other = file_keys(["/data/a/1.jsonl", "/data/b/1.jsonl"])
    >>> one == other
    False
    """
    folders = [url.split("/")[:-1] for url in urls]
    steps = takewhile(lambda step: len(set(step)) == 1, zip(*folders, strict=False))
    shared = "".join(f"{step[0]}/" for step in steps)
    names = [url.rpartition("/")[2] for url in urls]
    count = Counter(names)
    digests = [
        _digest(name if count[name] == 1 else url.removeprefix(shared))
        for url, name in zip(urls, names, strict=True)
    ]
    # Among a hundred thousand files, a collision of eight digits is more likely than not.
    files_of = Counter(digest[:_DIGITS] for digest in digests)
    return [digest[: _DIGITS if files_of[digest[:_DIGITS]] == 1 else _MORE_DIGITS] for digest in digests]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


_LEVELS = 3
"""Levels of fields that are listed: of a record, of its messages, and of the parts or the calls of these."""


def fields_of_schema(schema: pa.Schema) -> set[str]:
    """The columns of a table, and the fields of structs and lists of structs as ``column.field``."""
    return {name for field in schema for name in _names(field, field.name, 1)}


def fields_of_records(records: Iterable[Any]) -> set[str]:
    """:func:`fields_of_schema` for JSON records; those that are not objects are skipped."""
    found: set[str] = set()
    for record in records:
        if type(record) is dict:
            _note(record, "", 1, found)
    return found


def _note(record: dict[str, Any], outer: str, level: int, found: set[str]) -> None:
    for key, value in record.items():
        name = f"{outer}{key}"
        found.add(name)
        for entry in (value if type(value) is list else [value]) if level < _LEVELS else ():
            if type(entry) is dict:
                _note(entry, f"{name}.", level + 1, found)


def unseen(options: ReadOptions, seen: Collection[str]) -> tuple[str, ...]:
    """The fields to keep that are not among ``seen``, as the user wrote them."""

    def is_seen(kept: str) -> bool:
        outer, dot, inner = kept.partition(".")
        # The list may be given by our name or by the file's, as in `turns.start` for `utterances`.
        return kept in seen or (bool(dot) and f"{actual_name(options, outer)}.{inner}" in seen)

    return tuple(kept for kept in options.keep if not is_seen(kept))


def dropped(seen: Collection[str], written: Collection[str]) -> tuple[list[str], int]:
    """The fields that are not written, and the number of further ones whose names may be data themselves.

    Nested fields are listed only if the outer field is written in part.
    """
    in_part = {_outer(name) for name in written}
    left = [
        name
        for name in sorted({*seen} - {*written})
        # A name may have dots of its own.
        if _outer(name) not in seen or _outer(name) in in_part
    ]
    named = [name for name in left if is_parameter(name)]
    return named, len(left) - len(named)


def _outer(name: str) -> str:
    return name.rpartition(".")[0]


def _names(field: pa.Field, name: str, level: int) -> Iterator[str]:
    yield name
    kind = field.type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        kind = kind.value_type
    if pa.types.is_struct(kind) and level < _LEVELS:
        for inner in kind:
            yield from _names(inner, f"{name}.{inner.name}", level + 1)
