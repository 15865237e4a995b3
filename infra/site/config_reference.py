"""The config reference: the JSON Schema and the tables of settings.

    python infra/site/config_reference.py

regenerates ``docs/config.schema.json``; a test compares it, and the site has the tables. Our own sections come
from the schema that the readers enforce, the other two from the Google message types that they are parsed with,
without what we reject.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from google.cloud import dlp_v2

from tacenda.pipelines.config.document import own_sections
from tacenda.transforms.detecting.settings import Matching

ROOT = Path(__file__).parents[2]
SCHEMA = ROOT / "docs" / "config.schema.json"

GOOGLE = yaml.safe_load((Path(__file__).parent / "google_messages.yaml").read_text("utf-8"))
"""For Google's messages: rejected fields, and descriptions of the fields of interest."""

_SCALARS = {
    "STRING": "string", "BOOL": "boolean", "DOUBLE": "number", "FLOAT": "number",
    "INT32": "integer", "INT64": "integer", "UINT32": "integer", "UINT64": "integer",
}  # fmt: skip


def json_schema() -> dict[str, Any]:
    """The JSON Schema of a config."""
    definitions: dict[str, Any] = {}
    of_google = {
        "inspect": ("What to look for: an", dlp_v2.InspectConfig),
        "deidentify": ("What replaces it: a", dlp_v2.DeidentifyConfig),
    }
    sections: dict[str, Any] = {}
    for name, (what, kind) in of_google.items():
        told = f"{what} {kind.__name__} of Google Sensitive Data Protection."
        sections[name] = {"description": told, **_reference(kind.pb().DESCRIPTOR, definitions)}
    sections |= {name: _for_editors(schema) for name, schema in own_sections().items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A config of Tacenda",
        "type": "object",
        "additionalProperties": False,
        "properties": sections,
        "$defs": definitions,
    }


def _reference(message: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if message.name not in definitions:
        definitions[message.name] = {}  # messages may contain themselves
        definitions[message.name] = _of_message(message, definitions)
    return {"$ref": f"#/$defs/{message.name}"}


def _of_message(message: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if message.full_name.startswith("google.protobuf."):
        return {}
    refused, told = (GOOGLE[part].get(message.name, {}) for part in ("refused", "fields"))
    properties = {}
    for field in message.fields:
        if field.name in refused:
            continue
        schema = _of_field(field, definitions)
        if field.default_value == []:  # a repeated field has [] in every version of protobuf
            schema = {"type": "array", "items": schema}
        if field.name in told:
            schema = {"description": told[field.name], **schema}
        for name in dict.fromkeys((field.name, field.json_name)):
            properties[name] = schema
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _of_field(field: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    if field.message_type is not None:
        return _reference(field.message_type, definitions)
    if field.enum_type is not None:
        known = {matching.value for matching in Matching} if field.enum_type.name == "MatchingType" else None
        names = [one.name for one in field.enum_type.values if one.number]
        return {"enum": [name for name in names if known is None or name in known]}
    types = {getattr(type(field), f"CPPTYPE_{name}"): kind for name, kind in _SCALARS.items()}
    return {"type": types[field.cpp_type]}


def _for_editors(schema: Mapping[str, Any], nullable: bool = False) -> dict[str, Any]:
    """Adapt one of our schemas for editors: keys may be null, and unknown keys are errors."""
    made = dict(schema)
    if "properties" in made:
        made["properties"] = {k: _for_editors(v, nullable=True) for k, v in made["properties"].items()}
        made["additionalProperties"] = False
    if "items" in made:
        made["items"] = _for_editors(made["items"])
    if nullable and "enum" in made:
        made["enum"] = [*made["enum"], None]
    elif nullable and "type" in made:
        made["type"] = [made["type"], "null"]
    return made


def tables() -> str:
    """The settings as Markdown, one table per section."""
    text = []
    for name, schema in json_schema()["properties"].items():
        header = "| setting | value | default | what it does |\n|---|---|---|---|"
        text += [f"### `{name}`", "", schema["description"], "", header]
        if "$ref" in schema:
            for setting, told in GOOGLE["shown"][schema["$ref"].rpartition("/")[2]].items():
                default = f"`{told[1]}`" if told[1].isupper() else told[1]
                text.append(f"| `{setting}` | {told[0]} | {default} | {told[2]} |")
        else:
            text += _rows("", own_sections()[name].get("items", own_sections()[name]))
        text.append("")
    return "\n".join(text)


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


if __name__ == "__main__":
    SCHEMA.write_text(json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n", "utf-8")
