"""The risk score of one conversation: its distinct residual entities, each counted once.

After Gardiner et al., CALD-pseudo 2024, section 4.2: the sum of the tags' scores, partial ones halved, and no
datum counted twice for standing there twice.
"""

import re
import unicodedata
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import jellyfish

from transforms.schema.conversation import AnnotatedSpan
from transforms.schema.residual import Residual
from transforms.scoring.score_table import ScoreTable
from transforms.scoring.tag import Tag, Unscored

_SPELLING_MARKS = re.compile(r"[\s.\-\u2010-\u2015]+")


class TagCount(NamedTuple):
    """How many entities of a conversation count under one tag, and what they add together."""

    tag: str
    partial: bool
    speaker: bool
    entities: int
    score: int


class ConversationRisk(NamedTuple):
    """``score`` is the sum over ``tags``, which are in the order of tag, speaker, partial.

    ``direct_identifier``: some direct identifier is wholly readable. ``unscored``: how many residual
    findings of each label that is known but adds nothing by policy.
    """

    score: int
    tags: tuple[TagCount, ...]
    direct_identifier: bool
    unscored: tuple[tuple[str, int], ...]


class _Form(NamedTuple):
    """One way in which an entity is readable; the greatest of an entity's forms counts."""

    score: int
    whole: bool
    speaker: bool


def score_conversation(
    residuals: Sequence[Residual], table: ScoreTable, variant_clustering: bool = False
) -> ConversationRisk:
    """Score the residual findings of one conversation, in any order.

    Two findings of one base tag are one entity if the annotator gave both the same entity id, or gave neither
    one and their values are equal up to case, spacing and compatibility forms. ``variant_clustering`` also
    joins values that differ in spelling marks only (M-A-R-K) and words that sound alike (Mark, Marc). A value
    that is empty joins nothing. Raises ``RecordError("UnknownTag")``.
    """
    forms: dict[tuple[str, Hashable], _Form] = {}
    direct = False
    unscored: dict[str, int] = {}
    for position, residual in enumerate(residuals):
        tag = table.resolve(residual.label, residual.partial, residual.speaker)
        if isinstance(tag, Unscored):
            unscored[tag.label] = unscored.get(tag.label, 0) + 1
            continue
        entity = (tag.name, _identity(residual, position, variant_clustering))
        form = _Form(table.score(tag), not tag.partial, tag.speaker)
        known = forms.get(entity)
        if known is None or form > known:
            forms[entity] = form
        direct = direct or (form.whole and table.row(tag).direct)
    counts: dict[Tag, int] = {}
    for (name, _), form in forms.items():
        tag = Tag(name, not form.whole, form.speaker)
        counts[tag] = counts.get(tag, 0) + 1
    tags = tuple(
        TagCount(tag.name, tag.partial, tag.speaker, counts[tag], counts[tag] * table.score(tag))
        for tag in sorted(counts, key=lambda tag: (tag.name, tag.speaker, tag.partial))
    )
    return ConversationRisk(sum(tag.score for tag in tags), tags, direct, tuple(sorted(unscored.items())))


def annotated_residuals(text: str, spans: Iterable[AnnotatedSpan]) -> list[Residual]:
    """The residual findings that a reviewer marked in one cell: every span is one."""
    return [Residual(span.label, text[span.start : span.end], entity=span.entity) for span in spans]


def _identity(residual: Residual, position: int, variant_clustering: bool) -> Hashable:
    if residual.entity is not None:
        return "entity", residual.entity
    value = _folded(residual.value)
    if variant_clustering:
        value = _variant_key(value)
    # Nothing says that two unreadable values are one, so each counts.
    return ("value", value) if value else ("position", position)


def _folded(value: str) -> str:
    folded = value.lower() if value.isascii() else unicodedata.normalize("NFKC", value).casefold()
    return " ".join(folded.split())


def _variant_key(value: str) -> str:
    value = _SPELLING_MARKS.sub("", value)
    letters = "".join(c for c in unicodedata.normalize("NFKD", value) if not unicodedata.combining(c))
    if not (letters.isascii() and letters.isalpha()):
        return value  # Metaphone knows Latin letters only; it would make one of all numbers.
    return f"~{jellyfish.metaphone(letters) or letters}"
