"""Shape 6: vCon, the IETF's container for conversation data (draft-ietf-vcon-vcon-core).

Text dialogs are turns. The subject, the texts of analysis and attachments, and the addresses of parties are
searched, too; names of parties are speakers. Fields on how to read a content (types, times, indexes, media
types, signatures, references to recordings) are checked and written unchanged. Other fields are dropped.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from tacenda.transforms.schema.conversation import OUTSIDE_TURNS
from tacenda.transforms.shapes.content import file_names
from tacenda.transforms.shapes.declared import entries, refuse
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.paths import Kind, Place, walk
from tacenda.transforms.shapes.shape import Record, Shape, Sink
from tacenda.transforms.shapes.turn_order import is_time

ROLES = frozenset({"agent", "customer", "sme", "supervisor", "thirdparty"})  # of the draft
_ADDRESSES = ("tel", "mailto", "sip", "did")  # searched; without findings dropped

_LISTS = ("dialog", "analysis", "attachments")

_WORD = re.compile(r"(?!.*\d{5})[A-Za-z][A-Za-z0-9_.+-]{0,39}")
_MEDIA = re.compile(
    r"(?:text|audio|video|image|message|multipart|application)/(?!.*\d{5})[a-z][a-z0-9.+-]{0,60}"
    r"(?:; *charset=\"?(?:utf-?(?:8|16|32)|us-ascii|ascii|iso-8859-\d{1,2}|windows-\d{3,4}|latin1)\"?)?",
    re.IGNORECASE | re.ASCII,
)
_DIGEST = re.compile(r"[A-Za-z0-9_=:.-]{16,1400}")
_CHECKED: Mapping[str, re.Pattern[str]] = {  # fields that are written as they are, with what they may be
    "vcon": re.compile(r"[0-9](?:\.[0-9]{1,2}){1,2}"),
    "encoding": re.compile("none|json|base64url"),
    **dict.fromkeys(("mediatype", "mimetype"), _MEDIA),
    **dict.fromkeys(("signature", "content_hash"), _DIGEST),
    **dict.fromkeys(("type", "purpose", "alg", "vendor", "product", "schema"), _WORD),
    **dict.fromkeys(("vendor_product", "vendor_schema"), _WORD),
    **dict.fromkeys(("url", "filename"), re.compile("(?s).*")),
}

_INDEXES = {"parties": "parties", "originator": "parties", "party": "parties", "dialog": "dialog"}
"""Fields that hold indexes, and of which list."""

_OF_TEXT = (Kind.TEXT, Kind.ADDRESS, Kind.SPEAKER, Kind.CHECKED)
_LABELS = ("type", "purpose", "filename")

_OF_CONTENT = {  # the fields of a dialog, an analysis or an attachment
    "body": Kind.TEXT,
    **{name: Kind.CHECKED for name in _CHECKED if name != "vcon"},
    **dict.fromkeys(("start", "duration"), Kind.TIME),
    **dict.fromkeys(_INDEXES, Kind.INDEX),
}


class VconShape(Shape):
    """A vCon; the speaker of a dialog is its first party's name or, without one, role."""

    name = "vcon"
    needed: ClassVar = {"vcon": None, "dialog": list}
    declared = frozenset({"conversation_id"})
    entries_field = "dialog"
    id_names = ("uuid",)
    table: ClassVar = {
        "vcon": Kind.CHECKED,
        "subject": Kind.TEXT,
        **dict.fromkeys(("created_at", "updated_at"), Kind.TIME),
        **dict.fromkeys(("parties[].name", "parties[].role"), Kind.SPEAKER),
        **{f"parties[].{name}": Kind.ADDRESS for name in _ADDRESSES},
        **{f"{outer}[].{name}": kind for outer in _LISTS for name, kind in _OF_CONTENT.items()},
        # As early versions spell it.
        **{f"{outer}[].transcript": Kind.TEXT for outer in _LISTS[1:]},
    }

    def __init__(self, options: ReadOptions) -> None:
        super().__init__(options)
        self.tree.within.pop(self._context)
        self._context = ""

    def rewrite(self, record: Record, to: Sink) -> Record:
        dialogs = entries(record, "dialog")
        parties = entries(record, "parties") if record.get("parties") is not None else []
        sizes = {"parties": len(parties), "dialog": len(dialogs)}
        speakers = {turn: _speaker(one, parties) for turn, one in enumerate(dialogs) if _is_text(one)}

        def leaf(kind: Kind, place: Place, value: Any) -> Any:
            path, key = ".".join(map(str, place)), str(place[-1])
            if kind is Kind.INDEX:
                _check_indexes(value, sizes[_INDEXES[key]])
            elif kind is Kind.TIME:
                refuse(not is_time(value), "WrongType")
            elif kind is Kind.TEXT and place[0] == "dialog":
                turn = int(place[1])
                return to.text(turn, speakers[turn], "", value) if turn in speakers else value
            elif kind in _OF_TEXT and value not in (None, ""):
                in_content = kind is Kind.TEXT and len(place) > 1
                refuse(type(value) is not str, "UnsupportedContent" if in_content else "WrongType")
                if in_content:
                    content = record[place[0]][place[1]]  # type: ignore[index]
                    refuse(content.get("encoding") == "base64url", "UnsupportedContent")
                if kind is Kind.SPEAKER:
                    # Who has a name or a role that may be one is the speaker of a cell without text.
                    is_role = key == "role" and value in ROLES
                    return value if is_role else to.add(OUTSIDE_TURNS, value, path, "")[1]
                if kind is not Kind.CHECKED:
                    return to.text(OUTSIDE_TURNS, None, path, value)
                refuse(not _CHECKED[key].fullmatch(value), "WrongType")
                labels = file_names(value) if key == "url" else (value,) if key in _LABELS else ()
                for label in labels:
                    to.note(Kind.LABEL, label)
            return value

        refuse(any(dialogs[turn].get("body") is None for turn in speakers), "NullText")
        return walk(record, self.tree, leaf)  # type: ignore[no-any-return]

    def finished(self, record: Record, frame: Record) -> list[Record]:
        for party, before in zip(record.get("parties") or (), frame.get("parties") or (), strict=True):
            for field in _ADDRESSES:
                if party.get(field) and party[field] == before[field]:
                    del party[field]
        return [record]


def _is_text(dialog: Record) -> bool:
    """Whether a dialog is text; others refer to a recording, or hold nothing."""
    media = dialog.get("mediatype") or dialog.get("mimetype") or "text/plain"
    encoding = dialog.get("encoding") or "none"
    if dialog.get("type") == "text" and str(media).startswith("text/") and encoding == "none":
        return True
    refuse(dialog.get("body") not in (None, ""), "UnsupportedContent")
    return False


def _speaker(dialog: Record, parties: Sequence[Record]) -> str | None:
    """The name or role of the speaking party: the originator, or the first of the parties."""
    for index in (dialog.get("originator"), dialog.get("parties")):
        while type(index) is list and index:
            index = index[0]
        if type(index) is int and 0 <= index < len(parties):
            speaker = parties[index].get("name") or parties[index].get("role")
            refuse(speaker is not None and type(speaker) is not str, "WrongType")
            return None if speaker is None else str(speaker)
    return None


def _check_indexes(value: Any, entries: int, levels: int = 2) -> None:
    """Check that a value is the index of an entry of a list, or a list of indexes, possibly nested."""
    if type(value) is list and levels:
        for inner in value:
            _check_indexes(inner, entries, levels - 1)
    elif type(value) is int:
        refuse(not 0 <= value < entries, "UnknownParty")
    else:
        refuse(value is not None, "WrongType")
