"""A packet: conversations to read and mark in a browser, as one HTML file that needs no network.

Readers mark by keyboard or mouse; the page saves in the browser after every change, and exports a JSON file
that ``read_packet`` takes back. All text enters the page as JSON and is shown as text.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

import orjson
from markupsafe import Markup

from tacenda.transforms.reviewing.marks import Mark, Reading, Talk, check_marks
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.shapes.declared import reader_name
from tacenda.transforms.text.html_page import page_environment

FORMAT = "tacenda packet 1"
"""The format that an export declares."""

_KEYS = (
    "PERSON_NAME", "ORGANIZATION_NAME", "LOCATION", "ADDRESS", "PHONE", "EMAIL",
    "DATE_OF_BIRTH", "AGE", "GENERIC_ID",
)  # fmt: skip
"""Tags on the keys 1 to 9; all others are in the list."""

_IN_EXPORTS = frozenset(("conversation_id", "text_hash", "read", "seconds", "marks"))


def render_packet(
    talks: Sequence[Talk],
    table: ScoreTable,
    *,
    hints: Mapping[str, str] | None = None,
    marks: Mapping[str, Sequence[Mark]] | None = None,
    purpose: str = "Read and mark",
) -> str:
    """The packet as HTML.

    Conversations are read in this order. ``hints`` says what detectors say of a conversation, by id, and
    ``marks`` has marks to begin with; readers see both.
    """
    tags = [row for row in table.rows.values() if not row.tag.endswith("_SPEAKER")]
    keys = [tag for tag in _KEYS if any(row.tag == tag for row in tags)]
    order = {tag: number for number, tag in enumerate(keys)}
    data: dict[str, Any] = {
        "format": FORMAT,
        "tags": [
            {"tag": row.tag, "group": row.group, "speaker": f"{row.tag}_SPEAKER" in table.rows}
            for row in sorted(tags, key=lambda row: order.get(row.tag, len(order)))
        ],
        "keys": len(keys),
        "conversations": [
            {
                "conversation_id": talk.conversation_id,
                "context": talk.context,
                "text_hash": talk.text_hash,
                "turns": talk.turns,
                "hint": (hints or {}).get(talk.conversation_id, ""),
                "marks": [mark._asdict() for mark in (marks or {}).get(talk.conversation_id, ())],
            }
            for talk in talks
        ],
    }
    data["packet"] = hashlib.sha256(orjson.dumps(data)).hexdigest()[:16]
    # No "<", so that no text can end the element or begin a comment in it.
    embedded = orjson.dumps(data).decode().replace("<", "\\u003c")
    script = _own("packet.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page: str = (
        page_environment()
        .from_string(_own("packet.html.j2"))
        .render(
            data=Markup(embedded),  # noqa: S704 - escaped above
            script=Markup(script),  # noqa: S704 - our own file
            script_hash=digest,
            style=Markup(_own("packet.css")),  # noqa: S704 - our own file
            purpose=purpose,
        )
    )
    return page


def read_packet(
    export: Mapping[str, Any], talks: Mapping[str, Talk], table: ScoreTable, where: str
) -> list[Reading]:
    """The readings of an export; one that its reader did not finish has marks that count, and no reader.

    ``where`` is the file, for messages.

    Raises:
        UserError: it names no reader, a conversation is not in the corpus or has another text, or a mark is
            wrong.
    """
    reader = reader_name(export.get("reviewed_by"))
    if not reader:
        raise UserError(f"{where}: names no reader; enter the name at the top of the packet and export again")
    found = []
    for number, one in enumerate(export["conversations"], 1):
        here = f"{where}, conversation {number}"
        talk = known_talk(one, talks, here)
        if strange := set(one) - _IN_EXPORTS:
            raise UserError(
                f"{here}: has {len(strange)} keys that no page writes, and that nothing reads; export it again"
            )
        marks = one.get("marks")
        if not isinstance(marks, list):
            raise UserError(f"{here}: has no list of marks; export it again")
        told = [_mark(mark, f"{here}, mark {i}") for i, mark in enumerate(marks, 1)]
        checked = check_marks(talk, told, table, here)
        finished = one.get("read") is True
        if finished or checked:
            seconds = one.get("seconds")
            time = float(seconds) if isinstance(seconds, (int, float)) else None
            found.append(Reading(talk.conversation_id, reader, checked, finished, time))
    return found


def known_talk(told: Any, talks: Mapping[str, Talk], where: str) -> Talk:
    """The conversation of the corpus that has the id and the text hash that a file names.

    Raises:
        UserError: there is none.
    """
    name = told.get("conversation_id") if isinstance(told, dict) else None
    talk = talks.get(name) if isinstance(name, str) else None
    if talk is None:
        raise UserError(f"{where}: is not in the corpus; does the file belong to another run?")
    if told.get("text_hash") != talk.text_hash:
        raise UserError(f"{where}: the corpus has another text; draw a new sample")
    return talk


def _mark(told: Any, where: str) -> tuple[Mark, str]:
    kinds = {"turn": int, "start": int, "end": int, "label": str, "on_label": bool, "text": str}
    if not isinstance(told, dict) or any(type(told.get(name)) is not kind for name, kind in kinds.items()):
        raise UserError(f"{where}: needs {', '.join(kinds)}; export it again")
    entity = told.get("entity")
    if entity is not None and type(entity) not in (str, int):
        raise UserError(f"{where}: 'entity' must be a string, a whole number or null")
    place = (told["turn"], told["start"], told["end"], told["label"])
    return Mark(*place, None if entity is None else str(entity), told["on_label"]), told["text"]


def _own(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")
