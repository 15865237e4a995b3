"""Explain a conversation's result: each span, each number and each point of its score, line by line."""

from collections.abc import Iterator, Mapping
from typing import Any

from tacenda.transforms.schema.residual import counted
from tacenda.transforms.text.characters import visible

Told = Mapping[str, Any]
"""An explanation as ``tacenda preview --why --json`` prints it, or a part of it."""


def lines(told: Told) -> Iterator[str]:
    """An explanation as lines for a terminal."""
    yield visible(" · ".join(filter(None, (told["id"], told["context"]))))
    yield ""
    yield "What was replaced" if told["entities"] else "Nothing was replaced"
    for entity in told["entities"]:
        value, count = _short(entity["value"]) or "(removed)", counted(len(entity["mentions"]), "mention")
        yield from ("", f"{value}  {entity['info_type']}, {count}")
        for mention in entity["mentions"]:
            yield from _mention(mention)
    yield ""
    if told["kept"]:
        yield "What stays readable by request"
        for one in told["kept"]:
            said = "{place}, {start}-{end}  ".format_map(one) + _quoted(one["text"])
            types = f"  {', '.join(one['info_types'])}" if one["info_types"] else ""
            yield f"  {said}{types}  by {'; '.join(map(visible, one['by']))}"
        yield ""
    yield "What is left: risk {score}, by {source}".format_map(told)
    for residual in told["residuals"]:
        tag, points = residual["tag"], residual["points"]
        said = residual["label"] + " partial" * residual["partial"] + " of a speaker" * residual["speaker"]
        worth = counted(points, "point") if points else f"no points{', counted with another' if tag else ''}"
        yield f"  {residual['place']}  {_quoted(residual['text'])}  {said}, {tag or 'not scored'}: {worth}"


def _mention(mention: Told) -> Iterator[str]:
    at = mention["start"], mention["end"]
    place = mention["place"] + _range(at)
    sure = f", {mention['likelihood']}" if mention["likelihood"] else ""
    yield f"  {place}  {_quoted(mention['text'])}  by {mention['detector']}{sure}"
    for sight in mention["sights"]:
        seen = sight["start"], sight["end"]
        by = f": {'; '.join(map(visible, sight['by']))}" if sight["by"] else ""
        where = "" if seen == at else _range(seen)
        yield "      {detector} saw {info_type}, {likelihood}".format_map(sight) + where + by
    yield f"      its number: {visible(mention['linked_by'])}"


def _range(at: tuple[int | None, int | None]) -> str:
    return "" if at[0] is None else f", {at[0]}-{at[1]}"


def _quoted(text: str) -> str:
    return f'"{_short(text)}"'


def _short(text: str) -> str:
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")
