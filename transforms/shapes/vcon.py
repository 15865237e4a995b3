"""Shape 6: vCon, the IETF's container for conversation data (draft-ietf-vcon-vcon-core).

Only text dialogs are read. Other contents of a vCon (recordings, analysis, attachments, contact details of
the parties) are personal data that this job does not inspect; they are never written.
"""

import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from tacenda.transforms.schema.conversation import Annotation
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.shapes.arrow_fields import as_text, inside_list, select_fields
from tacenda.transforms.shapes.declared import check_texts, entries, identifier, relabelled_record
from tacenda.transforms.shapes.kept_cells import VisitValue
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.shape import Parsed, Record, RecordShape
from tacenda.transforms.shapes.turn_order import is_time

DIALOG_FIELDS = ("type", "start", "parties", "originator", "mediatype", "mimetype", "encoding")
"""Fields of a text dialog that are written besides its body; :func:`_check` rejects free text in them."""

ROLES = frozenset({"agent", "customer", "sme", "supervisor", "thirdparty"})
"""Roles defined by the draft; they are written unchanged for parties who do not speak."""

_MEDIA = re.compile(
    r"text/(?:plain|markdown|html|csv|xml|rtf|enriched|richtext|vtt|calendar)"
    r"(?:; *charset=\"?(?:utf-?(?:8|16|32)|us-ascii|ascii|iso-8859-\d{1,2}|windows-\d{3,4}|latin1)\"?)?",
    re.IGNORECASE | re.ASCII,
)
_VERSION = re.compile(r"[0-9](?:\.[0-9]{1,2}){1,2}")


class VconShape(RecordShape):
    """A vCon with text dialogs; the speaker of a dialog is its first party's name or, without one, role."""

    name = "vcon"
    declared = frozenset({"conversation_id"})
    entries_field = "dialog"

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        self._id = options.fields.get("conversation_id", "uuid")
        self._kept_in_dialog = options.kept("dialog")
        self._plain = frozenset({"vcon", self._id, *options.kept()})
        self._opened = options.opened() - {"vcon", self._id, "parties", "dialog"}
        self._opened_in_dialog = options.opened("dialog") - {"body", *DIALOG_FIELDS}

    def columns(self) -> list[str]:
        """Return the fields that are read."""
        return sorted({*self._plain, "parties", "dialog"})

    def parse(self, record: Record) -> Parsed:
        """Read one record."""
        parties = entries(record, "parties") if record.get("parties") is not None else []
        texts: list[Any] = []
        speakers, turns, dialogs = [], [], []
        for index, dialog in enumerate(entries(record, "dialog")):
            if not _is_text(dialog):
                continue
            _check(dialog, len(parties))
            texts.append(dialog.get("body"))
            speakers.append(_speaker(dialog, parties))
            turns.append(index)
            dialogs.append(self._without_body(dialog))
        check_texts(texts, self.options.max_turn_chars)
        version = record.get("vcon")
        if version is not None and not (type(version) is str and _VERSION.fullmatch(version)):
            raise RecordError("WrongType")
        frame = {key: record[key] for key in record if key in self._plain}
        speaking = {_party(dialog) for dialog in dialogs}
        frame["parties"] = [_nameless(party, index in speaking) for index, party in enumerate(parties)]
        frame["dialog"] = dialogs
        return Parsed(
            id=identifier(record, [self._id]),
            context="",
            annotation=Annotation.NONE,
            texts=texts,
            speakers=speakers,
            turns=turns,
            parts=[None] * len(texts),
            spans=[()] * len(texts),
            frame=frame,
        )

    def render(self, frame: Record, texts: Sequence[str], speakers: Sequence[str | None]) -> Record:
        """Write one record; a party's name or role is that of its first dialog, if it has one."""
        parties = [dict(party) for party in frame["parties"]]
        dialogs = []
        for dialog, text, speaker in zip(frame["dialog"], texts, speakers, strict=True):
            party = _party(dialog)
            if party is not None and speaker is not None:
                label = "role" if "role" in parties[party] else "name"
                if parties[party].get(label) is None:
                    parties[party][label] = speaker
            dialogs.append({**dialog, "body": text})
        return {**frame, "parties": parties, "dialog": dialogs}

    def written_fields(self) -> frozenset[str]:
        """Return the fields that are written."""
        in_dialog = {*DIALOG_FIELDS, "body", *self._kept_in_dialog}
        inner = {*(f"dialog.{name}" for name in in_dialog), "parties.name", "parties.role"}
        return self._plain.union(("parties", "dialog"), inner)

    @property
    def id_fields(self) -> tuple[str, ...]:
        """A vCon has one."""
        return (self._id,)

    def relabelled(self, frame: Record, conversation_id: str, context: str) -> Record:
        """Return a frame with another id; a vCon has no context."""
        return relabelled_record(frame, self.id_fields, "", conversation_id, context)

    def map_kept(self, frame: Record, visit: VisitValue) -> Record:
        """Visit the kept fields of a record, then those of its dialogs."""
        written = {
            key: visit(None, key, value) if key in self._opened else value for key, value in frame.items()
        }
        written["dialog"] = [
            {
                key: visit(i, key, value) if key in self._opened_in_dialog else value
                for key, value in dialog.items()
            }
            for i, dialog in enumerate(frame["dialog"])
        ]
        return written

    def _without_body(self, dialog: Record) -> Record:
        names = (*DIALOG_FIELDS, *self._kept_in_dialog)
        return {key: dialog[key] for key in dialog if key in names}

    def output_schema(self, source: pa.Schema) -> pa.Schema:
        """Return the schema of every Parquet part."""
        fields = []
        for field in select_fields(source, self.columns()):
            if field.name == "parties":
                fields.append(inside_list(field, _in_party, "name"))
            elif field.name == "dialog":
                fields.append(inside_list(field, self._in_dialog, "body"))
            else:
                fields.append(field)
        return pa.schema(fields)

    def _in_dialog(self, field: pa.Field) -> pa.Field | None:
        if field.name == "body":
            return as_text(field)
        if field.name in DIALOG_FIELDS or field.name in self._kept_in_dialog:
            return pa.field(field.name, field.type)
        return None


def _in_party(field: pa.Field) -> pa.Field | None:
    return as_text(field) if field.name in ("name", "role") else None


def _is_text(dialog: Record) -> bool:
    """Whether a dialog is text; dialogs that only refer to a recording are skipped.

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


def _nameless(party: Record, speaks: bool) -> Record:
    """Return a party without identifying data; the role is kept only if there is no name."""
    role = party.get("role")
    if not role or party.get("name"):
        return {}
    if speaks:
        return {"role": None}
    return {"role": role} if type(role) is str and role in ROLES else {}


def _check(dialog: Record, parties: int) -> None:
    """Check that the fields that are written unchanged have valid values.

    Raises:
        RecordError: ``WrongType``; ``UnknownParty`` if an index is out of range.
    """
    media = [dialog.get(name) for name in ("mediatype", "mimetype")]
    if (
        not is_time(dialog.get("start"))
        or not all(value in (None, "") or (type(value) is str and _MEDIA.fullmatch(value)) for value in media)
        or dialog.get("encoding") not in (None, "", "none")
    ):
        raise RecordError("WrongType")
    for name in ("parties", "originator"):
        _check_indexes(dialog.get(name), parties)


def _check_indexes(value: Any, parties: int, levels: int = 2) -> None:
    """Check that a value is the index of a party, or a list of indexes, possibly nested."""
    if type(value) is list and levels:
        for inner in value:
            _check_indexes(inner, parties, levels - 1)
    elif type(value) is int:
        if not 0 <= value < parties:
            raise RecordError("UnknownParty")
    elif value is not None:
        raise RecordError("WrongType")
