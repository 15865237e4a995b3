"""Check ids, contexts and texts that cannot be searched before conversations are processed."""

from collections.abc import Iterable, Iterator, Sequence

from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.labels import UNCHECKED, LabelRules, with_safe_labels
from tacenda.transforms.shapes.shape import Reading, Shape
from tacenda.transforms.shapes.strange_text import error_of


def safe_labels(readings: Iterable[Reading], shape: Shape, rules: LabelRules) -> Iterator[Reading]:
    """Check or replace ids and contexts (``LabelRules``), and reject conversations that cannot be searched."""
    if rules == UNCHECKED:
        return iter(readings)
    return (with_safe_labels(_searchable(reading), shape, rules, _look, _says) for reading in readings)


def _searchable(reading: Reading) -> Reading:
    """A reading without the conversations of which a text cannot be searched."""
    batch, rejections = reading
    strange: dict[int, str] = {}
    for cell, text in enumerate(batch.texts):
        if (error := error_of(text, _is_personal)) is not None:
            strange.setdefault(batch.conversation_of(cell), error)
    if not strange:
        return reading
    lost = [
        Rejection(batch.positions[i], Stage.READ, error, batch.rows[i], batch.origins[i])
        for i, error in sorted(strange.items())
    ]
    return batch.without(set(strange)), [*rejections, *lost]


def _is_personal(words: str) -> bool:
    return _look([words], False)[0]


def _says(labels: Sequence[str], texts: Sequence[str]) -> list[bool]:
    if not labels:
        return []
    from tacenda.transforms.detecting.personal_labels import say_personal

    return say_personal(labels, texts)


def _look(labels: Sequence[str], are_ids: bool) -> list[bool]:
    # Imported here because the lists of names take a moment to load.
    from tacenda.transforms.detecting.personal_labels import look_like_personal_data

    return look_like_personal_data(labels, sentences=are_ids)
