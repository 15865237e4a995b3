"""Whether written rows are what their shape says, by its JSON Schema (``row_schemas.yaml``)."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any

import fastjsonschema

from tacenda.transforms.shapes.shape import Record
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml


def invalid_rows(shape: str, fields: Mapping[str, str], rows: Sequence[Record]) -> list[int]:
    """The numbers of the rows that do not fit the schema of a shape.

    Args:
        shape: its name.
        fields: canonical names of fields to those in the rows, as in ``ReadOptions.fields``.
        rows: what is written.
    """
    invalid: list[int] = []
    for number, row in enumerate(rows) if has_schema(shape) else ():
        try:
            _compiled(shape, tuple(sorted(fields.items())))(row)
        except fastjsonschema.JsonSchemaValueException:
            invalid.append(number)
    return invalid


def has_schema(shape: str) -> bool:
    """Whether there is a schema of a shape; exports are described by a mapping instead."""
    return shape in _schemas()


@built_once
def _schemas() -> dict[str, Any]:
    file = files("tacenda.transforms.shapes").joinpath("row_schemas.yaml")
    schemas: dict[str, Any] = parse_yaml(file.read_text(encoding="utf-8"))
    del schemas["parts"]
    return schemas


def row_schema(shape: str, fields: Mapping[str, str]) -> dict[str, Any]:
    """The JSON Schema of a shape, with fields as they are named in its rows."""
    unshared = json.loads(json.dumps(_schemas()[shape]))
    own = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", **unshared}
    for canonical in sorted(fields, key=lambda name: -name.count(".")):
        outer, _, name = canonical.rpartition(".")
        schema = own["properties"].get(outer, {}).get("items", {}) if outer else own
        properties, required = schema.get("properties", {}), schema.get("required", [])
        if name in properties:
            properties[fields[canonical]] = properties.pop(name)
        required[:] = [fields[canonical] if one == name else one for one in required]
    return own


@lru_cache
def _compiled(shape: str, fields: tuple[tuple[str, str], ...]) -> Any:
    return fastjsonschema.compile(row_schema(shape, dict(fields)), use_default=False)
