"""Run ``tacenda lab bias``: variants of gold with other names, and what a model does with them."""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import islice
from typing import Any, NamedTuple

import orjson

from tacenda.pipelines.command_line.terminal import figure, give_figures, indented_json, say
from tacenda.pipelines.executors.fold import fold
from tacenda.pipelines.lab.reading import rows_with
from tacenda.pipelines.measurement.evaluation import EvaluatedConfig, SearchSettings, detecting_chain
from tacenda.pipelines.output.output_folder import empty_output
from tacenda.pipelines.work.gc_pause import gc_paused
from tacenda.transforms.evaluating.gold_reading import FIELDS, GoldBatch, gold_labels, plan_gold, read_gold
from tacenda.transforms.lab.bias import (
    PERSON_NAME,
    Cell,
    Ineligible,
    NameGroups,
    Place,
    Prediction,
    Variant,
    eligible_place,
    equal_opportunity,
    load_name_groups,
    variants,
)
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.shapes.json_cells import in_whole_cells
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.storage.json_values import plain_value
from tacenda.transforms.storage.publishing import publish, publish_bytes

FOUND, MISSED = "found", "missed"
"""The outcome for a name, as the classes of a classifier; gold is always the first."""

_AT_ONCE = 512
"""Variants that go through the chain together."""


@dataclass
class Made:
    """Counts of conversations and variants, of conversations without variants by reason, and what was found."""

    conversations: int = 0
    variants: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    predictions: list[Prediction] = field(default_factory=list)

    def merge(self, other: "Made") -> "Made":
        """Add other counts; returns itself."""
        self.conversations += other.conversations
        self.variants += other.variants
        self.skipped += other.skipped
        self.predictions += other.predictions
        return self

    def counts(self) -> dict[str, Any]:
        """The counts for a file or the terminal."""
        return {
            "conversations": self.conversations,
            "eligible": self.conversations - self.skipped.total(),
            "variants": self.variants,
            "skipped": dict(sorted(self.skipped.items())),
        }


class Source(NamedTuple):
    """How gold is read: its shape, whether gold that does not say so is complete, and the names to put in."""

    shape: Shape
    complete_by_default: bool
    names: NameGroups


class _Eligible(NamedTuple):
    """A conversation, with its record and the place of its only name."""

    conversation_id: str
    record: dict[str, Any]
    speakers: Sequence[str | None]
    texts: Sequence[str]
    spans: Sequence[Any]
    place: Place


@gc_paused()
def _write_variants(part: Part, source: Source, keep: Sequence[str], output: str) -> Made:
    """Write the variants of a part to ``output``.

    Each line is a conversation with gold, and ``variant_of``, ``group``, ``gender``, ``name`` and the fields
    to keep.
    """
    made = Made()
    lines: list[bytes] = []
    for eligible in _eligible(part, source, made):
        kept = {name: eligible.record[name] for name in (*FIELDS, *keep) if name in eligible.record}
        of_conversation = variants(eligible.texts, eligible.spans, eligible.place, source.names)
        for number, variant in enumerate(of_conversation):
            record = {
                **kept,
                "conversation_id": f"{eligible.conversation_id}#{number}",
                "variant_of": eligible.conversation_id,
                **variant.cell._asdict(),
                "name": variant.name,
                "turns": _turns(eligible.speakers, variant),
            }
            lines.append(orjson.dumps(record, plain_value, orjson.OPT_APPEND_NEWLINE))
    made.variants = len(lines)
    with publish(f"{output}/variants/{part.name}.jsonl", private=True) as sink:
        sink.writelines(lines)
    return made


def _turns(speakers: Sequence[str | None], variant: Variant) -> list[dict[str, Any]]:
    return [
        {
            "speaker": speaker,
            "text": text,
            "spans": [{"start": span.start, "end": span.end, "label": span.label} for span in spans],
        }
        for speaker, text, spans in zip(speakers, variant.texts, variant.spans, strict=True)
    ]


@gc_paused()
def _try_detectors(part: Part, source: Source, detecting: SearchSettings) -> Made:
    """Run detectors over the variants of a part; the counts have what was found by name group."""
    made = Made()
    every = (
        (eligible, variant)
        for eligible in _eligible(part, source, made)
        for variant in variants(eligible.texts, eligible.spans, eligible.place, source.names)
    )
    while several := list(islice(every, _AT_ONCE)):
        made.predictions += _found(several, detecting)
    made.variants = len(made.predictions)
    return made


def _found(several: Sequence[tuple[_Eligible, Variant]], detecting: SearchSettings) -> Iterator[Prediction]:
    """Which of the names the chain finds whole, in any infoType; a rejected conversation is a miss."""
    turns = [list(zip(eligible.speakers, variant.texts, strict=True)) for eligible, variant in several]
    outcome = detecting_chain(detecting).run(ConversationBatch.of_turns(turns))
    cells = {int(name): outcome.batch.cells(i) for i, name in enumerate(outcome.batch.ids)}
    for i, (eligible, variant) in enumerate(several):
        findings = outcome.findings[cells[i][variant.place.cell]] if i in cells else []
        predicted = FOUND if _is_covered(variant.place, findings) else MISSED
        yield Prediction(eligible.conversation_id, variant.cell, FOUND, predicted)


def _is_covered(place: Place, findings: Sequence[Finding]) -> bool:
    end = place.start
    for finding in sorted(findings):
        if finding.start <= end:
            end = max(end, finding.end)
    return end >= place.end


def _eligible(part: Part, source: Source, made: Made) -> Iterator[_Eligible]:
    labels = gold_labels()
    names = labels.class_of(PERSON_NAME)
    for gold in read_gold(part, source.shape, labels, complete_by_default=source.complete_by_default):
        unreadable = sum(rejection.rows for rejection in gold.rejections)
        if unreadable:
            made.skipped["unreadable"] += unreadable
        made.conversations += unreadable + len(gold.batch)
        # As the detectors would take JSON in a turn apart: variants are of whole turns.
        batch, _, _ = in_whole_cells(gold.batch, [[]] * len(gold.batch.texts))
        records = source.shape.write_records(batch, batch.texts, batch.speakers)
        for i, record in enumerate(records):
            cells = batch.cells(i)
            own = slice(cells.start, cells.stop)
            texts, speakers, spans = batch.texts[own], batch.speakers[own], batch.spans[own]
            place: Place | Ineligible = Ineligible.INCOMPLETE_GOLD
            if _is_complete(gold, i, names):
                place = eligible_place(texts, speakers, spans)
            if isinstance(place, Ineligible):
                made.skipped[place.value] += 1
            else:
                yield _Eligible(batch.ids[i], record, speakers, texts, spans, place)


def _is_complete(gold: GoldBatch, i: int, names: str) -> bool:
    coverage = gold.coverages[i]
    return gold.batch.annotations[i].is_gold and (coverage.complete or names in coverage.classes)


_FIELDS = ("variant_of", "group", "gender", "gold", "prediction")


def judge(arguments: Namespace) -> int:
    """Run the command with its arguments; returns the exit code.

    Raises:
        UserError: an input cannot be used.
    """
    if arguments.what == "report":
        predictions = [row for url in arguments.predictions for row in _predictions(url)]
        if not predictions:
            raise UserError("--predictions: no rows; give one for each variant")
        if len({(row.document, row.gold) for row in predictions}) > len(
            {row.document for row in predictions}
        ):
            raise UserError(
                "--predictions: rows with the same variant_of have different golds; give a document one gold"
            )
        _tell(arguments, equal_opportunity(predictions, arguments.bootstrap, arguments.seed))
        return 0
    names = load_name_groups(arguments.names)
    plan = plan_gold([absolute(url) for url in arguments.input], arguments.unit_bytes, arguments.keep)
    source = Source(plan.shape, arguments.gold_complete, names)
    run = partial(
        fold,
        plan.parts,
        merge=Made.merge,
        workers=arguments.workers,
        text_bytes=sum(part.text_bytes for part in plan.parts),
    )
    if arguments.what == "variants":
        output = empty_output(arguments.output)
        made = run(partial(_write_variants, source=source, keep=arguments.keep, output=output))
        publish_bytes(f"{output}/counts.json", indented_json(made.counts()))
        say(_counted(made.counts()))
        say(f"variants in {redact_url(output)}/variants; they contain the input's data: protect them like it")
        return 0
    detecting = EvaluatedConfig.load(arguments.config, arguments).looking
    made = run(partial(_try_detectors, source=source, detecting=detecting))
    if not made.predictions:
        raise UserError(f"--input: {_counted(made.counts())}; give conversations with one given name each")
    report = equal_opportunity(made.predictions, arguments.bootstrap, arguments.seed)
    _tell(arguments, {**made.counts(), **report})
    return 0


def _predictions(url: str) -> Iterator[Prediction]:
    """The rows of a file of predictions.

    Raises:
        UserError: it cannot be read, or a row has not the five fields as text, number or truth value.
    """
    for values in rows_with(url, _FIELDS, "--predictions"):
        document, group, gender, gold, predicted = map(str, values)
        yield Prediction(document, Cell(group, gender), gold, predicted)


def _tell(arguments: Namespace, report: Mapping[str, Any]) -> None:
    give_figures(arguments, {"version": version("tacenda"), **report}, _table(report))


def _table(report: Mapping[str, Any]) -> Iterator[str]:
    if "eligible" in report:
        yield _counted(report)
    yield (
        f"{report['variants']:,} variants of {report['documents']:,} documents, recall "
        f"{figure(report['recall'])}"
    )
    for kind in ("groups", "genders", "cells"):
        yield ""
        yield f"  {kind:<24}{'documents':>10}{'variants':>10}{'recall':>9}{'EqOpp':>9}  95 %"
        for name, part in report[kind].items():
            low_high = part["eq_opp_95"]
            interval = "–" if low_high is None else f"{low_high[0]:+.3f} to {low_high[1]:+.3f}"
            gap = "–" if part["eq_opp"] is None else f"{part['eq_opp']:+.3f}"
            yield (
                f"  {name:<24}{part['documents']:>10,}{part['variants']:>10,}{figure(part['recall']):>9}"
                f"{gap:>9}  {interval}"
            )
    yield ""
    yield (
        f"spread of recall over groups {figure(report['spread_of_groups'])}, over genders "
        f"{figure(report['spread_of_genders'])}; the prediction depends on the name in "
        f"{report['flip_rate']:.1%} of the documents"
    )
    for warning in report["warnings"]:
        yield f"warning: {warning}"


def _counted(counts: Mapping[str, Any]) -> str:
    why = ", ".join(f"{count:,} {reason}" for reason, count in counts["skipped"].items())
    skipped = f"; left out: {why}" if why else ""
    return f"{counts['eligible']:,} of {counts['conversations']:,} conversations have one given name{skipped}"
