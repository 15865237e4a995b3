"""Run ``tacenda bias`` as its arguments say, and show the figures."""

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from tacenda.pipelines.command_line.arguments import refuse_unknown
from tacenda.pipelines.command_line.figures import figure, indented_json
from tacenda.pipelines.command_line.terminal import TERMINAL, answer, say
from tacenda.pipelines.executors.beam_options import beam_arguments
from tacenda.pipelines.executors.fold import run_fold
from tacenda.pipelines.measurement.bias_folds import Made, Source, detector_job, variants_job
from tacenda.pipelines.measurement.evaluation import EvaluatedConfig
from tacenda.pipelines.measurement.supplied_rows import rows_with
from tacenda.pipelines.output.output_folder import empty_output
from tacenda.transforms.evaluating.bias.name_groups import Cell, load_name_groups
from tacenda.transforms.evaluating.bias.opportunity import equal_opportunity
from tacenda.transforms.evaluating.bias.tally import ContradictingGoldError, Prediction, Tally
from tacenda.transforms.evaluating.gold_reading import plan_gold
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import absolute, read_bytes
from tacenda.transforms.storage.publishing import publish

_FIELDS = ("variant_of", "group", "gender", "gold", "prediction")


def judge(arguments: Namespace, extra: Sequence[str]) -> int:
    """Run the command with its arguments; returns the exit code.

    Raises:
        UserError: an input cannot be used.
    """
    if arguments.what == "report":
        refuse_unknown(extra, "bias")
        tally = Tally()
        for url in arguments.predictions:
            try:
                tally.add(_predictions(url))
            except ContradictingGoldError:
                raise UserError(
                    f"--predictions {url}: rows with the same variant_of have different golds; give a document "
                    "one gold"
                ) from None
        if not tally.documents:
            raise UserError("--predictions: no rows; give one for each variant")
        _tell(arguments, equal_opportunity(tally, arguments.bootstrap, arguments.seed))
        return 0
    names = load_name_groups(arguments.names)
    plan = plan_gold([absolute(url) for url in arguments.input], arguments.unit_bytes, arguments.keep)
    source = Source(plan.shape, arguments.gold_complete, names)
    beam_args = beam_arguments(arguments, extra)
    text_bytes = sum(part.text_bytes for part in plan.parts)
    if arguments.what == "variants":
        output = empty_output(arguments.output)
        run_fold(variants_job(plan, source, arguments.keep, output), beam_args, arguments.workers, text_bytes)
        counts = json.loads(read_bytes(f"{output}/counts.json"))
        say(_counted(counts))
        say(f"variants in {redact_url(output)}/variants; they contain the input's data: protect them like it")
        return 0
    if beam_args:
        raise UserError("tacenda bias detector runs on this machine; leave Beam's options out")
    detecting = EvaluatedConfig.load(arguments.config, arguments).looking
    results: list[Made] = []
    run_fold(detector_job(plan, source, detecting, results.append), (), arguments.workers, text_bytes)
    (made,) = results
    if not made.tally.documents:
        raise UserError(f"--input: {_counted(made.counts())}; give conversations with one given name each")
    report = equal_opportunity(made.tally, arguments.bootstrap, arguments.seed)
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
    whole = {"version": version("tacenda"), **report}
    figures = indented_json(whole)
    if arguments.json == TERMINAL:
        answer(figures.decode())
        return
    if arguments.json:
        with publish(absolute(arguments.json)) as sink:
            sink.write(figures)
    say("\n".join(_table(report)))


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
