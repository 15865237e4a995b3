"""Shape 6: vCon, the IETF's container for conversation data (draft-ietf-vcon-vcon-core).

Text dialogs are turns. The subject, the texts of analysis and attachments, and the addresses of parties are
searched, too; names of parties are speakers. Fields on how to read a content (types, times, indexes, media
types, signatures, references to recordings) are checked and written unchanged. Other fields are dropped.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from tacenda.transforms.schema.conversation import OUTSIDE_TURNS
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.arrow_fields import as_text, inside_list, select_fields
from tacenda.transforms.shapes.content import file_names
from tacenda.transforms.shapes.declared import entries, identifier, relabelled_record
from tacenda.transforms.shapes.kept_cells import VisitValue, visited
from tacenda.transforms.shapes.options import ReadOptions, kept_fields, opened_fields
from tacenda.transforms.shapes.shape import Cells, Labels, Parsed, Record, RecordShape
from tacenda.transforms.shapes.turn_order import is_time

ADDRESSES = ("tel", "mailto", "sip", "did")
"""Fields of a party that are searched; values without findings are dropped."""

ROLES = frozenset({"agent", "customer", "sme", "supervisor", "thirdparty"})
"""Roles defined by the draft; they are written unchanged."""

BODIES = ("body", "transcript")
"""Fields that hold a content itself; the second is how early versions spell it in an analysis."""

_LISTS = ("dialog", "analysis", "attachments")

_MEDIA = re.compile(
    r"(?:text|audio|video|image|message|multipart|application)/(?!.*\d{5})[a-z][a-z0-9.+-]{0,60}"
    r"(?:; *charset=\"?(?:utf-?(?:8|16|32)|us-ascii|ascii|iso-8859-\d{1,2}|windows-\d{3,4}|latin1)\"?)?",
    re.IGNORECASE | re.ASCII,
)
_VERSION = re.compile(r"[0-9](?:\.[0-9]{1,2}){1,2}")
_WORD = re.compile(r"(?!.*\d{5})[A-Za-z][A-Za-z0-9_.+-]{0,39}")
_DIGEST = re.compile(r"[A-Za-z0-9_=:.-]{16,1400}")


def _matches(pattern: re.Pattern[str]) -> Callable[[Any], bool]:
    return lambda value: value in (None, "") or (type(value) is str and bool(pattern.fullmatch(value)))


def _is_reference(value: Any) -> bool:
    return value is None or type(value) is str


WRITTEN: Mapping[str, Callable[[Any], bool]] = {
    "type": _matches(_WORD),
    "purpose": _matches(_WORD),
    "start": is_time,
    "duration": is_time,
    "mediatype": _matches(_MEDIA),
    "mimetype": _matches(_MEDIA),
    "encoding": _matches(re.compile("none|json|base64url")),
    "alg": _matches(_WORD),
    "signature": _matches(_DIGEST),
    "content_hash": _matches(_DIGEST),
    "vendor": _matches(_WORD),
    "product": _matches(_WORD),
    "schema": _matches(_WORD),
    "vendor_product": _matches(_WORD),
    "vendor_schema": _matches(_WORD),
    "url": _is_reference,
    "filename": _is_reference,
}
"""Fields of a dialog, an analysis or an attachment that are written as they are, with their check."""

_INDEXES = {"parties": "parties", "originator": "parties", "party": "parties", "dialog": "dialog"}
"""Fields that hold indexes, and of which list."""

Visit = Callable[[int, str | None, str, str], tuple[str, str | None]]
"""Called with turn, speaker, path and text of a cell; returns the new text and speaker."""


class VconShape(RecordShape):
    """A vCon; the speaker of a dialog is its first party's name or, without one, role.

    Reading and writing share one walk over the record, as in a chat.
    """

    name = "vcon"
    declared = frozenset({"conversation_id"})
    entries_field = "dialog"

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        self._id = options.fields.get("conversation_id", "uuid")
        self._kept_in_dialog = kept_fields(options, "dialog")
        walked = {"vcon", self._id, "subject", "created_at", "updated_at", "parties", *_LISTS}
        self._plain = frozenset({*kept_fields(options)} - walked)
        self._walked = frozenset(walked)
        self._opened = opened_fields(options) - walked
        self._opened_in_dialog = opened_fields(options, "dialog") - {*BODIES, *WRITTEN, *_INDEXES}

    def columns(self) -> list[str]:
        return sorted(self._plain | self._walked)

    def parse(self, record: Record) -> Parsed:
        cells = Cells(self.options.max_turn_chars)

        def collect(turn: int, speaker: str | None, path: str, text: str) -> tuple[str, str | None]:
            return cells.add(turn, speaker, path, text), speaker

        entries(record, "dialog")
        return cells.parsed(self._walk(record, collect), identifier(record, [self._id]))

    def render(self, frame: Record, texts: Sequence[str], speakers: Sequence[str | None]) -> Record:
        cells = zip(texts, speakers, strict=True)
        written = self._walk(frame, lambda turn, speaker, path, text: next(cells))
        if next(cells, None) is not None:
            raise ValueError("more cells than the record has places for")
        old = frame.get("parties") or []
        for party, before in zip(written.get("parties") or [], old, strict=True):
            for field in ADDRESSES:
                if field in party and party[field] and party[field] == before[field]:
                    del party[field]
        return written

    def _walk(self, record: Record, visit: Visit) -> Record:
        """Return the fields that are written, with every text and name replaced by what ``visit`` returns."""
        parties = entries(record, "parties") if record.get("parties") is not None else []
        written: Record = {}
        for key, value in record.items():
            if key in self._plain or key == self._id:
                written[key] = value
            elif key == "vcon":
                written[key] = _checked(value, value is None or _matches(_VERSION)(value))
            elif key in ("created_at", "updated_at"):
                written[key] = _checked(value, is_time(value))
            elif key == "subject":
                written[key] = None if value is None else visit(OUTSIDE_TURNS, None, key, value)[0]
            elif key == "parties":
                written[key] = (
                    None
                    if value is None
                    else [_walk_party(party, f"parties.{i}", visit) for i, party in enumerate(parties)]
                )
            elif key in _LISTS and value is not None:
                contents = enumerate(entries(record, key))
                sizes = {"parties": len(parties), "dialog": len(record["dialog"])}
                if key == "dialog":
                    written[key] = [self._walk_dialog(one, i, parties, sizes, visit) for i, one in contents]
                else:
                    written[key] = [_walk_content(one, f"{key}.{i}", sizes, visit) for i, one in contents]
        return written

    def _walk_dialog(
        self, dialog: Record, turn: int, parties: Sequence[Record], sizes: Mapping[str, int], visit: Visit
    ) -> Record:
        spoken = _is_text(dialog)
        fields = {key: dialog[key] for key in dialog if key not in BODIES}
        written = _walk_content(fields, "dialog", sizes, visit)
        written |= {key: dialog[key] for key in dialog if key in self._kept_in_dialog and key not in BODIES}
        if spoken:
            written["body"] = visit(turn, _speaker(dialog, parties), "", dialog.get("body"))[0]  # type: ignore[arg-type]
        elif "body" in dialog:
            written["body"] = dialog["body"]
        return {key: written[key] for key in (*dialog, "body") if key in written}

    def labels_of(self, frame: Record) -> Labels:
        contents = [one for key in _LISTS for one in frame.get(key) or ()]
        words = [one[key] for one in contents for key in ("type", "purpose", "filename") if one.get(key)]
        return Labels([*words, *(name for one in contents for name in file_names(one.get("url")))])

    def written_fields(self) -> frozenset[str]:
        of_content = (*WRITTEN, *_INDEXES, *BODIES)
        inner = {f"{outer}.{name}" for outer in _LISTS for name in of_content}
        inner |= {f"dialog.{name}" for name in self._kept_in_dialog}
        return self._plain.union(
            self._walked, inner, (f"parties.{name}" for name in ("name", "role", *ADDRESSES))
        )

    @property
    def id_fields(self) -> tuple[str, ...]:
        return (self._id,)

    def relabelled(self, frame: Record, conversation_id: str, context: str) -> Record:
        return relabelled_record(frame, self.id_fields, "", conversation_id, context)

    def map_kept(self, frame: Record, visit: VisitValue) -> Record:
        dialogs = (visited(one, self._opened_in_dialog, visit, i) for i, one in enumerate(frame["dialog"]))
        return {**visited(frame, self._opened, visit), "dialog": list(dialogs)}

    def turns_of(self, frame: Record, turns: Sequence[int]) -> Sequence[int]:
        return range(len(frame["dialog"]))

    def output_schema(self, source: pa.Schema) -> pa.Schema:
        fields = []
        for field in select_fields(source, self.columns()):
            if field.name == "parties":
                fields.append(inside_list(field, _in_party, "name"))
            elif field.name in _LISTS:
                fields.append(inside_list(field, self._in_content, "body"))
            else:
                fields.append(as_text(field) if field.name == "subject" else field)
        return pa.schema(fields)

    def _in_content(self, field: pa.Field) -> pa.Field | None:
        if field.name in BODIES:
            return as_text(field)
        if field.name in WRITTEN or field.name in _INDEXES or field.name in self._kept_in_dialog:
            return pa.field(field.name, field.type)
        return None


def _in_party(field: pa.Field) -> pa.Field | None:
    return as_text(field) if field.name in ("name", "role", *ADDRESSES) else None


def _walk_party(party: Record, path: str, visit: Visit) -> Record:
    """The name of a party is the speaker of a cell without text; so is a role that may be a name."""
    written: Record = {}
    for key, value in party.items():
        if key in ("name", "role", *ADDRESSES):
            if value is not None and type(value) is not str:
                raise RecordError("WrongType")
            if not value or (key == "role" and value in ROLES):
                written[key] = value
            elif key in ADDRESSES:
                written[key] = visit(OUTSIDE_TURNS, None, f"{path}.{key}", value)[0]
            else:
                written[key] = visit(OUTSIDE_TURNS, value, f"{path}.{key}", "")[1]
    return written


def _walk_content(content: Record, path: str, sizes: Mapping[str, int], visit: Visit) -> Record:
    """An analysis or attachment, or the fields of a dialog beside its body.

    Raises:
        RecordError: ``WrongType``, ``UnknownParty`` or ``UnsupportedContent``.
    """
    written: Record = {}
    for key, value in content.items():
        if key in WRITTEN:
            written[key] = _checked(value, WRITTEN[key](value))
        elif key in _INDEXES:
            _check_indexes(value, sizes[_INDEXES[key]])
            written[key] = value
        elif key in BODIES:
            if value and content.get("encoding") == "base64url":
                raise RecordError("UnsupportedContent")
            if not (value is None or type(value) is str):
                raise RecordError("UnsupportedContent")
            written[key] = visit(OUTSIDE_TURNS, None, f"{path}.{key}", value)[0] if value else value
    return written


def _checked(value: Any, fits: bool) -> Any:
    if not fits:
        raise RecordError("WrongType")
    return value


def _is_text(dialog: Record) -> bool:
    """Whether a dialog is text; others refer to a recording, or hold nothing.

    Raises:
        RecordError: ``UnsupportedContent`` if the record itself contains something other than text.
    """
    body = dialog.get("body")
    kind = dialog.get("type")
    media = dialog.get("mediatype") or dialog.get("mimetype") or "text/plain"
    encoding = dialog.get("encoding") or "none"
    if kind == "text" and type(media) is str and media.startswith("text/") and encoding == "none":
        return True
    if body is not None and body != "":
        raise RecordError("UnsupportedContent")
    return False


def _party(dialog: Record) -> int | None:
    """Return the index of the speaking party: the originator, or the first of the parties."""
    for value in (dialog.get("originator"), dialog.get("parties")):
        while type(value) is list and value:
            value = value[0]
        if type(value) is int:
            return value
    return None


def _speaker(dialog: Record, parties: Sequence[Record]) -> str | None:
    index = _party(dialog)
    if index is None:
        return None
    party: Any = parties[index]
    speaker = party.get("name") or party.get("role")
    if speaker is not None and type(speaker) is not str:
        raise RecordError("WrongType")
    return speaker


def _check_indexes(value: Any, entries: int, levels: int = 2) -> None:
    """Check that a value is the index of an entry of a list, or a list of indexes, possibly nested."""
    if type(value) is list and levels:
        for inner in value:
            _check_indexes(inner, entries, levels - 1)
    elif type(value) is int:
        if not 0 <= value < entries:
            raise RecordError("UnknownParty")
    elif value is not None:
        raise RecordError("WrongType")
