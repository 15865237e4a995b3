"""What the detectors replaced, by whether the independent detector saw it as well; and what it alone saw.

The counts of one conversation, for dual-system estimates of what both miss (``scoring.dual_system``). What is
counted are entities: a name that occurs four times counts once, and was seen if any of its mentions was.
"""

from collections.abc import Iterable, Sequence

from tacenda.transforms.auditing.suspects import KINDS, TRAITS, Suspect
from tacenda.transforms.linking.normalising import normalised_value
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.residual import KINDS_SEEN, THOUSAND

_OF = {"PERSON_NAME": 0, "LOCATION": 1, "STREET_ADDRESS": 1, "ORGANIZATION_NAME": 2}
_OF_SUSPECT = {KINDS[0]: 0, KINDS[1]: 0, KINDS[2]: 1, KINDS[3]: 2}
_INDEPENDENT = TRAITS.index("independent")


def replaced_entities(
    findings: Sequence[Sequence[Finding]],
    entities: Sequence[Sequence[int]],
    apart: Sequence[Sequence[Finding]],
) -> dict[int, tuple[int, bool]]:
    """The kind of each replaced entity, as its place in ``KINDS_SEEN``, and whether the other detector saw it.

    Args:
        findings: those that were replaced in each cell of a conversation.
        entities: their entities.
        apart: the findings of the independent detector in each cell, sorted by start.
    """
    found: dict[int, tuple[int, bool]] = {}
    for cell, numbers, others in zip(findings, entities, apart, strict=True):
        for finding, entity in zip(cell, numbers, strict=True):
            kind = _OF.get(finding.info_type)
            if kind is not None:
                seen = any(one.start < finding.end and finding.start < one.end for one in others)
                found[entity] = kind, seen or found.get(entity, (kind, False))[1]
    return found


def seen_alone(suspect: Suspect) -> int | None:
    """The kind of what the independent detector saw and nobody replaced; None if it saw nothing there."""
    return _OF_SUSPECT.get(suspect.kind) if suspect.traits[_INDEPENDENT] else None


def counted_looks(
    replaced: dict[int, tuple[int, bool]], suspected: Iterable[tuple[Suspect, float]]
) -> tuple[int, ...]:
    """Entities that both saw, that the first saw alone, and thousandths of those of the second, by kind.

    Args:
        replaced: those of :func:`replaced_entities`.
        suspected: suspects with their probabilities.
    """
    counts = [0] * (3 * len(KINDS_SEEN))
    for kind, seen in replaced.values():
        counts[3 * kind + (not seen)] += 1
    alone: dict[tuple[int, str], float] = {}
    for suspect, probability in suspected:
        of = seen_alone(suspect)
        if of is not None:
            label, value = suspect.residual.label, suspect.residual.value
            key = of, normalised_value(label, value)
            alone[key] = max(alone.get(key, 0.0), probability)
    for (kind, _), probability in alone.items():
        counts[3 * kind + 2] += round(THOUSAND * probability)
    return tuple(counts)
