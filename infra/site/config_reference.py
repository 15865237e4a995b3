"""The tables of settings on the site.

Our own sections come from the schema that the readers enforce, the other two are described in
``google_messages.yaml``.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from tacenda.pipelines.config.document import own_sections

GOOGLE = yaml.safe_load((Path(__file__).parent / "google_messages.yaml").read_text("utf-8"))
"""For each section with one of Google's messages: what it is, and path, value, default and description."""


def tables() -> str:
    """The settings as Markdown, one table per section."""
    text = []
    for name, (what, settings) in GOOGLE.items():
        rows = [_row(path, value, default, told) for path, (value, default, told) in settings.items()]
        text += _table(name, what, rows)
    for name, schema in own_sections().items():
        text += _table(name, schema["description"], [*_rows("", schema.get("items", schema))])
    return "\n".join(text)


def _table(name: str, what: str, rows: list[str]) -> list[str]:
    header = "| setting | value | default | what it does |\n|---|---|---|---|"
    return [f"### `{name}`", "", what, "", header, *rows, ""]


def _row(setting: str, value: str, default: str, told: str) -> str:
    default = f"`{default}`" if default.isupper() else default
    return f"| `{setting}` | {value} | {default} | {told} |"


def _rows(path: str, schema: Mapping[str, Any]) -> Iterator[str]:
    for name, inner in schema.get("properties", {}).items():
        default = f"`{inner['default']}`".replace("False", "false") if "default" in inner else ""
        yield f"| `{path}{name}` | {_kind(inner)} | {default} | {inner['description']} |"
        yield from _rows(f"{path}{name}.", inner)


def _kind(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    kinds = {
        "object": "mapping", "array": "list", "string": "text", "boolean": "`true` or `false`",
        "integer": "whole number", "number": "number",
    }  # fmt: skip
    words = {
        "minimum": "from {}", "exclusiveMinimum": "above {}", "maximum": "to {}", "exclusiveMaximum": "below {}"
    }  # fmt: skip
    bounds = (text.format(f"{schema[bound]:,}") for bound, text in words.items() if bound in schema)
    return " ".join([kinds[schema["type"]], *bounds])
