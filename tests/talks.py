"""Conversations for tests, and files of them."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def talk(name: Any, *said: Any, **more: Any) -> dict[str, Any]:
    """A conversation of these texts, or pairs of speaker and text; an agent says what has no speaker."""
    pairs = (one if isinstance(one, tuple) else ("agent", one) for one in said)
    turns = [{"speaker": speaker, "text": text} for speaker, text in pairs]
    return {"conversation_id": name, "turns": turns, **more}


def talks(count: int, text: str = "we talked about garden {}", **more: Any) -> list[dict[str, Any]]:
    """Conversations of one turn each, numbered in id and text."""
    return [talk(f"c{i}", text.format(i), **more) for i in range(count)]


def gold(name: Any, text: str, *found: tuple[str, str], **more: Any) -> dict[str, Any]:
    """A conversation of one turn in which values are annotated with labels."""
    at = [(text.index(value), value, label) for value, label in found]
    spans = [{"start": start, "end": start + len(value), "label": label} for start, value, label in at]
    return {"conversation_id": name, "turns": [{"speaker": "agent", "text": text, "spans": spans}], **more}


def as_lines(records: Iterable[Any]) -> bytes:
    """Records, or raw lines, as JSON lines."""
    return b"".join((r if isinstance(r, bytes) else json.dumps(r).encode()) + b"\n" for r in records)


def write_lines(path: Path, records: Iterable[Any]) -> Path:
    path.write_bytes(as_lines(records))
    return path
