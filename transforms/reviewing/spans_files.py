"""Spans files: a reviewer's findings beside the corpus, one row per span.

JSON lines (plain, gzip, zstd) or Parquet with ``conversation_id``, ``turn`` (0-based), ``start``, ``end``
(code points, half-open), ``label`` (or ``tag``: an infoType or ``MISSED_…``) and, if the reviewer marks spans
as the same entity, ``entity``. ``part`` names a part of a turn, as in findings, if a turn has several. A row
with a null ``label`` says that the conversation was reviewed and nothing was missed: otherwise a clean
conversation could not be distinguished from one that nobody read.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.shapes.declared import REVIEWED_BY
from tacenda.transforms.storage.opening import open_read


class ReviewedSpan(NamedTuple):
    """A span in a turn (0-based); ``part`` None is the turn's own text."""

    turn: int
    part: str | None
    span: AnnotatedSpan


Reviews = dict[str, list[ReviewedSpan]]
"""Conversation id to its spans; an empty list for a conversation reviewed and found clean."""


def load_reviews(urls: Sequence[str]) -> Reviews:
    """Read whole spans files; they contain a reviewed sample, not a corpus.

    Raises:
        UserError: a file cannot be read, or a row is not a span; names file, row and column.
    """
    reviews: Reviews = {}
    for url in urls:
        for number, row in enumerate(rows_of(url), 1):
            where = f"{url} row {number}"
            of = row.get("conversation_id")
            of = row.get("id", of) if type(of) not in (str, int) else of
            spans = reviews.setdefault(str(_checked(of, "conversation_id", where, (str, int))), [])
            label = _label(row, where)
            if label is None:
                continue
            turn, start, end = (_checked(row.get(name), name, where) for name in ("turn", "start", "end"))
            if not 0 <= start < end:
                raise UserError(f"{where}: 'start' and 'end' must be 0 <= start < end, in code points")
            part = row.get("part")
            if part is not None and not isinstance(part, str):
                raise UserError(f"{where}: column 'part' must be a string or null")
            spans.append(ReviewedSpan(turn, part, AnnotatedSpan(start, end, label, _entity(row, where))))
    return reviews


def _label(row: Mapping[str, Any], where: str) -> str | None:
    """The label; null only if the row says so and marks nothing, so that a mistake does not pass for a clean
    review.
    """
    if "label" not in row and "tag" not in row:
        raise UserError(f"{where}: column 'label' is missing; null says that nothing was missed")
    label = row.get("tag") if row.get("label") is None else row["label"]
    if label is None and (row.get("start") is not None or row.get("end") is not None):
        raise UserError(f"{where}: 'label' is null but 'start' or 'end' is not; say what was missed there")
    if label is not None and (not isinstance(label, str) or not label):
        raise UserError(f"{where}: column 'label' must be a string or null")
    return label


def _entity(row: Mapping[str, Any], where: str) -> str | None:
    """The reviewer's entity; tables turn integers into floats if other values are missing."""
    for name in ("entity", "entity_id"):
        value = row.get(name)
        if value in (None, "") or value != value:
            continue
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            raise UserError(f"{where}: column '{name}' must be a string, a whole number or null")
        return str(value)
    return None


def _checked(value: Any, column: str, where: str, kinds: tuple[type, ...] = (int,)) -> Any:
    """The value of a column, which must be of one of these types."""
    if type(value) not in kinds:
        expected = " or ".join(kind.__name__ for kind in kinds)
        raise UserError(f"{where}: column '{column}' is missing or not {expected}")
    return value


def rows_of(url: str, what: str = "spans file", *, broken: bool = False) -> Iterator[Mapping[str, Any]]:
    """The rows of a small file of JSON lines or Parquet; ``broken`` lines are left out, or a mistake.

    Raises:
        UserError: it cannot be read, or a line is no JSON object.
    """
    try:
        with open_read(url) as file:
            if url.endswith(".parquet"):
                for batch in pq.ParquetFile(file).iter_batches():
                    yield from batch.to_pylist()
            else:
                codec = {"gz": "gzip", "zst": "zstd"}.get(url.rpartition(".")[2])
                source = pa.CompressedInputStream(pa.PythonFile(file, mode="r"), codec) if codec else file
                yield from _json_rows(url, bytes(source.read()).split(b"\n"), broken)
    except (OSError, UnicodeError, pa.ArrowException) as error:
        raise UserError(
            f"{url}: {what} cannot be read ({type(error).__name__}); give JSON lines or Parquet"
        ) from None


def _json_rows(url: str, lines: Iterable[bytes], broken: bool) -> Iterator[Mapping[str, Any]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        wrong = "not valid JSON"
        try:
            row = orjson.loads(line)
            wrong = "" if isinstance(row, dict) else "not a JSON object"
        except orjson.JSONDecodeError:
            row = {}
        if not wrong:
            yield row
        elif not broken:
            raise UserError(f"{url} line {number}: {wrong}; give one object a line")


_OF_RECORDS = frozenset(("conversation_id", "id", "context", "turns", "gold", "seconds", REVIEWED_BY))
_OF_TURNS = frozenset(("speaker", "text", "spans"))
_OF_SPANS = frozenset(("start", "end", "label", "entity", "text"))


def check_review_file(url: str) -> Iterator[float]:
    """Check the keys of a review, as JSON lines or Parquet; yields the seconds that readers needed, if told.

    Raises:
        UserError: a key has no meaning in a review: what a reader wrote under it would be lost.
    """
    for number, row in enumerate(rows_of(url, "review", broken=True), 1):
        where = f"{redact_url(url)} row {number}"
        _refuse(row, _OF_RECORDS, where)
        for turn in _mappings(row.get("turns")):
            _refuse(turn, _OF_TURNS, where)
            for span in _mappings(turn.get("spans")):
                _refuse(span, _OF_SPANS, where)
        seconds: Any = row.get("seconds")
        if type(seconds) in (int, float) and 0 <= seconds < 1e9:
            yield float(seconds)


def _refuse(told: Mapping[str, Any], known: frozenset[str], where: str) -> None:
    for key, value in told.items():
        if key not in known and value is not None:
            name = f"'{key}'" if isinstance(key, str) and key.isidentifier() and len(key) < 30 else "a key"
            raise UserError(
                f"{where}: {name} means nothing in a review, and would be passed over; mark what is readable "
                "in the text, or as spans of a turn"
            )


def _mappings(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, (list, tuple)):
        yield from (one for one in value if isinstance(one, Mapping))
