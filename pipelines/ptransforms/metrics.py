"""Beam metrics of a job, and a line in the worker's log for each unit; they contain counts and names, no text.

Counters are what every runner shows and what the dashboard of ``infra/dashboard`` reads; distributions say more
where a runner shows them, as Dataflow and Beam's own runners do.
"""

import json
import logging
import time
from collections.abc import Mapping

from apache_beam.metrics import Metrics

from tacenda.models.token_classifier.packing import take_batch_fill
from tacenda.transforms.schema.receipt import Receipt

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
    "model_places",
    "model_tokens",
)
"""Names of the counters, besides ``findings/<infoType>`` and ``rejected/<stage>/<error class>``."""

_began: dict[str, float] = {}
"""When this process began units that it has not finished, by their names."""

_log = logging.getLogger("tacenda.units")
_log.setLevel(logging.INFO)


def count(**values: int) -> None:
    """Increase counters by name."""
    for name, value in values.items():
        Metrics.counter(NAMESPACE, name).inc(value)


def count_each(prefix: str, values: Mapping[str, int]) -> None:
    """Increase one counter for each key, such as ``findings/PERSON_NAME``."""
    for name, value in values.items():
        Metrics.counter(NAMESPACE, f"{prefix}/{name}").inc(value)


def count_batch_fill() -> None:
    """Count the places in calls of networks since the last unit, and those that held a token."""
    fill = take_batch_fill()
    if fill.places:
        count(model_places=fill.places, model_tokens=fill.tokens)
        percent = 100 * fill.tokens // fill.places
        Metrics.distribution(NAMESPACE, "model_batch_fill_percent").update(percent)
        Metrics.gauge(NAMESPACE, "model_batch_fill_percent_last").set(percent)


def begin_unit(name: str) -> None:
    """Note that this process begins to read a unit."""
    _began[name] = time.monotonic()


def end_unit(receipt: Receipt) -> None:
    """Count the time since a unit was begun, and log a line for it, one JSON object.

    A unit that another process read, because its models run on other machines, has no time.
    """
    began = _began.pop(receipt.unit, None)
    told: dict[str, object] = {
        "event": "unit",
        "unit": receipt.unit,
        "rows_in": receipt.rows_in,
        "rows_out": receipt.rows_out,
        "rows_quarantined": receipt.rows_quarantined,
        "conversations": receipt.conversations,
        "findings": sum(receipt.findings.values()),
    }
    if began is not None:
        milliseconds = round(1000 * (time.monotonic() - began))
        count(unit_milliseconds=milliseconds)
        Metrics.distribution(NAMESPACE, "milliseconds_a_unit").update(milliseconds)
        told["milliseconds"] = milliseconds
    _log.info("%s", json.dumps(told, separators=(",", ":")))
