"""The risk score of one conversation: its distinct residual entities, each counted once.

After Gardiner et al., CALD-pseudo 2024, section 4.2: the sum of the tags' scores, partial ones halved, and no
datum counted twice for standing there twice.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

import jellyfish

from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.scoring.score_table import ScoreTable, Weight
from tacenda.transforms.scoring.tag import Unscored

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


_NO_RISK = ConversationRisk(0, (), False, ())


def score_conversation(
    residuals: Sequence[Residual], table: ScoreTable, variant_clustering: bool = False
) -> ConversationRisk:
    """Score the residual findings of one conversation, in any order.

    Two findings of one base tag are one entity if the annotator gave both the same entity id, or gave neither
    one and their values are equal up to case, spacing and compatibility forms; an empty id is none, as tables
    have it where a cell was left blank. ``variant_clustering`` also
    joins values that differ in spelling marks only (M-A-R-K) and words that sound alike (Mark, Marc). A value
    that is empty joins nothing. Raises ``RecordError("UnknownTag")``.
    """
    if not residuals:
        return _NO_RISK
    weights = table.weights
    forms: dict[Hashable, Weight] = {}
    direct = False
    unscored: dict[str, int] = {}
    for position, (label, value, partial, speaker, annotated) in enumerate(residuals):
        weight = weights[label, partial, speaker]
        if isinstance(weight, Unscored):
            unscored[weight.label] = unscored.get(weight.label, 0) + 1
            continue
        direct = direct or weight.direct
        entity: Hashable
        if annotated:
            entity = weight.tag.name, annotated, None
        else:
            key = _variant_key(_folded(value)) if variant_clustering else _folded(value)
            # Nothing says that two unreadable values are one, so each counts.
            entity = weight.tag.name, None, key or position
        known = forms.get(entity)
        if known is None or weight > known:
            forms[entity] = weight
    tags = sorted(
        (weight.tag.name, weight.speaker, weight.tag.partial, weight.score, count)
        for weight, count in Counter(forms.values()).items()
    )
    counted = tuple(
        TagCount(name, partial, speaker, count, count * score)
        for name, speaker, partial, score, count in tags
    )
    risk = sum(tag.score for tag in counted)
    return ConversationRisk(risk, counted, direct, tuple(sorted(unscored.items())))


def annotated_residuals(text: str, spans: Iterable[AnnotatedSpan]) -> list[Residual]:
    """The residual findings that a reviewer marked in one cell: every span is one."""
    return [Residual(span.label, text[span.start : span.end], entity=span.entity) for span in spans]


def _folded(value: str) -> str:
    folded = value.lower() if value.isascii() else unicodedata.normalize("NFKC", value).casefold()
    return " ".join(folded.split())


def _variant_key(value: str) -> str:
    value = _SPELLING_MARKS.sub("", value)
    letters = "".join(c for c in unicodedata.normalize("NFKD", value) if not unicodedata.combining(c))
    if not (letters.isascii() and letters.isalpha()):
        return value  # Metaphone knows Latin letters only; it would make one of all numbers.
    return f"~{jellyfish.metaphone(letters) or letters}"
