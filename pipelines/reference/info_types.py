"""The built-in infoTypes with their scores, and a config as a template for the cloud."""

import difflib
import json
import textwrap
from argparse import Namespace
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from tacenda.models.cloud_dlp.config import cloud_info_types
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import TERMINAL, answer
from tacenda.pipelines.config.document import ConfigDocument, load_config
from tacenda.pipelines.config.sections import refuse_unsupported, risk_settings, score_table
from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.scoring.score_table import ScoreTable, Unscored
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.storage.publishing import publish_bytes

_COLUMNS = {"name": "name", "score": "score", "default": "default", "in_cloud": "cloud", "regions": "regions"}
"""Columns of the table, with their headings."""

_DETAILS = ("description", "score", "regions", "default", "in_cloud", "example", "source")
_WIDTH = 80


def list_info_types(arguments: Namespace) -> int:
    """Print infoTypes, or export the config, as the arguments say; returns the exit code.

    Raises:
        UserError: the config is invalid, or no infoType has a given name.
    """
    document = load_config(arguments.config)
    refuse_unsupported(document)
    if arguments.export_inspect_template is not None:
        _write(_json(inspect_template(document)), arguments.export_inspect_template)
        return ExitCode.DONE
    table = score_table(risk_settings(document, arguments.risk_preset))
    rows = list(described(table))
    if arguments.names:
        known = {row["name"]: row for row in rows}
        rows = [known[_known(name, known)] for name in arguments.names]
    if arguments.json:
        _write(_json(rows), TERMINAL)
    else:
        _write("\n".join(map(_detailed, rows)) if arguments.names else _aligned(rows), TERMINAL)
    return ExitCode.DONE


def _known(name: str, known: Collection[str]) -> str:
    if name in known:
        return name
    word = name.upper()
    # Names that have it as a word of their own come first: PERSON_NAME for "person", not PERSONAL_ID.
    containing = sorted((other for other in known if word in other), key=lambda o: word not in o.split("_"))
    near = containing or difflib.get_close_matches(word, known)
    hint = f"did you mean {' or '.join(near[:3])}?" if near else "'tacenda config infotypes' lists all"
    raise UserError(f"no infoType {name} is built in; {hint}")


def described(table: ScoreTable) -> Iterator[dict[str, Any]]:
    """Every built-in infoType by name; ``score`` is None for infoTypes that are unscored by decision."""
    for name, info_type in catalogue().items():
        yield {
            "name": name,
            "description": info_type.description,
            "regions": list(info_type.regions),
            "default": info_type.default,
            "in_cloud": name in cloud_info_types(),
            "example": info_type.find[0][1] if info_type.find else None,
            "score": _score(table, name),
            "source": info_type.source,
        }


def inspect_template(document: ConfigDocument) -> dict[str, Any]:
    """The effective config as an InspectTemplate, validated by the cloud's own types, as JSON data."""
    from google.cloud import dlp_v2
    from google.protobuf import json_format

    from tacenda.pipelines.chain.detectors import read_for_cloud

    _, _, config = read_for_cloud(document)
    template = {
        "displayName": "tacenda",
        "description": "The infoTypes, dictionaries and rules of tacenda",
        "inspectConfig": config,
    }
    written: dict[str, Any] = json_format.MessageToDict(
        json_format.ParseDict(template, dlp_v2.InspectTemplate.pb()())
    )
    return written


def _score(table: ScoreTable, name: str) -> int | None:
    try:
        tag = table.resolve(name)
    except RecordError:
        return None
    return None if isinstance(tag, Unscored) else table.score(tag)


def _aligned(rows: Sequence[dict[str, Any]]) -> str:
    lines = [tuple(_COLUMNS.values()), *(tuple(_cell(row[column]) for column in _COLUMNS) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    padded = (
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in lines
    )
    return "".join(line.rstrip() + "\n" for line in padded)


def _detailed(row: dict[str, Any]) -> str:
    lines = [row["name"]]
    for key in _DETAILS:
        text = f"{_COLUMNS.get(key, key):<13}{_cell(row[key])}"
        lines += textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent=" " * 15)
    return "\n".join(lines) + "\n"


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ",".join(value)
    return "-" if value is None else " ".join(str(value).split())


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _write(text: str, url: str) -> None:
    if url == TERMINAL:
        answer(text)
        return
    publish_bytes(absolute(url), text.encode())
