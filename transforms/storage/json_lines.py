"""JSON lines as bytes: blocks of whole lines from any byte range, and a compressed writer."""

import gzip
import io
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, suppress
from itertools import accumulate
from typing import Any, BinaryIO, Literal, NamedTuple

import orjson
import zstandard

from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.schema.work_unit import LINES, Block, Compression, Layout
from tacenda.transforms.storage.json_values import plain_value
from tacenda.transforms.storage.layouts import BYTE_ORDER_MARK, DamagedError, on_lines
from tacenda.transforms.storage.opening import open_read

BLOCK_BYTES = 4 << 20
TAIL_BYTES = 256 << 10  # bytes to read at a time after the end of a range, to complete its last line
GZIP_LEVEL = 4  # twice as fast as gzip's default of 6, with 10 % more bytes
ZSTD_LEVEL = 1

MAX_LINE_BYTES = 256 << 20

TRUNCATED = "TruncatedStream"
"""Error class of a compressed file that ends early or cannot be decoded; the number of lost rows is unknown."""


class LineBlock(NamedTuple):
    """Lines without line feeds, their offsets in the decompressed bytes, and faults."""

    offsets: list[int]
    lines: list[bytes]
    faults: list[Rejection]


def read_head(url: str, compression: Compression, size: int) -> bytes:
    """The first bytes of a file, decompressed; what can be read of them if it is damaged."""
    with open_read(url) as file, suppress(DamagedError):
        return next(_content(file, compression, size), b"")[:size]
    return b""


def read_lines(
    url: str,
    compression: Compression = None,
    start: int = 0,
    stop: int | None = None,
    *,
    layout: Layout = LINES,
    block_bytes: int = BLOCK_BYTES,
) -> Iterator[LineBlock]:
    """Read the lines that begin in the bytes ``start:stop`` of a file, in blocks.

    Ranges that cover a file cover each of its lines once. Blank lines are skipped, a byte order mark at the
    start of the file too. ``start`` and ``stop`` are for uncompressed files of the layout ``lines``; of another
    layout, each record becomes a line of the same length. A damaged stream ends the reading with the fault
    ``TRUNCATED`` at the first byte that belongs to no whole line; a line above ``MAX_LINE_BYTES`` is the fault
    ``LineTooLong``.
    """
    if compression is not None or layout != LINES:
        start, stop = 0, None
    for piece in read_blocks(url, compression, start, stop, layout=layout, block_bytes=block_bytes):
        lines = lines_of(piece, start, stop)
        if lines.lines or lines.faults:
            yield lines


def read_blocks(
    url: str,
    compression: Compression = None,
    start: int = 0,
    stop: int | None = None,
    *,
    layout: Layout = LINES,
    block_bytes: int = BLOCK_BYTES,
) -> Iterator[Block]:
    """Read a file in blocks of whole lines, each of about ``block_bytes``; see :func:`read_lines`.

    Every line that begins in ``start:stop`` is in one of them; the first and the last block may hold others.
    The last line has no line feed. What is lost is before the first line or, in the end, after the last.
    """
    # No line but the first of a block can then be too long, so only that one needs to be measured.
    block_bytes = min(block_bytes, MAX_LINE_BYTES)
    with open_read(url) as file:
        if compression is None and layout == LINES:
            # Start one byte earlier, which tells whether a line begins at `start`.
            origin = max(start - 1, 0)
            chunks = _range(file, origin, stop, block_bytes)
        else:
            origin = 0
            chunks = on_lines(_content(file, compression, block_bytes), layout)
        yield from _blocks(chunks, origin, start, stop)


def lines_of(block: Block, start: int = 0, stop: int | None = None) -> LineBlock:
    """Cut a block into its lines, and keep those that begin in ``start:stop`` and are not blank."""
    lines = block.data.split(b"\n")
    offsets = list(
        accumulate(map(len, lines[:-1]), lambda offset, size: offset + size + 1, initial=block.start)
    )
    first = bisect_left(offsets, start)
    last = len(offsets) if stop is None else bisect_left(offsets, stop)
    offsets, lines = offsets[first:last], lines[first:last]
    if offsets and offsets[0] == 0 and lines[0].startswith(BYTE_ORDER_MARK):
        lines[0] = lines[0][len(BYTE_ORDER_MARK) :]
    if b"" in lines or any(map(bytes.isspace, lines)):
        kept = [i for i, line in enumerate(lines) if line and not line.isspace()]
        offsets, lines = [offsets[i] for i in kept], [lines[i] for i in kept]
    faults = [f for f in block.lost if f.position >= start and (stop is None or f.position < stop)]
    return LineBlock(offsets, lines, faults)


def _blocks(chunks: Iterator[bytes], origin: int, start: int, stop: int | None) -> Iterator[Block]:
    """Cut a stream that starts at ``origin`` after line feeds; nothing after ``stop`` is needed."""

    def block(begin: int, data: bytes = b"", error: str | None = None) -> Block:
        lost = () if error is None else (Rejection(line_start, Stage.READ, error),)
        return Block(begin, begin + len(data), data, lost)

    line_start = origin
    unfinished: list[bytes] = []
    held = 0
    try:
        for chunk in chunks:
            cut = chunk.rfind(b"\n")
            if cut < 0:
                unfinished.append(chunk)
                held += len(chunk)
                if held > MAX_LINE_BYTES:
                    unfinished.clear()
                if line_start < start and stop is not None and line_start + held >= stop:
                    return
                continue
            first_end = chunk.index(b"\n")
            if held + first_end > MAX_LINE_BYTES:
                behind = line_start + held + first_end + 1
                yield block(behind, chunk[first_end + 1 : cut], "LineTooLong")
            else:
                yield block(line_start, b"".join([*unfinished, chunk[:cut]]))
            line_start += held + cut + 1
            if stop is not None and line_start >= stop:
                return
            unfinished = [chunk[cut + 1 :]]
            held = len(unfinished[0])
    except DamagedError:
        yield block(line_start, b"", TRUNCATED)
        return
    if held > MAX_LINE_BYTES:
        yield block(line_start + held, b"", "LineTooLong")
    elif held:
        yield block(line_start, b"".join(unfinished))


def _range(file: BinaryIO, origin: int, stop: int | None, block_bytes: int) -> Iterator[bytes]:
    file.seek(origin)
    position, wanted = origin, block_bytes
    while True:
        if stop is not None:
            wanted = min(block_bytes, stop - position if position < stop else TAIL_BYTES)
        if not (chunk := file.read(wanted)):
            return
        position += len(chunk)
        yield chunk


def _content(file: BinaryIO, compression: Compression, block_bytes: int) -> Iterator[bytes]:
    """The decompressed content of a whole file; data before damage is still yielded."""
    if compression is None:
        yield from _range(file, 0, None, block_bytes)
        return
    held: list[bytes] = []
    try:
        for chunk in _decompressed(file, compression):
            held.append(chunk)
            if sum(map(len, held)) >= block_bytes:
                yield b"".join(held)
                held = []
    except DamagedError:
        yield b"".join(held)
        raise
    yield b"".join(held)


_STEP_BYTES = {"gzip": 16 << 10, "zstd": 512}
"""Both expand at most a thousandfold, or 128 KB from four bytes: one step is always below 17 MB."""


def _decoder(compression: Compression) -> Any:
    if compression == "gzip":
        return zlib.decompressobj(wbits=31)
    return zstandard.ZstdDecompressor().decompressobj()


def _decompressed(file: BinaryIO, compression: Literal["gzip", "zstd"]) -> Iterator[bytes]:
    decoder = _decoder(compression)
    inside = ended = False
    while stored := file.read(_STEP_BYTES[compression]):
        # Members may follow each other, and padding of zeros may follow the last.
        while stored := stored.lstrip(b"\0") if ended and not inside else stored:
            inside = True
            try:
                yield decoder.decompress(stored)
            except (zlib.error, zstandard.ZstdError) as error:
                raise DamagedError from error
            stored = b""
            if decoder.eof:
                stored = decoder.unused_data
                decoder, inside, ended = _decoder(compression), False, True
    if inside:
        raise DamagedError


class JsonLinesWriter(AbstractContextManager["JsonLinesWriter"]):
    """Writes records as JSON lines, compressed or plain; the same records give the same bytes.

    The output of several writers may be concatenated into one valid stream. Closing completes the stream and
    leaves the file open.
    """

    def __init__(self, file: BinaryIO, compression: Compression) -> None:
        self._file = file
        self._stream: Any = file
        if compression == "gzip":
            self._stream = gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0)
        elif compression == "zstd":
            self._stream = zstandard.ZstdCompressor(ZSTD_LEVEL).stream_writer(file, closefd=False)

    def write(self, records: Iterable[Any]) -> None:
        """Append records, a line each, in UTF-8, without sorting keys."""
        self.write_lines(orjson.dumps(r, plain_value, orjson.OPT_APPEND_NEWLINE) for r in records)

    def write_lines(self, lines: Iterable[bytes]) -> None:
        """Append lines that were written before, each with its line feed."""
        self._stream.write(b"".join(lines))

    def close(self) -> None:
        if self._stream is not self._file:
            self._stream.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def decompressed(data: bytes, compression: Compression) -> bytes:
    """What was written, in memory."""
    return b"".join(_content(io.BytesIO(data), compression, BLOCK_BYTES))
