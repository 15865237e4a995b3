"""Label rules: what an infoType, gold label or user's label means in terms of the score table."""

from collections.abc import Container, Mapping
from typing import Any

from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.scoring.tag import Tag, Unscored, parse_tag
from tacenda.transforms.storage.yaml_text import parse_yaml

Meaning = Tag | Unscored

_UNSCORED = "unscored"
_RULE_KEYS = (
    {"scores_as", "provenance", "reason", "labels"},
    {"unscored", "provenance", "reason", "labels"},
)


def read_labels(text: str, where: str, tags: Container[str]) -> dict[str, Meaning]:
    """Parse the YAML list of rules; ``tags`` are those that exist, ``where`` names the file in the errors."""
    meanings: dict[str, Meaning] = {}
    for number, rule in enumerate(parse_yaml(text), start=1):
        here = f"{where} rule {number}"
        _check(rule, here)
        for label in rule["labels"]:
            if label in meanings or label in tags:
                raise UserError(f"{here}: {label!r} already has a meaning; remove it from one place")
            if "unscored" in rule:
                meanings[label] = Unscored(label, rule["reason"])
            else:
                meanings[label] = _tag(rule["scores_as"], tags, here)
    return meanings


def add_labels(meanings: dict[str, Meaning], labels: Mapping[str, str], tags: Container[str]) -> None:
    """Add the user's own labels in place; a shipped label may change its meaning, a tag of the table not."""
    for label, target in labels.items():
        where = f"risk labels, {label!r}"
        if label in tags:
            raise UserError(f"{where}: a tag of the score table keeps its meaning; change its score instead")
        if target == _UNSCORED:
            meanings[label] = Unscored(label, "The user's choice.")
        else:
            meanings[label] = _tag(target, tags, where)


def _tag(target: Any, tags: Container[str], where: str) -> Tag:
    try:
        tag = parse_tag(target) if isinstance(target, str) else Tag("")
    except RecordError:
        tag = Tag("")
    if tag.name not in tags or (tag.speaker and f"{tag.name}_SPEAKER" not in tags):
        raise UserError(f"{where}: {target!r} is no tag of the score table; write one, or {_UNSCORED}")
    return tag


def _check(rule: Any, where: str) -> None:
    if not isinstance(rule, dict) or set(rule) not in _RULE_KEYS or rule.get("unscored", True) is not True:
        raise UserError(f"{where}: a rule has labels, provenance, reason, and scores_as or unscored: true")
    if rule["provenance"] not in ("paper", "local"):
        raise UserError(f"{where}: provenance must be paper or local")
    if not isinstance(rule["reason"], str) or not rule["reason"]:
        raise UserError(f"{where}: the reason must be told, in a quoted sentence")
    if not isinstance(rule["labels"], list) or not all(isinstance(label, str) for label in rule["labels"]):
        raise UserError(f"{where}: labels must be a list of strings; quote them")
