"""Build what marks places of a run: lists of what people decided, and medical names that are nobody's."""

import hashlib

from tacenda.transforms.detecting.correcting.eponyms import EponymMarking
from tacenda.transforms.detecting.correcting.lists import Entry, ListMarking, read_entries
from tacenda.transforms.detecting.correcting.marks import Marking
from tacenda.transforms.replacing.settings import ListFile, ReplacementSettings
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import read_bytes


def build_markings(settings: ReplacementSettings) -> list[Marking]:
    """What marks places, as settings ask for it.

    Raises:
        UserError: a list is not what it was when the run was planned.
    """
    markings: list[Marking] = []
    entries = [entry for file in settings.lists for entry in read_list(file)]
    if entries:
        markings.append(ListMarking(entries))
    if settings.eponyms:
        markings.append(EponymMarking())
    return markings


def read_list(file: ListFile) -> list[Entry]:
    """The entries of a list.

    Raises:
        UserError: it holds what is none, or other bytes than it is known by.
    """
    name = redact_url(file.url).rsplit("/", 1)[-1]
    data = read_bytes(file.url)
    if hashlib.sha256(data).hexdigest() != file.sha256:
        raise UserError(f"{name}: is another list than when the run was planned; start it anew")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{name}: not UTF-8; save it as UTF-8 text") from None
    return read_entries(text, name)
