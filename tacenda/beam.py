"""Beam transforms for your own pipelines: read, inspect, anonymise, score and count conversations.

The elements between them are ``tacenda.Conversations``: some hundreds of conversations in columns, with their
results. Transforms that take these also take records (dicts) and Arrow tables, with one or many conversations
per element; ``Conversations.records``, ``table`` and ``results`` extract them again:

>>> import apache_beam as beam
>>> from tacenda import Config, Conversations
>>> from tacenda.beam import Anonymize
>>> calls = [{"conversation_id": "a", "turns": [{"speaker": "agent", "text": "Write to ann@example.com"}]}]
>>> with beam.Pipeline() as pipeline:
...     done = pipeline | beam.Create(calls) | Anonymize(Config.load(detectors=["rules"]))
...     _ = done.conversations | beam.FlatMap(Conversations.records) | beam.Map(print)
...     _ = done.rejected | "Rejected" >> beam.Map(print)
{'conversation_id': 'a', 'turns': [{'speaker': 'agent', 'text': 'Write to [EMAIL_ADDRESS_1]'}]}

``tacenda anonymize`` uses the same steps and adds what a run needs: it resumes, finds conversation ids that
occur in several files, balances the rows, and decides on release.

All transforms count in Beam's metrics, namespace ``tacenda``: ``rows_in``, ``conversations``, ``characters``,
``findings`` and ``findings/<infoType>``, ``rejected/<stage>/<error class>``, ``units``, ``rows_out``,
``rows_quarantined``. Counters and errors contain no text.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import apache_beam as beam
import pyarrow as pa
from apache_beam.typehints import with_input_types

from tacenda.pipelines.chain.conversations import Conversations, Intake
from tacenda.pipelines.config.job_settings import Command
from tacenda.pipelines.ptransforms.detecting import run_chain
from tacenda.pipelines.ptransforms.metrics import count
from tacenda.pipelines.ptransforms.reading import read_parts
from tacenda.pipelines.work.plan import make_plan
from tacenda.pipelines.work.unit_job import add_risks
from tacenda.settings import AnyConfig, PreparedSettings, settings_of
from tacenda.transforms.releasing.manifest import combine
from tacenda.transforms.releasing.recount import Recount
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.scoring.statistics import DEFAULT_THRESHOLD, RiskSketch
from tacenda.transforms.shapes.labels import LabelRules
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.files import absolute

__all__ = ["Anonymize", "Inspect", "Read", "Score", "Statistics"]

Elements = Conversations | dict[str, Any] | pa.Table
"""Input elements of the transforms."""

_BATCH = 256


class Read(beam.PTransform):  # type: ignore[misc]
    """Reads conversations in any of the shapes: ``PBegin`` to ``PCollection[Conversations]``.

    Each element is a work unit of about ``reading.unit_bytes`` of text. Files are located, and their shape
    recognised, when the transform is constructed. Records that cannot be read, or that repeat an id within a
    work unit, are rejections, which the next transform outputs.

    Args:
        urls: files, folders or globs at any fsspec URL: Parquet, Arrow, JSON, CSV, TSV or text, the last four
            also compressed.
        reading: shape, field names, fields to keep; None for defaults.

    Raises:
        UserError: there is no input, or no shape fits.

    Example:
        >>> _ = open("calls.jsonl", "w").write('{"text": "Write to ann@example.com"}')
        >>> with beam.Pipeline() as pipeline:
        ...     _ = pipeline | Read("calls.jsonl") | beam.FlatMap(Conversations.records) | beam.Map(print)
        {'text': 'Write to ann@example.com'}
    """

    def __init__(self, urls: str | Sequence[str], *, reading: ReadOptions | None = None) -> None:
        super().__init__()
        several = [urls] if isinstance(urls, str) else list(urls)
        self._plan = make_plan([absolute(os.fspath(url)) for url in several], reading or ReadOptions())

    def expand(self, pipeline: beam.Pipeline) -> beam.PCollection[Conversations]:
        return read_parts(pipeline, self._plan)


class _OfOneCommand(beam.PTransform):  # type: ignore[misc]
    """What ``Inspect``, ``Anonymize`` and ``Score`` have in common: a command's chain over conversations."""

    def __init__(self, asked: PreparedSettings, model_hints: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self._asked = asked
        self._chain = run_chain(asked.chain, model_hints)

    def expand(self, conversations: beam.PCollection) -> Any:
        taken_in = _as_conversations(conversations, self._asked.reading, self._asked.labels)
        return taken_in | "RunChain" >> self._chain


class _Detecting(_OfOneCommand):
    """Base of ``Inspect`` and ``Anonymize``: builds the chain from a config."""

    _command: Command

    def __init__(
        self,
        config: AnyConfig = None,
        *,
        reading: ReadOptions | None = None,
        model_hints: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(settings_of(config, self._command, reading), model_hints)


@with_input_types(Elements)
class Inspect(_Detecting):
    """Finds personal data, without changing the text.

    ``PCollection`` of ``Conversations``, records or Arrow tables, to two outputs: ``conversations``
    (``PCollection[Conversations]``) and ``rejected`` (``PCollection[Rejection]``).

    Args:
        config: what to look for with which detectors; a Config, or anything that ``Config.load`` accepts.
        reading: how to read records and tables; None for defaults.
        model_hints: Beam resource hints, such as ``{"accelerator":
            "type:nvidia-l4;count:1;install-nvidia-driver"}``: the stage with the models then runs on such
            machines, with the same findings. None runs it on any.

    Raises:
        UserError: the config is invalid, or a detector cannot be used.

    Example:
        >>> with beam.Pipeline() as pipeline:
        ...     found = pipeline | beam.Create([{"text": "Mail ann@example.com"}]) | Inspect(
        ...         Config.load(detectors=["rules"]))
        ...     _ = (found.conversations | beam.FlatMap(Conversations.results)
        ...          | beam.FlatMap(lambda result: result.findings)
        ...          | beam.Map(lambda finding: print(finding.info_type, finding.start, finding.end)))
        EMAIL_ADDRESS 5 20
    """

    _command = "inspect"


@with_input_types(Elements)
class Anonymize(_Detecting):
    """Replaces personal data by tokens such as ``[PERSON_NAME_1]``, and scores what is still readable.

    ``PCollection`` of ``Conversations``, records or Arrow tables, to two outputs: ``conversations``
    (``PCollection[Conversations]``) and ``rejected`` (``PCollection[Rejection]``). Results are byte for byte
    those of ``tacenda anonymize``.

    Args:
        config: what to look for with which detectors; a Config, or anything that ``Config.load`` accepts.
        reading: how to read records and tables; None for defaults.
        model_hints: see ``Inspect``.

    Raises:
        UserError: the config is invalid, or a detector cannot be used.

    Example:
        >>> rows = pa.table({"text": ["Mail ann@example.com", None]})
        >>> with beam.Pipeline() as pipeline:
        ...     done = pipeline | beam.Create([rows]) | Anonymize(Config.load(detectors=["rules"]))
        ...     _ = done.conversations | beam.Map(lambda some: print(some.table()["text"].to_pylist()))
        ...     _ = done.rejected | "Rejected" >> beam.Map(lambda one: print(one.position, one.error))
        ['Mail [EMAIL_ADDRESS_1]']
        1 NullText
    """

    _command = "anonymize"


@with_input_types(Elements)
class Score(_OfOneCommand):
    """Scores the residual risk of conversations that people reviewed, or that have gold spans.

    ``PCollection`` of ``Conversations``, records or Arrow tables, to two outputs: ``conversations``
    (``PCollection[Conversations]``) and ``rejected`` (``PCollection[Rejection]``).

    Args:
        config: which score table; a Config, or what ``Config.load`` reads one from.
        spans: URLs of files with reviewers' spans, beside those in the conversations themselves.
        reviewed: all conversations were reviewed, so one without marks scores 0; if False, one without
            ``reviewed_by`` has no score.
        reading: how to read records and tables; None for defaults.

    Raises:
        UserError: a mistake in the config or in a spans file.

    Example:
        >>> marked = {"conversation_id": "a", "turns": [{"text": "I am (Ann Lee)[MISSED_PERSON_NAME]"}]}
        >>> with beam.Pipeline() as pipeline:
        ...     scored = pipeline | beam.Create([marked]) | Score()
        ...     _ = (scored.conversations | beam.FlatMap(Conversations.results)
        ...          | beam.Map(lambda result: print(result.risk.score, result.risk.source)))
        5 human
    """

    def __init__(
        self,
        config: AnyConfig = None,
        *,
        spans: Sequence[str] = (),
        reviewed: bool = False,
        reading: ReadOptions | None = None,
    ) -> None:
        super().__init__(settings_of(config, "score", reading, spans, reviewed))


@with_input_types(Conversations)
class Statistics(beam.PTransform):  # type: ignore[misc]
    """The statistics of a corpus: scored ``PCollection[Conversations]`` to one element per window.

    The element has the content of ``statistics.json``: by source and context the count, mean, std,
    percentiles, and whether mean + std is below the threshold, as plain data. It does not depend on how the
    conversations are divided into elements.

    Args:
        threshold: the criterion, in points of risk.

    Example:
        >>> calls = [{"text": "Mail ann@example.com"}, {"text": "Nothing to see."}]
        >>> with beam.Pipeline() as pipeline:
        ...     done = pipeline | beam.Create(calls) | Anonymize(Config.load(detectors=["rules"]))
        ...     _ = (done.conversations | Statistics()
        ...          | beam.Map(lambda figures: figures["sources"].get("model").get("total"))
        ...          | beam.Map(lambda total: print(total["count"], total["mean"], total["pass"])))
        2 0.0 True
    """

    def __init__(self, threshold: float = DEFAULT_THRESHOLD) -> None:
        super().__init__()
        self._threshold = threshold

    def expand(self, conversations: beam.PCollection) -> beam.PCollection[dict[str, Any]]:
        sketches = conversations | "Sketch" >> beam.Map(_sketch).with_output_types(Receipt)
        whole = sketches | "Combine" >> beam.CombineGlobally(lambda several: combine("", several))
        compute = beam.Map(
            lambda one, threshold: RiskSketch.from_json(one.risk).figures(threshold), self._threshold
        )
        return whole | "Compute" >> compute.with_output_types(dict[str, Any])


def _as_conversations(
    elements: beam.PCollection, reading: ReadOptions, labels: LabelRules
) -> beam.PCollection[Conversations]:
    """Convert elements of any kind to ``Conversations``, batching records."""
    if elements.element_type is Conversations:
        return elements
    take_in = beam.FlatMap(_taken_in, Intake(reading, labels)).with_output_types(Conversations)
    batched = elements | "Batch" >> beam.BatchElements(min_batch_size=1, max_batch_size=_BATCH)
    return batched | "TakeIn" >> take_in


def _taken_in(elements: list[Any], intake: Intake) -> Iterator[Conversations]:
    records = list[Any]()
    for element in elements:
        if isinstance(element, Conversations):
            yield element
        elif isinstance(element, pa.Table):
            yield _counted(intake.table(element))
        else:
            records.append(element)
    yield from map(_counted, intake.items(records))


def _counted(conversations: Conversations) -> Conversations:
    count(rows_in=sum(portion.totals.rows_in for portion in conversations.portions))
    return conversations


def _sketch(conversations: Conversations) -> Receipt:
    scores = Recount()
    for portion in conversations.portions:
        add_risks(scores, portion)
    return Receipt(unit="", units=0, risk=scores.sketch.to_json())
