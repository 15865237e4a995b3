"""What the beginnings of the input files say: how records lie in them, what fields they have, and their kind.

Files are of one *kind* if one mapping or, without a mapping, one shape reads them.
"""

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any, NamedTuple

from tacenda.transforms.reading.units import TEXT, parse
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.work_unit import LINES, Layout
from tacenda.transforms.shapes.arrow_fields import example_of
from tacenda.transforms.shapes.mapping import FieldMapping, recognised_text
from tacenda.transforms.shapes.options import ReadOptions, actual_name
from tacenda.transforms.shapes.recognise import (
    SHAPES,
    fitting_shapes,
    make_shape,
    mapping_for,
    recognise,
    with_mapping,
)
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.json_lines import read_head, read_lines
from tacenda.transforms.storage.layouts import layout_of, table_layout
from tacenda.transforms.storage.locating import FileInfo, Format, is_document, known_format, signature
from tacenda.transforms.storage.opening import open_read
from tacenda.transforms.storage.tables import Footer, read_footer

LOOKUPS_AT_ONCE = 16
LINES_LOOKED_AT = 100
HEAD_BYTES = 256 << 10

_TOLD = 20  # files with the same mistake that are named


class Head(NamedTuple):
    """Information from the start (JSON) or the footer (Parquet) of a file.

    ``shape`` reads its records; None if there are none, a text that says why if no shape does. ``mapping`` is
    that which the records have; ``failure`` is why none of the first ``tried`` records can be read, None if one
    can.
    """

    file: FileInfo
    format: Format
    shape: Shape | str | None = None
    footer: Footer | None = None
    fields: frozenset[str] = frozenset()
    layout: Layout = LINES
    mapping: FieldMapping | None = None
    tried: int = 0
    failure: str | None = None


def heads_of(files: Sequence[FileInfo], options: ReadOptions) -> list[Head]:
    """Look at the beginning of each file.

    Raises:
        UserError: the suffix of some is unknown, or what they begin with is not what their names say.
    """

    def tried(info: FileInfo) -> Head | UserError:
        try:
            return _look(info, known_format(info.url), options)
        except UserError as error:
            return error

    with ThreadPoolExecutor(LOOKUPS_AT_ONCE) as pool:
        found = list(pool.map(tried, files))
    if wrong := [str(one) for one in found if isinstance(one, UserError)]:
        raise UserError("; ".join(wrong))
    return [one for one in found if isinstance(one, Head)]


def how_to_read(heads: Sequence[Head], options: ReadOptions) -> tuple[ReadOptions, Shape]:
    """The options with what a mapping of the files says, and the shape of their records.

    Raises:
        UserError: no file has a record; files cannot be read, all told in one message; or are of several kinds.
    """
    kinds: dict[str, list[Head]] = {}
    wrong: list[tuple[Head, str]] = []
    for head in heads:
        if isinstance(head.shape, str):
            wrong.append((head, head.shape))
        elif head.shape is not None:
            name = head.shape.name if head.mapping is None else head.mapping.name
            kinds.setdefault(name, []).append(head)
    for several in kinds.values():
        wrong += _failures(several, options)
    if wrong:
        of_reason: dict[str, list[Head]] = {}
        for head, why in wrong:
            of_reason.setdefault(why, []).append(head)
        raise UserError("; ".join(f"{_named(alike)}: {why}" for why, alike in of_reason.items()))
    if len(kinds) > 1:
        told = ", ".join(f"{name} ({_named(own, 3).rpartition('/')[2]})" for name, own in kinds.items())
        raise UserError(f"--input: has files of {len(kinds)} kinds; run each by itself: {told}")
    for head in heads:
        if isinstance(head.shape, Shape):
            return with_mapping(options, head.mapping), head.shape
    if options.shape is not None or options.mapping is not None or not heads:
        # Without records, any shape will do.
        return options, make_shape(options.shape or "conversation", options)
    filled = next((head for head in heads if head.file.size), None)
    if filled is None:
        raise UserError(f"{_named(heads)}: empty; check what should have written it, or say --shape")
    raise UserError(f"{filled.file.url}: {_why_unreadable(filled.file, filled.format)}")


def _failures(heads: Sequence[Head], options: ReadOptions) -> list[tuple[Head, str]]:
    """The files of one kind of which no record can be read, and why."""
    seen = frozenset[str]().union(*(head.fields for head in heads))
    known = with_mapping(options, heads[0].mapping)
    for canonical, actual in options.fields.items():
        outer, dot, _ = canonical.rpartition(".")
        name = f"{actual_name(known, outer)}{dot}{actual}" if outer else actual
        if name not in seen:
            why = f"--field {canonical}={actual}: no record has a field {name}; correct it"
            return [(heads[0], why)]
    all_failed = all(head.failure is not None for head in heads if head.tried)
    return [
        (head, f"{head.failure}; correct --shape, --field or --from, or map it with --from FILE.yaml")
        for head in heads
        if head.failure is not None and (all_failed or head.tried >= LINES_LOOKED_AT)
    ]


def _named(heads: Sequence[Head], most: int = _TOLD) -> str:
    """Some files for a message: the first by its URL, others by name."""
    first, *others = (head.file.url for head in heads[:most])
    names = [first, *(url.rpartition("/")[2] for url in others)]
    more = f" and {len(heads) - most} more" if len(heads) > most else ""
    return f"{', '.join(names)}{more}"


def _look(info: FileInfo, file_format: Format, options: ReadOptions) -> Head:
    if file_format.encoding == "parquet":
        footer = read_footer(info.url)
        names = footer.schema.names
        if twice := [name for name in names if names.count(name) > 1]:
            raise UserError(f"{info.url}: has two columns named {twice[0]}; rename one of them")
        row = example_of(footer.schema)
        fields = frozenset(fields_of_records([row]))
        mapping = options.mapping or mapping_for(fields, options)
        own = with_mapping(options, mapping)
        return Head(info, file_format, _shape_of(row, own), footer, fields, mapping=mapping)
    compression = file_format.compression
    if info.size == 0:
        if compression is not None:
            raise UserError(f"{info.url}: is empty, so not valid {compression}; copy it again, or remove it")
        return Head(info, file_format)
    layout = _layout(info, file_format, options)
    blocks = read_lines(info.url, compression, layout=layout, block_bytes=HEAD_BYTES)
    lines = [line for block in islice(blocks, 1) for line in block.lines[:LINES_LOOKED_AT]]
    records = [value for _, value in parse(range(len(lines)), lines, layout)[0]]
    fields = frozenset(layout.columns or fields_of_records(records))
    mapping = options.mapping or mapping_for(fields, options)
    if layout.kind == "text" and mapping is None and options.shape is None:
        mapping = recognised_text(records[0][TEXT] if records else "")
    own = with_mapping(options, mapping)
    if mapping is not None and mapping.whole and layout.kind == "array":
        layout, records = Layout("whole"), [records]
    if layout.kind == "table":
        example: dict[str, Any] | None = dict.fromkeys(layout.columns, "")
    else:
        found = [record for record in records if type(record) is dict]
        # A record that fits no shape is reported only if no later one fits.
        fitting = (record for record in found if own.mapping or fitting_shapes(record, own))
        example = next(fitting, found[0] if found else {} if own.mapping and records else None)
    is_table = layout.kind == "table" and options.mapping is None
    shape = None if example is None else _shape_of(example, own, is_table)
    failure = _failure(records, shape) if isinstance(shape, Shape) else None
    return Head(info, file_format, shape, None, fields, layout, mapping, len(records), failure)


def _shape_of(record: dict[str, Any], options: ReadOptions, is_table: bool = False) -> Shape | str:
    """The shape of records like this one, or why there is none."""
    if is_table and len(fitting_shapes(record, options)) != 1:
        # Not by their names: without a line of names, they are somebody's words.
        why = "its columns fit no shape, or more than one; map them, as in --field text=YOURS, or choose"
        return f"{why} one with --shape {'|'.join(SHAPES)}"
    try:
        return recognise(record, options, "")
    except UserError as error:
        return str(error).removeprefix(": ")


_OF_SETTINGS = frozenset({"MissingField", "WrongType"})  # of all records: wrong settings


def _failure(records: Sequence[Any], shape: Shape) -> str | None:
    """Why none of some records can be read: what all of them lack, or have of another type."""
    errors = list(map(shape.error_of, records))
    error, field = next(iter(errors), None) or ("", None)
    if error not in _OF_SETTINGS or any(one is None or one[0] != error for one in errors):
        return None
    named = f"field {field}" if field else "field that it needs"
    they = f"first {len(records)} records" if len(records) >= LINES_LOOKED_AT else "records"
    if error == "MissingField":
        return f"its {they} have no {named} as the shape {shape.name} reads it"
    return f"a {named} of its {they} has a type that the shape {shape.name} does not read"


def _layout(info: FileInfo, file_format: Format, options: ReadOptions) -> Layout:
    """How records lie in a text file, by suffix and beginning; ``UserError``: a table without names."""
    head = read_head(info.url, file_format.compression, HEAD_BYTES)
    if file_format.kind == "text":
        return Layout(file_format.kind)
    if file_format.kind == "lines":
        if options.mapping is not None and options.mapping.whole and not is_document(info.url):
            return LINES  # each is a list
        kind = layout_of(head)
        return LINES if kind == "objects" and not is_document(info.url) else Layout(kind)
    if signature(head) is not None:
        raise UserError(f"{info.url}: {_why_unreadable(info, file_format)}")
    try:
        return table_layout(head, info.url)
    except ValueError as error:
        why = "its first line does not have a name for each column; add such a line"
        why = "is not UTF-8; save it as UTF-8" if isinstance(error, UnicodeDecodeError) else why
        raise UserError(f"{info.url}: {why}") from None


def _why_unreadable(info: FileInfo, file_format: Format) -> str:
    """Explain why no record of a file could be read, and what to do."""
    with open_read(info.url) as file:
        head = file.read(HEAD_BYTES)
    found, compression = signature(head), file_format.compression
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


_LEVELS = 3  # of listed fields: a record's, its messages', and their parts' or calls'


def fields_of_records(records: Iterable[Any], outer: str = "", level: int = 1) -> set[str]:
    """The fields of records, and those of objects and lists in them as ``field.field``; others are skipped."""
    found: set[str] = set()
    for key, value in (item for record in records if type(record) is dict for item in record.items()):
        found.add(name := f"{outer}{key}")
        if level < _LEVELS and type(value) in (list, dict):
            found |= fields_of_records(value if type(value) is list else [value], f"{name}.", level + 1)
    return found
