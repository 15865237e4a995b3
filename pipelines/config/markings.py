"""Build the sources of marks for a run: lists of human decisions, and medical eponyms."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tacenda.transforms.detecting.correcting.eponyms import EponymMarking
from tacenda.transforms.detecting.correcting.lists import (
    Entry,
    ListMarking,
    matched_nothing,
    read_entries,
)
from tacenda.transforms.detecting.correcting.marks import Marking
from tacenda.transforms.replacing.settings import ListFile, ReplacementSettings
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import read_bytes

_MOST_LINES = 20
"""Lines of a list that a message names."""


def build_markings(settings: ReplacementSettings) -> list[Marking]:
    """Build the sources of marks that the settings request.

    Raises:
        UserError: a list was changed since the run was planned.
    """
    markings: list[Marking] = []
    if settings.lists:
        markings.append(ListMarking(*map(read_list, settings.lists)))
    if settings.eponyms:
        markings.append(EponymMarking())
    return markings


def lists_summary(settings: ReplacementSettings, matched: Mapping[str, int]) -> list[dict[str, Any]]:
    """What manifest and summary say of the lists of a run: which entries matched nothing, by their lines.

    Args:
        settings: of the run.
        matched: how many places each entry named (``Totals.listed``).
    """
    told = []
    for number, file in enumerate(settings.lists):
        nothing = matched_nothing(number, file.lines, matched)
        told.append({"file": redact_url(file.url), "entries": len(file.lines), "matched_nothing": nothing})
    return told


def in_vain(told: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """A line for each list with entries that matched nothing."""
    for one in told:
        if lines := one["matched_nothing"]:
            named = ", ".join(map(str, lines[:_MOST_LINES])) + ", …" * (len(lines) > _MOST_LINES)
            line = "line" if len(lines) == 1 else "lines"
            yield (
                f"{one['file'].rsplit('/', 1)[-1]}: {len(lines):,} of {one['entries']:,} entries matched "
                f"nothing: {line} {named}"
            )


def read_list(file: ListFile) -> list[Entry]:
    """Read the entries of a list.

    Raises:
        UserError: it has an invalid entry, or not the expected hash.
    """
    name = redact_url(file.url).rsplit("/", 1)[-1]
    data = read_bytes(file.url)
    if hashlib.sha256(data).hexdigest() != file.sha256:
        raise UserError(f"{name}: was changed since the run was planned; start a new run")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{name}: not UTF-8; save it as UTF-8 text") from None
    return read_entries(text, name)
