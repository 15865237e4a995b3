"""Arguments of calls keep their type: what replaces a number is a number, and fits the schema of its tool.

A token is no integer, and no telephone number by a pattern. Where the value of a mention does not fit, its
entity is given a stand-in: digits that say nothing but which entity it is (``10000002`` for the second). They
take the place of all its mentions that are written alike, so that what is said and what is called agree.
Nothing of a stand-in is drawn from the original but its form.
"""

import re
from collections.abc import Callable, Mapping
from math import ceil, floor
from typing import Any

import re2

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Values, changed_values, replace_text

Schema = Mapping[str, Any]

_NUMERIC = frozenset({"integer", "number"})
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_SIGN = re.compile(r"[\W_]+")
_TRIES = 50

_FORMS: Mapping[str, tuple[str, str]] = {
    "date": (r"\d{4}-\d\d-\d\d", "1970-01-{0:02d}"),
    "date-time": (r"\d{4}-\d\d-\d\d[Tt ].*", "1970-01-{0:02d}T00:00:00Z"),
    "email": (r"[^@\s]+@[^@\s]+", "person{0}@example.com"),
    "hostname": (r"[A-Za-z0-9.-]+", "host{0}.example.com"),
    "idn-email": (r"[^@\s]+@[^@\s]+", "person{0}@example.com"),
    "ipv4": (r"\d{1,3}(?:\.\d{1,3}){3}", "192.0.2.{0}"),
    "ipv6": (r"[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*", "2001:db8::{0:x}"),
    "uri": (r"[A-Za-z][A-Za-z0-9+.-]*:[^\s\[\]]*", "https://example.com/{0}"),
    "uuid": (r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", "00000000-0000-4000-8000-{0:012x}"),
}
"""Formats of JSON Schema: their form, and a stand-in of those values that are reserved for examples."""

_Limit = tuple[tuple[type, ...], Callable[[Any, Any], bool]]
"""The types that a limit may have, others limit nothing; and whether a value keeps within it."""

_OF_NUMBERS: Mapping[str, _Limit] = {
    "minimum": ((int, float), lambda number, limit: limit <= number),
    "maximum": ((int, float), lambda number, limit: number <= limit),
    "exclusiveMinimum": ((int, float), lambda number, limit: type(limit) is bool or limit < number),
    "exclusiveMaximum": ((int, float), lambda number, limit: type(limit) is bool or number < limit),
    "multipleOf": ((int, float), lambda number, limit: number % limit == 0),
}
_OF_TEXTS: Mapping[str, _Limit] = {
    "minLength": ((int,), lambda text, limit: limit <= len(text)),
    "maxLength": ((int,), lambda text, limit: len(text) <= limit),
    "format": ((str,), lambda text, form: form not in _FORMS or bool(re.fullmatch(_FORMS[form][0], text))),
    "pattern": ((str,), lambda text, pattern: bool(re2.search(pattern, text))),
}
_LIMITS = {**_OF_NUMBERS, **_OF_TEXTS}


def with_typed_values(
    conversation: LinkedConversation, values: Values, schemas: Mapping[int, Schema]
) -> Values:
    """Values that fit the schemas of the cells that have one.

    Args:
        conversation: what is replaced.
        values: the values that its replacer chose.
        schemas: the JSON Schema of cells that are values of arguments, by index.
    """
    stand_ins: dict[tuple[int, str], str] = {}
    owners: dict[str, int] = {}
    originals = {
        text[f.start : f.end]
        for text, found in zip(conversation.texts, conversation.findings, strict=True)
        for f in found
    }
    for cell, asked in schemas.items():
        schema = {
            key: limit
            for key, limit in asked.items()
            if key not in _LIMITS or isinstance(limit, _LIMITS[key][0])
        }
        text, found = conversation.texts[cell], conversation.findings[cell]
        if not found or _fits(replace_text(text, found, values.findings[cell]), schema):
            continue
        said = [text[f.start : f.end] for f in found]
        entities = conversation.entities[cell]
        chosen: list[str] = []
        for step in range(_TRIES):
            tried = [
                _stand_in(one, entity + step, text, schema)
                for one, entity in zip(said, entities, strict=True)
            ]
            if originals.isdisjoint(tried) and _fits(replace_text(text, found, tried), schema):
                # Two entities share a stand-in only where its form has no room for another.
                if all(
                    owners.get(one, entity) == entity for one, entity in zip(tried, entities, strict=True)
                ):
                    chosen = tried
                    break
                chosen = chosen or tried
        for one, entity, value in zip(said, entities, chosen, strict=False):  # empty if nothing fits
            stand_ins[entity, _plain(one)] = value
            owners.setdefault(value, entity)
    if not stand_ins:
        return values

    def placed(entity: int, _info_type: str, text: str, value: str) -> str:
        return stand_ins.get((entity, _plain(text)), value)

    return changed_values(conversation, values, placed)._replace(labels=values.labels)


def _plain(text: str) -> str:
    return _SIGN.sub("", text).casefold()


def _stand_in(said: str, number: int, whole: str, schema: Schema) -> str:
    """What stands for a mention: by the format of the schema, within its limits, or in the mention's form."""
    if said == whole:
        if (form := _FORMS.get(schema.get("format", ""))) is not None:
            return form[1].format(number)
        if _is_numeric(schema) and (least := _least(schema)) is not None:
            step = schema.get("multipleOf") or 1
            counted = str(ceil(max(least, _first(said)) / step) * step + number * step)
            if _fits(counted, schema):
                return counted
            return str(ceil(least / step) * step + number * step)
    digits = sum(map(str.isdigit, said))
    counted = f"{number:0{digits}d}"[-digits:] if digits else ""
    of_form = iter(counted if counted[:1] != "0" or digits < 2 else f"1{counted[1:]}")
    return "".join(
        next(of_form) if c.isdigit() else ("X" if c.isupper() else "x") if c.isalpha() else c for c in said
    )


def _first(said: str) -> int:
    """The first number with as many digits before its point."""
    digits = len(said.lstrip("-").partition(".")[0])
    return 10 ** (min(digits, 18) - 1) if digits > 1 else 1


def _least(schema: Schema) -> float | None:
    if (least := schema.get("minimum")) is not None:
        return float(least) if type(least) is float else least
    most = schema.get("maximum")
    return None if most is None else floor(most) - _TRIES


def _is_numeric(schema: Schema) -> bool:
    kinds = schema.get("type")
    return not _NUMERIC.isdisjoint([kinds] if type(kinds) is str else kinds if type(kinds) is list else ())


def _fits(text: str, schema: Schema) -> bool:
    """Whether a text is valid by the keywords that limit numbers and texts; others are nobody's data."""
    value: Any = text
    limits = _OF_TEXTS
    try:
        if _is_numeric(schema):
            if not _NUMBER.fullmatch(text) or (schema["type"] == "integer" and "." in text):
                return False
            value, limits = float(text) if "." in text else int(text), _OF_NUMBERS
        return all(within(value, schema[key]) for key, (_, within) in limits.items() if key in schema)
    except (TypeError, ValueError, ArithmeticError, re2.error):
        return True  # no valid schema says anything
