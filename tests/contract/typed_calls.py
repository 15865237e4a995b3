"""Calls of the public API with the types that a type checker must see; ``test_typing.py`` runs mypy on it."""

from collections.abc import Iterator
from typing import Any

from typing_extensions import assert_type

from tacenda import Anonymizer, ChatMessage, Conversations, Rejection, Result

Record = dict[str, Any]


class Table:
    """What an Arrow table has; pyarrow is not typed."""

    schema: object
    num_rows: int


def check(
    anonymizer: Anonymizer,
    text: str,
    record: Record,
    table: Table,
    chat: list[ChatMessage],
    dicts: list[dict[str, str]],
    texts: list[str],
    records: Iterator[Record],
    chats: list[list[ChatMessage]],
) -> None:
    assert_type(anonymizer.anonymize(text), Result[str])
    assert_type(anonymizer.anonymize(text).conversation, str)
    assert_type(anonymizer.inspect(record), Result[Record])
    assert_type(anonymizer.score(table, reviewed=True), Conversations)
    assert_type(anonymizer.anonymize([{"role": "user", "content": "Hello"}]), Result[list[Record]])
    assert_type(anonymizer.inspect(chat), Result[list[Record]])
    assert_type(anonymizer.anonymize(dicts), Result[list[Record]] | Iterator[Result[Record] | Rejection])
    assert_type(anonymizer.anonymize(texts), Iterator[Result[str] | Rejection])
    assert_type(anonymizer.score(records), Iterator[Result[Record] | Rejection])
    assert_type(anonymizer.inspect(chats), Iterator[Result[list[ChatMessage]] | Rejection])
    anonymizer.anonymize(5)  # type: ignore[call-overload]
