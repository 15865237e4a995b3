"""The chain as a Beam transform: detect, link, replace, look again and score, in one fused step."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import chain, starmap
from operator import attrgetter
from typing import Any, NamedTuple

import apache_beam as beam
from apache_beam.pvalue import TaggedOutput

from tacenda.models.detection import DetectionRequest, DetectionResult
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.token_classifier.package import Engine
from tacenda.pipelines.chain.build import chain_of
from tacenda.pipelines.chain.chain import Chain
from tacenda.pipelines.chain.conversations import Conversations, after, newly_rejected
from tacenda.pipelines.chain.detecting import ModelResults, model_requests, swap_column
from tacenda.pipelines.chain.results import Rejection
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.ptransforms.metrics import count, count_batch_fill, count_each
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.gc_pause import collect_young, gc_paused
from tacenda.transforms.schema.errors import UserError


class _Done(NamedTuple):
    """What a chain made of conversations, and what models found of what the swap test put in."""

    conversations: Conversations
    rejections: tuple[Rejection, ...] = ()
    known: tuple[tuple[DetectionResult, ...], ...] = ()


class RunChain(beam.PTransform):  # type: ignore[misc]
    """Run a chain on ``Conversations``; the output ``rejected`` has what could not be processed.

    ``model_hints`` are resource hints for running the models in a stage of their own.

    Raises:
        UserError: a model that is to run in a stage of its own also reads the replaced text.
    """

    def __init__(self, settings: ChainSettings, model_hints: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._hints: Any = model_hints
        self._settings = settings if model_hints is None else replace(settings, models_apart=True)
        for model in settings.models if model_hints is not None else ():
            if package_of(model.path).engine in (Engine.SPACY, Engine.MASKED_LM):
                raise UserError(
                    f"model {model.path}: such a model also reads the replaced text and cannot run in a stage "
                    "of its own; leave the resource hints out"
                )

    def expand(self, conversations: beam.PCollection) -> Any:
        settings = self._settings
        apart = settings.models if self._hints is not None else ()
        if apart:
            # Beam's inference package takes seconds and hundreds of megabytes if torch is installed.
            from tacenda.models.ptransforms import AskModel
        for number, model in enumerate(apart):
            conversations = (
                conversations
                | f"DetectionRequest{number}" >> beam.Map(_asked, settings.command == "anonymize")
                | f"Model{number}" >> AskModel(settings.inspect, model, self._hints)
                | f"DetectionResult{number}" >> beam.Map(_kept)
            )
        done = conversations | "RunChain" >> beam.Map(_run, settings)
        if apart and settings.swap_rate:
            for number, model in enumerate(apart):
                done = (
                    done
                    | f"SwapRequest{number}" >> beam.Map(_swaps_asked)
                    | f"SwapModel{number}" >> AskModel(settings.inspect, model, self._hints)
                    | f"SwapResult{number}"
                    >> beam.MapTuple(lambda done, found: done._replace(known=(*done.known, found)))
                )
            done = done | "SwapTest" >> beam.Map(_swap_test, settings)
        return done | "Divide" >> beam.FlatMap(
            lambda done: [done.conversations, *(TaggedOutput("rejected", one) for one in done.rejections)]
        ).with_output_types(Conversations, rejected=Rejection).with_outputs("rejected", main="conversations")


def _run(conversations: Conversations, settings: ChainSettings) -> _Done:
    unit = conversations.unit
    if conversations.finished and unit is not None:
        # Finished before the run was resumed; the counters cover the whole run.
        count(conversations=unit.conversations, characters=unit.characters)
        _count_each(unit.findings, unit.quarantined)
        return _Done(replace(conversations, command=settings.command))
    with gc_paused():
        with sanitize_errors("a batch" if unit is None else f"unit {unit.unit}"):
            processed = after(conversations, chain_of(settings), settings.command, collect_young)
        rejections = tuple(newly_rejected(conversations, processed))
        count_batch_fill()
        if not conversations.again:
            _count(processed, rejections)
        return _Done(processed, rejections)


def _swap_test(done: _Done, settings: ChainSettings) -> _Done:
    """Count what was found again, where models ran in a stage of their own."""
    chain, portions = chain_of(settings), []
    assert isinstance(chain, Chain), "only text is searched"
    with gc_paused():
        for number, portion in enumerate(done.conversations.portions):
            if portion.swapped is not None:
                known = [results[number] for results in done.known]
                totals = replace(portion.totals, swapped=chain.found_again(portion.swapped, known))
                portion = replace(portion, totals=totals, swapped=None)
            portions.append(portion)
    return done._replace(conversations=replace(done.conversations, portions=tuple(portions)))


def _swaps_asked(done: _Done) -> tuple[_Done, tuple[DetectionRequest, ...]]:
    """The requests to a model for what the swap test puts in, for each portion."""
    return done, tuple(
        DetectionRequest(swap_column(portion.swapped or ())) for portion in done.conversations.portions
    )


def _asked(conversations: Conversations, scored: bool) -> tuple[Conversations, tuple[DetectionRequest, ...]]:
    """The requests to each model: for each portion the texts, then the speaker labels."""
    return conversations, tuple(
        request for portion in conversations.portions for request in model_requests(portion.batch, scored)
    )


def _kept(answered: tuple[Conversations, tuple[DetectionResult, ...]]) -> Conversations:
    """Add the results of one more model to the conversations."""
    conversations, results = answered
    of_portions = tuple(starmap(ModelResults, zip(results[::2], results[1::2], strict=True)))
    return replace(conversations, known=(*conversations.known, of_portions))


def _count(conversations: Conversations, rejections: tuple[Rejection, ...]) -> None:
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
