"""Label rules: the meaning of infoTypes, gold labels and users' labels in terms of the score table."""

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from typing import Any

from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.scoring.tag import MISSED, Tag, Unscored, parse_tag
from tacenda.transforms.storage.yaml_text import parse_yaml

Meaning = Tag | Unscored

_UNSCORED = "unscored"
_RULE_KEYS = (
    {"scores_as", "provenance", "reason", "labels"},
    {"unscored", "provenance", "reason", "labels"},
)


def read_labels(text: str, where: str, tags: Collection[str]) -> dict[str, Meaning]:
    """Parse the YAML list of rules; ``tags`` are the existing ones, ``where`` is the file in errors."""
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


def add_labels(meanings: dict[str, Meaning], labels: Mapping[str, str], tags: Collection[str]) -> None:
    """Add the user's labels in place; the meaning of a shipped label may change, that of a tag may not."""
    for label, target in labels.items():
        where = f"risk.labels.{label}"
        if label in tags:
            raise UserError(f"{where}: a tag of the score table keeps its meaning; change its score instead")
        if target == _UNSCORED:
            meanings[label] = Unscored(label, "The user's choice.")
        else:
            meanings[label] = _tag(target, tags, where)


def _tag(target: Any, tags: Collection[str], where: str) -> Tag:
    try:
        tag = parse_tag(target) if isinstance(target, str) else Tag("")
    except RecordError:
        tag = Tag("")
    if tag.name not in tags or (tag.speaker and f"{tag.name}_SPEAKER" not in tags):
        raise UserError(f"{where}: {no_tag(target, tags)}, or write {_UNSCORED}")
    return tag


def no_tag(name: Any, tags: Collection[str], labels: Mapping[str, Meaning] | None = None) -> str:
    """An error message that something is not a tag of the score table, with a suggestion."""
    told = f"{name!r} is no tag of the score table"
    if not isinstance(name, str):
        return f"{told}; write a tag or infoType of it"
    bare = name.removeprefix(MISSED)
    meaning = (labels or {}).get(bare)
    if isinstance(meaning, Tag):
        counts_as = meaning.spelling.removeprefix(MISSED)
        return f"{told}: it counts as {counts_as}; change that, or give it another tag under risk.labels"
    if isinstance(meaning, Unscored):
        return f"{told}: it adds nothing by decision; give it a tag under risk.labels"
    whole = bare.removesuffix("_PARTIAL")
    if whole != bare and whole in tags:
        return f"{told}: a partial score is half; change {whole}, or its partial_rounding"
    close = get_close_matches(bare, list(tags), 1)
    return f"{told}; perhaps {close[0]} is meant" if close else f"{told}; write a tag or infoType of it"


def printed_labels(text: str) -> frozenset[str]:
    """The labels that the paper prints for a tag, including the errors in its table."""
    rules = (rule for rule in parse_yaml(text) if rule["provenance"] == "paper" and "scores_as" in rule)
    return frozenset(
        label for rule in rules if not parse_tag(rule["scores_as"]).partial for label in rule["labels"]
    )


def _check(rule: Any, where: str) -> None:
    if not isinstance(rule, dict) or set(rule) not in _RULE_KEYS or rule.get("unscored", True) is not True:
        raise UserError(f"{where}: a rule has labels, provenance, reason, and scores_as or unscored: true")
    if rule["provenance"] not in ("paper", "local"):
        raise UserError(f"{where}: provenance must be paper or local")
    if not isinstance(rule["reason"], str) or not rule["reason"]:
        raise UserError(f"{where}: the reason must be told, in a quoted sentence")
    if not isinstance(rule["labels"], list) or not all(isinstance(label, str) for label in rule["labels"]):
        raise UserError(f"{where}: labels must be a list of strings; quote them")
