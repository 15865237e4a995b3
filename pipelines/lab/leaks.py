"""Run ``tacenda lab leak-scan``: search the outputs of a model, and tell how many have findings."""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from tacenda.pipelines.command_line.arguments import read_options
from tacenda.pipelines.command_line.figures import give_figures
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.pipelines.executors.fold import fold
from tacenda.pipelines.lab.reading import batches, plan_with, values_of
from tacenda.pipelines.measurement.evaluation import EvaluatedConfig, SearchSettings, detecting_chain
from tacenda.pipelines.work.gc_pause import collect_young, gc_paused
from tacenda.transforms.lab.leaks import Leaks
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.shapes.shape import Shape


def scan(arguments: Namespace) -> int:
    """Search the outputs that the arguments name; returns the exit code.

    Raises:
        UserError: an input cannot be used.
    """
    fields = {} if arguments.task is None else {arguments.task: "--task"}
    plan = plan_with(arguments.input, read_options(arguments), "--input", fields)
    settings = EvaluatedConfig.load(arguments.config, arguments).looking
    speakers = None if arguments.generated is None else frozenset(arguments.generated)
    search = partial(
        search_part, shape=plan.shape, settings=settings, fields=tuple(fields), speakers=speakers
    )
    leaks = fold(plan.parts, search, Leaks.merge, arguments.workers, plan.text_bytes)
    figures = leaks.figures()
    if not figures["total"]["outputs"]:
        spoken = "" if speakers is None else f" with a turn of {', '.join(sorted(speakers))}"
        raise UserError(f"--input: no output{spoken} could be read")
    names = {task: sorted(several) for task, several in sorted(leaks.names.items())}
    give_figures(arguments, {**figures, "leaking": names}, _lines(figures))
    exceeded = arguments.at_most is not None and figures["total"]["at_most"] > arguments.at_most
    if exceeded:
        say(f"HELD: the share may be above {arguments.at_most:.2%}")
    return ExitCode.HELD if exceeded else ExitCode.DONE


@gc_paused()
def search_part(
    part: Part, shape: Shape, settings: SearchSettings, fields: Sequence[str], speakers: frozenset[str] | None
) -> Leaks:
    """Search the outputs of a part; one without a turn of the ``speakers`` is not counted."""
    leaks = Leaks()
    for batch, unreadable in batches(part, shape):
        collect_young()
        leaks.unreadable += unreadable
        values = values_of(batch, shape, fields)
        tasks = ["" if not value or value[0] is None else str(value[0]) for value in values]
        by_place = dict(zip(zip(batch.origins, batch.positions, strict=True), tasks, strict=True))
        outcome = detecting_chain(settings).run(batch)
        leaks.unreadable += len(batch) - len(outcome.batch)
        found = outcome.batch
        for i, name in enumerate(found.ids):
            cells = [cell for cell in found.cells(i) if speakers is None or found.speakers[cell] in speakers]
            if cells or speakers is None:
                kinds = (finding.info_type for cell in cells for finding in outcome.findings[cell])
                leaks.add(by_place[found.origins[i], found.positions[i]], name, kinds)
    return leaks


def _lines(figures: Mapping[str, Any]) -> Iterator[str]:
    yield f"{'task':<24}{'outputs':>10}{'leaking':>10}{'share':>9}{'at most':>9}"
    tasks = figures["tasks"] if list(figures["tasks"]) != [""] else {}
    for name, part in {**tasks, "total": figures["total"]}.items():
        shares = f"{part['share']:>9.2%}{part['at_most']:>9.2%}"
        yield f"{name:<24}{part['outputs']:>10,}{part['leaking']:>10,}{shares}"
    kinds = figures["total"]["info_types"]
    if kinds:
        most = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
        yield "outputs with " + ", ".join(f"{kind} {count:,}" for kind, count in most)
    if figures["unreadable"]:
        yield f"{counted(figures['unreadable'], 'output')} could not be read"
    yield "'at most' is the exact 95 % upper bound of the share that these detectors would find"
