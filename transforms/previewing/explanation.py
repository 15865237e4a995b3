"""Explain a conversation's result: each span, each number and each point of its score, line by line."""

from collections.abc import Iterator
from dataclasses import dataclass

from tacenda.transforms.text.characters import visible


@dataclass(frozen=True, slots=True)
class Sight:
    """What one detector found at a position; ``by`` has its patterns, lists and hotwords, if known."""

    detector: str
    info_type: str
    likelihood: str
    start: int
    end: int
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExplainedMention:
    """A position, its text, the detectors that found it, and the reason for its entity number.

    ``start`` and ``end`` are code points of the original, None for a speaker label.
    """

    place: str
    start: int | None
    end: int | None
    text: str
    likelihood: str
    detector: str
    sights: tuple[Sight, ...]
    linked_by: str


@dataclass(frozen=True, slots=True)
class ExplainedEntity:
    """All mentions with one number, in order; ``value`` replaces the first of them."""

    number: int
    info_type: str
    value: str
    mentions: tuple[ExplainedMention, ...]


@dataclass(frozen=True, slots=True)
class ExplainedKept:
    """Text that stays readable by request: the infoTypes that it was seen as, and what keeps it."""

    place: str
    start: int
    end: int
    text: str
    info_types: tuple[str, ...]
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExplainedResidual:
    """Data still readable: its tag in the score table, and the points that it adds.

    It adds none if its entity was counted before, it overlaps another, or its label is not scored.
    """

    place: str
    text: str
    label: str
    partial: bool
    speaker: bool
    tag: str | None
    points: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """``score`` is None if the remaining risk was not checked; ``source`` says who checked it."""

    id: str
    context: str
    entities: tuple[ExplainedEntity, ...]
    score: int | None
    source: str | None
    residuals: tuple[ExplainedResidual, ...]
    kept: tuple[ExplainedKept, ...] = ()


def lines(told: Explanation) -> Iterator[str]:
    """An explanation as lines for a terminal."""
    yield visible(" · ".join(filter(None, (told.id, told.context))))
    yield ""
    yield "What was replaced" if told.entities else "Nothing was replaced"
    for entity in told.entities:
        count = len(entity.mentions)
        yield ""
        yield f"{_short(entity.value) or '(removed)'}  {entity.info_type}, {count} mention{'s' * (count != 1)}"
        for mention in entity.mentions:
            yield from _mention(mention)
    yield ""
    if told.kept:
        yield "What stays readable by request"
        for one in told.kept:
            types = f"  {', '.join(one.info_types)}" if one.info_types else ""
            by = "; ".join(map(visible, one.by))
            yield f"  {one.place}, {one.start}-{one.end}  {_quoted(one.text)}{types}  by {by}"
        yield ""
    if told.score is None:
        yield "What is left: nobody looked"
        return
    yield f"What is left: risk {told.score}, by {told.source}"
    for residual in told.residuals:
        marks = " partial" * residual.partial + " of a speaker" * residual.speaker
        tag = f", {residual.tag}" if residual.tag else ", not scored"
        yield f"  {residual.place}  {_quoted(residual.text)}  {residual.label}{marks}{tag}: {_points(residual)}"


def _mention(mention: ExplainedMention) -> Iterator[str]:
    range_told = "" if mention.start is None else f", {mention.start}-{mention.end}"
    sure = f", {mention.likelihood}" if mention.likelihood else ""
    yield f"  {mention.place}{range_told}  {_quoted(mention.text)}  by {mention.detector}{sure}"
    for sight in mention.sights:
        place = (
            "" if (sight.start, sight.end) == (mention.start, mention.end) else f", {sight.start}-{sight.end}"
        )
        by = f": {'; '.join(map(visible, sight.by))}" if sight.by else ""
        yield f"      {sight.detector} saw {sight.info_type}, {sight.likelihood}{place}{by}"
    yield f"      its number: {visible(mention.linked_by)}"


def _points(residual: ExplainedResidual) -> str:
    if residual.points:
        return f"{residual.points} point{'s' * (residual.points != 1)}"
    return "no points, counted with another" if residual.tag else "no points"


def _quoted(text: str) -> str:
    return f'"{_short(text)}"'


def _short(text: str) -> str:
    return visible(text).replace("\n", "\\n").replace("\t", "\\t")
