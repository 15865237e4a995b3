"""Check that a review says nothing that would be passed over: its keys are those that are read."""

from collections.abc import Iterator, Mapping
from typing import Any

from tacenda.transforms.reviewing.spans_files import rows_of
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.shapes.declared import REVIEWED_BY

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
        if isinstance(seconds := row.get("seconds"), (int, float)) and not isinstance(seconds, bool):
            yield float(seconds)


def _refuse(told: Mapping[str, Any], known: frozenset[str], where: str) -> None:
    for key, value in told.items():
        if key not in known and value is not None:
            name = f"'{key}'" if isinstance(key, str) and key.isidentifier() and len(key) < 30 else "a key"
            raise UserError(
                f"{where}: {name} means nothing in a review, and would be passed over; mark what is "
                "readable in "
                "the text, or as spans of a turn"
            )


def _mappings(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, (list, tuple)):
        yield from (one for one in value if isinstance(one, Mapping))
