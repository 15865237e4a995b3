"""Beam counters: how much was read, found and rejected; names of infoTypes and error classes, never text."""

from collections.abc import Mapping

from apache_beam.metrics import Metrics

NAMESPACE = "tacenda"


def count(**values: int) -> None:
    """Add to counters by their names."""
    for name, value in values.items():
        Metrics.counter(NAMESPACE, name).inc(value)


def count_each(prefix: str, values: Mapping[str, int]) -> None:
    """Add to one counter for each key, as ``findings/PERSON_NAME``."""
    for name, value in values.items():
        Metrics.counter(NAMESPACE, f"{prefix}/{name}").inc(value)
