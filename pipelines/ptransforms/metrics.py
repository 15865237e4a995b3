"""Beam counters of a job, for every runner and the dashboard of ``infra/dashboard``: names and counts only."""

import time
from collections.abc import Mapping

from apache_beam.metrics import Metrics

NAMESPACE = "tacenda"

COUNTERS = (
    "units",
    "unit_milliseconds",
    "rows_in",
    "rows_out",
    "rows_quarantined",
    "conversations",
    "characters",
    "findings",
)
"""Names of the counters, besides ``findings/<infoType>`` and ``rejected/<stage>/<error class>``."""

_began: dict[str, float] = {}  # when this process began units that it has not finished, by their names


def count(**values: int) -> None:
    """Increase counters by name."""
    for name, value in values.items():
        Metrics.counter(NAMESPACE, name).inc(value)


def count_each(prefix: str, values: Mapping[str, int]) -> None:
    """Increase one counter for each key, such as ``findings/PERSON_NAME``."""
    for name, value in values.items():
        Metrics.counter(NAMESPACE, f"{prefix}/{name}").inc(value)


def begin_unit(name: str) -> None:
    """Note that this process begins to read a unit."""
    _began[name] = time.monotonic()


def end_unit(name: str) -> None:
    """Count the time since a unit was begun; none if another process read it, as for models elsewhere."""
    began = _began.pop(name, None)
    if began is not None:
        count(unit_milliseconds=round(1000 * (time.monotonic() - began)))
