"""The chain as a Beam transform: detect, link, replace, look again and score, in one fused step."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import Any

import apache_beam as beam
from apache_beam.pvalue import TaggedOutput

from tacenda.pipelines.chain.build import chain_of
from tacenda.pipelines.chain.conversations import Conversations, after, newly_rejected
from tacenda.pipelines.chain.results import Rejection
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.ptransforms.metrics import count, count_each
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.gc_pause import collect_young, gc_paused


def run_chain(settings: ChainSettings, model_hints: Mapping[str, str] | None = None) -> Any:
    """The transform that runs a chain on ``Conversations``: to ``conversations``, and ``rejected`` ones.

    ``model_hints`` are Beam's resource hints for the machines that run it, such as those with a GPU.
    """
    run = beam.FlatMap(_run, settings).with_output_types(Conversations, rejected=Rejection)
    hinted = run.with_resource_hints(**(model_hints or {}))
    return hinted.with_outputs("rejected", main="conversations")


def _run(conversations: Conversations, settings: ChainSettings) -> Iterator[Any]:
    unit = conversations.unit
    if conversations.finished and unit is not None:
        # Finished before the run was resumed; the counters cover the whole run.
        count(conversations=unit.conversations, characters=unit.characters)
        _count_each(unit.findings, unit.quarantined)
        yield replace(conversations, command=settings.command)
        return
    with gc_paused():
        with sanitize_errors("a batch" if unit is None else f"unit {unit.unit}"):
            processed = after(conversations, chain_of(settings), settings.command, collect_young)
        rejections = newly_rejected(conversations, processed)
        if not conversations.again:
            _count(processed, rejections)
    yield processed
    yield from (TaggedOutput("rejected", one) for one in rejections)


def _count(conversations: Conversations, rejections: Sequence[Rejection]) -> None:
    outcomes = conversations.portions
    characters = sum(len(text) for outcome in outcomes for text in outcome.batch.texts)
    count(conversations=len(conversations), characters=characters)
    found = (cell for outcome in outcomes for cell in outcome.findings)
    rejected: Counter[str] = Counter()
    for rejection in rejections:
        rejected[f"{rejection.stage}/{rejection.error}"] += rejection.rows
    _count_each(Counter(map(attrgetter("info_type"), chain.from_iterable(found))), rejected)


def _count_each(findings: Mapping[str, int], rejected: Mapping[str, int]) -> None:
    count(findings=sum(findings.values()))
    count_each("findings", findings)
    count_each("rejected", rejected)
