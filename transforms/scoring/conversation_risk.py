"""The risk score of one conversation: its distinct residual entities, each counted once.

After Gardiner et al., CALD-pseudo 2024, section 4.2: the sum of the tags' scores, partial ones halved;
repeated mentions of an entity count once.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from tacenda.transforms.linking.normalising import normalised_value
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.scoring.remains import NOTHING, Remains, remains_of
from tacenda.transforms.scoring.same_entity import (
    Telephone,
    is_lone_name,
    same_lines,
    standing,
    telephone,
    variant_key,
)
from tacenda.transforms.scoring.score_table import MISSED, ScoreTable, Unscored, Weight

PERSON_NAME, PHONE = "PERSON_NAME", "PHONE"
"""Tags with special rules for their values."""


class TagCount(NamedTuple):
    """The number of a conversation's entities with one tag, and the points that they add."""

    tag: str
    partial: bool
    speaker: bool
    entities: int
    score: int


class ConversationRisk(NamedTuple):
    """``score`` is the sum over ``tags``, which are sorted by tag, speaker, partial.

    ``direct_identifier``: some direct identifier is entirely readable. ``unscored``: the number of residual
    findings of each known label that adds nothing by policy. ``remains`` are digests of what is left.
    """

    score: int
    tags: tuple[TagCount, ...]
    direct_identifier: bool
    unscored: tuple[tuple[str, int], ...]
    remains: Remains = NOTHING

    @property
    def names_somebody(self) -> bool:
        """Whether a person's name is readable, in whole or in part."""
        return any(tag.tag == PERSON_NAME for tag in self.tags)


_NO_RISK = ConversationRisk(0, (), False, ())


def score_conversation(
    residuals: Sequence[Residual],
    table: ScoreTable,
    variant_clustering: bool = False,
) -> ConversationRisk:
    """Score the residual findings of one conversation, in any order.

    Of findings that overlap in a text, the one with the greatest weight counts. Two findings with the same
    base tag are one entity if the annotator gave both the same entity id, or gave neither an id and their
    values are equivalent (``linking.normalising``; telephone numbers also with or without country code); an
    empty id counts as none, as for blank cells of a table. ``variant_clustering`` also joins names that sound
    alike (Mark, Marc, M-A-R-K). Empty values are never joined.

    A lone first or last name is partial whatever its label, unless the label is a reviewer's tag.

    Raises ``RecordError("UnknownTag")``.
    """
    if not residuals:
        return _NO_RISK
    weights = table.weights
    weighed: list[tuple[Residual, Weight]] = []
    unscored: dict[str, int] = {}
    for residual in residuals:
        weight = weights[residual.label, residual.partial, residual.speaker]
        if isinstance(weight, Unscored):
            unscored[weight.label] = unscored.get(weight.label, 0) + 1
            continue
        if weight.whole and weight.tag.name == PERSON_NAME and _is_lone(residual):
            weight = weights[PERSON_NAME, True, False]
            assert isinstance(weight, Weight), "a tag of the table has a score"
        weighed.append((residual, weight))
    standing_ones = _once(weighed)
    forms: dict[Hashable, Weight] = {}
    for entity, weight in _entities(standing_ones, variant_clustering):
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
    direct = any(weight.direct for _, weight in weighed)
    remains = remains_of(standing_ones)
    return ConversationRisk(risk, counted, direct, tuple(sorted(unscored.items())), remains)


def _is_lone(residual: Residual) -> bool:
    return not residual.label.startswith(MISSED) and is_lone_name(residual.value)


def _once(weighed: list[tuple[Residual, Weight]]) -> list[tuple[Residual, Weight]]:
    """Of overlapping findings, the one with the greatest weight; of equal ones the longer, then the first."""
    places = [residual.place for residual, _ in weighed]
    if len(weighed) < 2 or not any(places):
        return weighed

    def order(number: int) -> tuple[Hashable, ...]:
        residual, weight = weighed[number]
        _, start, end = residual.place or (0, 0, 0)
        return (
            -weight.score,
            not weight.whole,
            not weight.speaker,
            start - end,
            places[number] or (),
            residual.label,
        )

    return [weighed[number] for number in standing(places, sorted(range(len(weighed)), key=order))]


def _entities(
    weighed: Sequence[tuple[Residual, Weight]], variant_clustering: bool
) -> Iterable[tuple[Hashable, Weight]]:
    """Each finding's entity and weight."""
    numbers: dict[int, Telephone] = {}
    for position, (residual, weight) in enumerate(weighed):
        if weight.tag.name == PHONE and not residual.entity:
            number = telephone(residual.value)
            if number is not None:
                numbers[position] = number
    same = same_lines(numbers.values())
    for position, (residual, weight) in enumerate(weighed):
        entity: Hashable
        if residual.entity:
            entity = weight.tag.name, residual.entity, None
        elif position in numbers:
            entity = weight.tag.name, None, same.get(numbers[position], numbers[position])
        else:
            key = normalised_value(weight.infotype, residual.value)
            # Two unreadable values cannot be compared, so each counts.
            entity = weight.tag.name, None, (variant_key(key) if variant_clustering else key) or position
        yield entity, weight
