"""Run ``tacenda lab uniqueness``: search a corpus for values of a table that few people share."""

from argparse import Namespace
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from tacenda.pipelines.chain.detectors import DetectorSettings, means
from tacenda.pipelines.command_line.arguments import read_options
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import give_figures
from tacenda.pipelines.executors.fold import fold
from tacenda.pipelines.lab.reading import batches, number_of, rows_with
from tacenda.pipelines.measurement.evaluation import EvaluatedConfig, SearchSettings, detecting_chain
from tacenda.pipelines.work.gc_pause import collect_young, gc_paused
from tacenda.pipelines.work.plan import plan_records
from tacenda.transforms.lab.uniqueness import LEAST_CLASS, Marginals, PopulationRisk, marginals_of
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.files import absolute

_FIELDS = ("info_type", "value", "share")
_OPTION = "--population"


def measure(arguments: Namespace) -> int:
    """Search the corpus that the arguments name; returns the exit code.

    Raises:
        UserError: an input cannot be used.
    """
    marginals = _read_marginals(arguments.population, arguments.people)
    settings = EvaluatedConfig.load(arguments.config, arguments).looking
    _refuse_unsearched(marginals, settings.detecting, f"{_OPTION} {arguments.population}")
    plan = plan_records([absolute(url) for url in arguments.input], read_options(arguments), "--input")
    search = partial(risk_of_part, shape=plan.shape, settings=settings, marginals=marginals)
    risk = fold(plan.parts, search, PopulationRisk.merge, arguments.workers, plan.text_bytes)
    figures = {"people": arguments.people, **risk.figures()}
    if not figures["conversations"]:
        raise UserError("--input: no conversation could be read")
    give_figures(arguments, figures, _lines(figures))
    return ExitCode.DONE


def _read_marginals(url: str, people: int) -> Marginals:
    rows = (
        (str(info_type), str(value), number_of(share, f"{_OPTION} {url}: a share is not a number"))
        for info_type, value, share in rows_with(url, _FIELDS, _OPTION)
    )
    return marginals_of(people, rows, f"{_OPTION} {url}")


def _refuse_unsearched(marginals: Marginals, detecting: DetectorSettings, where: str) -> None:
    """Reject infoTypes that nothing looks for: their values would count as values that nobody left."""
    able = frozenset[str]().union(*means(detecting).values())
    searched = able.intersection(detecting.found.info_types) | detecting.rules.own_info_types()
    if lost := [name for name in marginals.shares if name not in searched]:
        raise UserError(
            f"{where}: nothing looks for {', '.join(lost)}; spell it as 'config infotypes' does, or add it "
            "to inspect.info_types of the config"
        )


@gc_paused()
def risk_of_part(part: Part, shape: Shape, settings: SearchSettings, marginals: Marginals) -> PopulationRisk:
    """Search the conversations of a part; records that cannot be searched are counted as unreadable."""
    risk = PopulationRisk()
    for batch, unreadable in batches(part, shape):
        collect_young()
        outcome = detecting_chain(settings).run(batch)
        risk.unreadable += unreadable
        risk.unreadable += len(batch) - len(outcome.batch)
        for i in range(len(outcome.batch)):
            found = [
                (finding.info_type, outcome.batch.texts[cell][finding.start : finding.end])
                for cell in outcome.batch.cells(i)
                for finding in outcome.findings[cell]
            ]
            risk.add(found, marginals)
    return risk


def _lines(figures: Mapping[str, Any]) -> Iterator[str]:
    low, high = figures["small_interval"]
    least, people = LEAST_CLASS, figures["people"]
    yield f"conversations  {figures['conversations']:,}, {figures['with_values']:,} with a value of the table"
    yield f"unique         {figures['unique']:,}, as expected, of somebody like no other of {people:,} people"
    yield f"average risk   {figures['average_risk']:.4f}"
    yield (
        f"below {least:<9}{figures['small']:,} = {figures['small_share']:.2%} (95 % interval {low:.2%} to "
        f"{high:.2%}) have values that less than {least} people are expected to share"
    )
    if figures["unlisted"]:
        yield f"not listed     {figures['unlisted']:,} values, which count as the rarest of their infoType"
    if figures["unreadable"]:
        yield f"unreadable     {counted(figures['unreadable'], 'record')}, not searched"
    yield "assumed: values are independent of each other, and shares are those of the people in the corpus"
