"""Plan the input: determine the shape of the files and divide them into parts."""

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import accumulate, groupby, pairwise, takewhile
from typing import Any

import pyarrow as pa

from tacenda.transforms.reading.heads import Head, heads_of, how_to_read
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import source_name
from tacenda.transforms.schema.work_unit import LINES, FileRange, Part
from tacenda.transforms.shapes.json_text import is_parameter
from tacenda.transforms.shapes.options import ReadOptions, actual_name
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.locating import FileInfo
from tacenda.transforms.storage.tables import is_arrow

_FEATURES = b"huggingface"  # the key for what Hugging Face's tools know of columns
UNITS_AT_ONCE = 16  # factor on the unit size of turn-a-row input, which is partitioned
_NEAR = 1 / 32  # share of a part that is not worth cutting a file for
UNPACKED = 4  # assumed compression ratio of JSON lines; 3 to 12 are common


@dataclass(frozen=True, slots=True)
class InputPlan:
    """The shape, the parts in order, and the schema of Parquet parts.

    ``schema`` is None without Parquet input. ``options`` are those given, with what a mapping says; ``skipped``
    are files that it says hold no conversations. ``fields`` are the fields of the sampled records. Ranges refer
    to files by their index in ``files``. ``rows_not_read`` is the number of rows left out by a limit. The plan
    depends on the files and the options only.
    """

    shape: Shape
    parts: tuple[Part, ...]
    schema: pa.Schema | None
    fields: frozenset[str] = frozenset()
    files: tuple[FileInfo, ...] = ()
    rows_not_read: int = 0
    options: ReadOptions = field(default_factory=ReadOptions)
    skipped: tuple[str, ...] = ()


def plan_input(files: Sequence[FileInfo], options: ReadOptions, beside: Sequence[str] = ()) -> InputPlan:
    """Recognise the shape of the input and divide it into parts.

    ``beside`` are names (``source_name``) of files that were read before into the same corpus, and give ids of
    their own.

    Raises:
        UserError: a file is truncated, fits no shape, or its first records all lack what its shape needs; or no
            file has a record, or files are of several kinds.
    """
    heads = heads_of(files, options)
    no_talk = {name for head in heads if head.mapping is not None for name in head.mapping.skip}
    skipped = tuple(info.url for info in files if info.url.rpartition("/")[2] in no_talk)
    heads = [head for head in heads if head.file.url not in skipped]
    options, shape = how_to_read(heads, options)
    own = options
    files = [head.file for head in heads]
    urls = [source_name(info.url) if beside else info.url for info in files]
    keys = file_keys([*beside, *urls])[len(beside) :]
    splits = _splits(files, shape)
    if shape.grouped:
        # Every unit contributes a table to every hash partition, so fewer units mean fewer tables.
        options = replace(options, unit_bytes=options.unit_bytes * UNITS_AT_ONCE)
    ranges = (
        replace(piece, split=split)
        for number, (head, key, split) in enumerate(zip(heads, keys, splits, strict=True))
        for piece in _ranges(number, head, key, options, cuttable=not shape.grouped)
    )
    return InputPlan(
        shape,
        _parts(ranges, options),
        _common_schema(heads, shape, options),
        frozenset[str]().union(*(head.fields for head in heads)),
        tuple(files),
        options=own,
        skipped=skipped,
    )


def _common_schema(heads: Sequence[Head], shape: Shape, options: ReadOptions) -> pa.Schema | None:
    """Unify the output schemas of all Parquet files, so that all parts of the corpus have the same."""
    schema: pa.Schema | None = None
    for head in heads:
        if head.footer is None:
            continue
        own = shape.output_schema(head.footer.schema)
        try:
            schema = own if schema is None else pa.unify_schemas([schema, own], promote_options="permissive")
        except pa.ArrowException:
            raise UserError(
                f"{head.file.url}: its columns have other types than those of earlier files; run it by itself"
            ) from None
    return schema if schema is None else _with_features(schema, heads, options)


def _splits(files: Sequence[FileInfo], shape: Shape) -> list[str]:
    """The split of each file: the folder of an Arrow file, where they are in several; not of turn rows."""
    folders = [info.url.split("/")[-2:-1] if is_arrow(info.url) else [] for info in files]
    splits = ["".join(re.findall("[A-Za-z0-9-]+", folder[0])) if folder else "" for folder in folders]
    if len({split for split in splits if split}) < 2:
        return [""] * len(files)
    if shape.grouped:
        raise UserError(f"{files[0].url}: has a turn a row, and splits; run each split by itself")
    return splits


def _with_features(schema: pa.Schema, heads: Sequence[Head], options: ReadOptions) -> pa.Schema:
    """A schema with what Hugging Face notes of opaque columns only: classes may be anybody's words."""
    kept: dict[str, Any] = {}
    for footer in filter(None, (head.footer for head in heads)):
        with suppress(ValueError, LookupError, TypeError):
            features = json.loads(footer.schema.metadata[_FEATURES])["info"]["features"]
            told = {*options.opaque} & {*schema.names}
            kept.update({name: features[name] for name in features if name in told})
    if not kept:
        return schema
    return schema.with_metadata({_FEATURES: json.dumps({"info": {"features": kept}}).encode()})


def _ranges(
    number: int, head: Head, key: str, options: ReadOptions, *, cuttable: bool
) -> Iterator[FileRange]:
    """The ranges of a file: a range for each row group with rows, else one; those above a work unit are cut."""
    info, compression = head.file, head.format.compression
    if head.footer is None:
        is_plain = compression is None and head.layout == LINES
        size = info.size if compression is None else info.size * UNPACKED
        cut = cuttable and not is_plain and size > options.unit_bytes
        whole = FileRange(number, info.url, "jsonl", compression, 0, info.size, 0, size, key, cut)
        if info.size or not is_plain:
            yield replace(whole, layout=head.layout)
        return
    first_row = 0
    for index, group in enumerate(head.footer.row_groups):
        if group.rows:
            cut = cuttable and group.text_bytes > options.unit_bytes and group.rows > 1
            yield FileRange(
                number, info.url, "parquet", None, index, index + 1, first_row, group.text_bytes, key, cut
            )
        first_row += group.rows


def _parts(ranges: Iterable[FileRange], options: ReadOptions) -> tuple[Part, ...]:
    """Gather ranges in order into parts of even size, each of one encoding and split.

    Of a run of such ranges, the number of parts is the least for which none is above ``part_bytes``. Their ends
    are where as many bytes lie before as in equal parts, or at the end of a file or row group near there: they
    do not depend on the size of work units.
    """
    most = max(options.part_bytes, options.unit_bytes)

    def run_of(numbered: tuple[int, FileRange]) -> tuple[str, str, int]:
        number, piece = numbered
        # A range that will need continuations gets a part of its own, so that parts are consecutive.
        return piece.encoding, piece.split, number if piece.sequential and piece.text_bytes > most else -1

    parts: list[Part] = []
    for _, run in groupby(enumerate(ranges), run_of):
        pieces = [piece for _, piece in run]
        total = sum(piece.text_bytes for piece in pieces)
        alone = len(pieces) == 1 and pieces[0].sequential
        count = 1 if alone else max(1, math.ceil(total / most))
        divided: list[list[FileRange]] = [[] for _ in range(count)]
        before = 0
        for cut in (cut for piece in pieces for cut in _cut(piece, before, total / count)):
            middle = before + cut.text_bytes / 2
            divided[min(count - 1, int(middle * count / max(total, 1)))].append(cut)
            before += cut.text_bytes
        for some in filter(None, divided):
            packed = tuple(_packed(some, options.unit_bytes))
            parts.append(Part(len(parts), packed, options.unit_bytes, most))
    return tuple(parts)


def _cut(piece: FileRange, before: int, size: float) -> Iterator[FileRange]:
    """Cut a range of plain lines where parts of a size end, but for ends near its own."""
    if piece.sequential or not piece.is_plain_lines:
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
        yield piece.cut(start, stop)


def _packed(ranges: Sequence[FileRange], unit_bytes: int) -> list[FileRange]:
    """Join small row groups of one file up to a work unit."""
    packed: list[FileRange] = []
    for piece in ranges:
        last = packed[-1] if packed else piece
        size = last.text_bytes + piece.text_bytes
        fits = (piece.file, piece.sequential, last.sequential) == (last.file, False, False)
        if packed and piece.encoding == "parquet" and fits and size <= unit_bytes:
            packed[-1] = replace(last, stop=piece.stop, text_bytes=size)
        else:
            packed.append(piece)
    return packed


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
    told = [
        name if count[name] == 1 else url.removeprefix(shared) for url, name in zip(urls, names, strict=True)
    ]
    digests = [hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest() for text in told]
    # Among a hundred thousand files, a collision of eight digits is more likely than not.
    files_of = Counter(digest[:_DIGITS] for digest in digests)
    return [digest[: _DIGITS if files_of[digest[:_DIGITS]] == 1 else _MORE_DIGITS] for digest in digests]


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
    written = {name.replace("+", "") for name in written}
    of_any = [name.split(".") for name in written if "*" in name]
    for name in seen:
        steps = name.split(".")
        if any(all(own in ("*", step) for own, step in zip(path, steps, strict=False)) for path in of_any):
            written.add(name)
    in_part = {outer for name in written for outer in accumulate(name.split(".")[:-1], "{}.{}".format)}
    # A name may have dots of its own.
    within = [name for name in seen if (outer := name.rpartition(".")[0]) in seen and outer not in in_part]
    left = sorted({*seen} - {*written} - in_part - {*within})
    named = [name for name in left if is_parameter(name)]
    return named, len(left) - len(named)
