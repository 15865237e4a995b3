"""The schema of a config's own sections, and the check of a document against it."""

import math
import operator
import re
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

from tacenda.pipelines.config.document import ConfigDocument
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml


@built_once
def own_sections() -> Mapping[str, Any]:
    """The schemas of our own sections, by name.

    They are JSON Schema with two extra keywords: ``errorMessage`` for invalid values, and ``readBy`` for
    parts that the reader of another room validates.
    """
    sections: Mapping[str, Any] = parse_yaml(files(__package__).joinpath("schema.yaml").read_text("utf-8"))
    return sections


def check_section(document: ConfigDocument, name: str) -> None:
    """Validate a section; a key without a value counts as missing.

    Raises:
        UserError: the first unknown key or invalid value.
    """
    value = document.data.get(name)
    if value is not None:
        schema = own_sections()[name]
        _check(document, name, document.section(name) if schema["type"] == "object" else value, schema)


def _check(document: ConfigDocument, path: str, value: Any, schema: Mapping[str, Any]) -> None:
    if "readBy" in schema or "anyOf" in schema:
        return
    if not _fits(value, schema):
        told = schema.get("errorMessage") or f"must be a mapping with {', '.join(schema['properties'])}"
        raise document.error(path, told)
    if isinstance(value, dict):
        _check_keys(document, path, value, schema)
    elif isinstance(value, list) and not schema["items"].keys().isdisjoint({"properties", "errorMessage"}):
        for index, item in enumerate(value):
            _check(document, f"{path}[{index}]", item, schema["items"])


def _check_keys(
    document: ConfigDocument, path: str, value: dict[str, Any], schema: Mapping[str, Any]
) -> None:
    properties = schema.get("properties")
    if properties is not None:
        document.refuse_unknown(path, value, tuple(properties))
    for key, inner in value.items():
        if not isinstance(key, str):
            raise document.error(f"{path}.{key}", "the key is not a string; put it in quotes")
        if properties is None:
            _check(document, f"{path}.{key}", inner, schema["additionalProperties"])
        elif inner is not None:
            _check(document, f"{path}.{key}", inner, properties[key])


def _fits(value: Any, schema: Mapping[str, Any]) -> bool:
    if "enum" in schema:
        return value in schema["enum"]
    kind: type | tuple[type, ...] = _KINDS[schema["type"]]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return False
    if isinstance(value, str):
        return re.search(schema.get("pattern", ""), value) is not None
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return math.isfinite(value) and all(
            holds(value, schema[bound]) for bound, holds in _BOUNDS.items() if bound in schema
        )
    return True


_BOUNDS: Mapping[str, Callable[[float, float], bool]] = {
    "minimum": operator.ge,
    "maximum": operator.le,
    "exclusiveMinimum": operator.gt,
    "exclusiveMaximum": operator.lt,
}
_KINDS: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "integer": int,
    "number": (int, float),
}
