"""Introductions: the words beside a name by which people say who they are, or address each other."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import NamedTuple

from tacenda.transforms.linking.mention import Mention
from tacenda.transforms.linking.names import Name
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

REACH = 32
"""Characters before and behind a name that are looked at."""


class Person(NamedTuple):
    """A mention of somebody, of which cluster, by which name."""

    mention: Mention
    cluster: int
    name: Name


class Cues(NamedTuple):
    """The words of ``introductions.yaml``; those that stand before a name end where it begins.

    ``half``: *last name is* and *first name is*; ``half_asked``: the same at the end of a question.
    ``introducing`` and ``introduced`` stand before and behind the name of whoever speaks, ``addressing`` before
    that of somebody on the line.
    """

    half: re.Pattern[str]
    half_asked: re.Pattern[str]
    introducing: re.Pattern[str]
    introduced: re.Pattern[str]
    addressing: re.Pattern[str]


def introduces(mention: Mention, texts: Sequence[str]) -> bool:
    """Whether who speaks says that this is her name, in a text of ``texts``; no label does."""
    if mention.finding is None:
        return False
    text, end = texts[mention.cell], mention.finding.end
    return _follows(mention, texts, cues().introducing) or cues().introduced.match(text, end) is not None


def addresses(mention: Mention, texts: Sequence[str]) -> bool:
    """Whether somebody is addressed, or asked for, by a mention."""
    return _follows(mention, texts, cues().addressing)


def _follows(mention: Mention, texts: Sequence[str], before: re.Pattern[str]) -> bool:
    if mention.finding is None:
        return False
    start = mention.finding.start
    return before.search(texts[mention.cell][max(0, start - REACH) : start]) is not None


@built_once
def cues() -> Cues:
    """The patterns, compiled once a process."""
    text = files("tacenda.transforms.linking").joinpath("introductions.yaml").read_text(encoding="utf-8")
    data: Mapping[str, Sequence[str]] = parse_yaml(text)

    def one_of(*lists: str) -> str:
        words = sorted((word for name in lists for word in data[name]), key=len, reverse=True)
        return f"(?<!\\w)(?:{'|'.join(map(re.escape, words))})"

    half, between = one_of("family", "given"), f"(?:[\\s,:]+{one_of('between')}(?!\\w)|'s)?"
    title = r"(?:m[rs]s?\.?\s|mx\.?\s|dr\.?\s)?"
    patterns = (
        rf"{half}{between}[\s,:;]*$",
        rf"{half}\W*(?:please\W*)?$",
        rf"{one_of('introducing')}[\s,]+{title}$",
        rf"[\s,]+{one_of('introduced')}(?!\w)",
        rf"{one_of('addressing')}[\s,]+{title}$",
    )
    return Cues(*(re.compile(pattern, re.IGNORECASE) for pattern in patterns))
