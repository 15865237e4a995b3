"""Beam counters of a job, for every runner and the dashboard of ``infra/dashboard``: names and counts only."""

from collections.abc import Mapping

from apache_beam.metrics import Metrics

NAMESPACE = "tacenda"


def count(**values: int) -> None:
    """Increase counters by name."""
    for name, value in values.items():
        Metrics.counter(NAMESPACE, name).inc(value)


def count_each(prefix: str, values: Mapping[str, int]) -> None:
    """Increase one counter for each key, such as ``findings/PERSON_NAME``."""
    for name, value in values.items():
        Metrics.counter(NAMESPACE, f"{prefix}/{name}").inc(value)
