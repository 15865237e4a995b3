"""Check ids and contexts for personal data before conversations are processed."""

from collections.abc import Iterable, Iterator, Sequence

from tacenda.transforms.shapes.labels import LabelRules, with_safe_labels
from tacenda.transforms.shapes.shape import Reading, Shape


def safe_labels(readings: Iterable[Reading], shape: Shape, rules: LabelRules) -> Iterator[Reading]:
    """Reject conversations whose id or context must not be written; see ``LabelRules``."""
    if not (rules.ids or rules.contexts):
        return iter(readings)
    return (with_safe_labels(reading, shape, rules, _look) for reading in readings)


def _look(labels: Sequence[str], are_ids: bool) -> list[bool]:
    # Imported here because the lists of names take a moment to load.
    from tacenda.transforms.detecting.personal_labels import look_personal

    return look_personal(labels, sentences=are_ids)
