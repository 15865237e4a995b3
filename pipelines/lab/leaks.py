"""Run ``tacenda lab leak-scan``: search the outputs of a model, and tell how many have findings."""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tacenda.pipelines.command_line.arguments import read_options
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import give_figures, say
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.executors.fold import fold
from tacenda.pipelines.lab.reading import merged, plan_with, searched, values_of
from tacenda.pipelines.measurement.evaluation import searching
from tacenda.pipelines.work.gc_pause import gc_paused
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.scoring.intervals import upper_bound
from tacenda.transforms.shapes.shape import Shape


@dataclass
class Leaks:
    """By task, id and infoTypes of each output; ``unreadable`` ones are in no task."""

    outputs: dict[str, list[tuple[str, frozenset[str]]]] = field(default_factory=dict)
    unreadable: int = 0

    def figures(self) -> dict[str, Any]:
        """In total and by task: ``outputs``, ``leaking``, ``share``, its 95 % upper bound ``at_most``, and
        ``info_types``; besides, ``unreadable`` outputs.
        """

        def of(outputs: Sequence[tuple[str, frozenset[str]]]) -> dict[str, Any]:
            leaking = sum(bool(kinds) for _, kinds in outputs)
            return {
                "outputs": len(outputs),
                "leaking": leaking,
                "share": leaking / len(outputs) if outputs else None,
                "at_most": upper_bound(leaking, len(outputs)),
                "info_types": dict(sorted(Counter(kind for _, kinds in outputs for kind in kinds).items())),
            }

        return {
            "total": of([output for outputs in self.outputs.values() for output in outputs]),
            "tasks": {task: of(outputs) for task, outputs in sorted(self.outputs.items())},
            "unreadable": self.unreadable,
        }


def scan(arguments: Namespace) -> int:
    """Search the outputs that the arguments name; returns the exit code."""
    fields = {} if arguments.task is None else {arguments.task: "--task"}
    plan = plan_with(arguments.input, read_options(arguments), "--input", fields)
    _, settings = searching(arguments.config, arguments)
    speakers = None if arguments.generated is None else frozenset(arguments.generated)
    search = partial(_search, shape=plan.shape, settings=settings, fields=tuple(fields), speakers=speakers)
    leaks: Leaks = fold(plan.parts, search, merged, arguments.workers, plan.text_bytes)
    figures = leaks.figures()
    if not figures["total"]["outputs"]:
        spoken = "" if speakers is None else f" with a turn of {', '.join(sorted(speakers))}"
        raise UserError(f"--input: no output{spoken} could be read")
    leaking = {
        task: names
        for task, outputs in sorted(leaks.outputs.items())
        if (names := sorted(name for name, kinds in outputs if kinds))
    }
    give_figures(arguments, {**figures, "leaking": leaking}, _lines(figures))
    exceeded = arguments.at_most is not None and figures["total"]["at_most"] > arguments.at_most
    if exceeded:
        say(f"HELD: the share may be above {arguments.at_most:.2%}")
    return ExitCode.HELD if exceeded else ExitCode.DONE


@gc_paused()
def _search(
    part: Part, shape: Shape, settings: ChainSettings, fields: Sequence[str], speakers: frozenset[str] | None
) -> Leaks:
    """Search the outputs of a part; one without a turn of the ``speakers`` is not counted."""
    leaks = Leaks()
    for batch, outcome, unreadable in searched(part, shape, settings):
        leaks.unreadable += unreadable
        places = zip(batch.origins, batch.positions, strict=True)
        by_place = dict(zip(places, values_of(batch, shape, fields), strict=True))
        found = outcome.batch
        for i, name in enumerate(found.ids):
            cells = [cell for cell in found.cells(i) if speakers is None or found.speakers[cell] in speakers]
            if cells or speakers is None:
                kinds = frozenset(one.info_type for cell in cells for one in outcome.findings[cell])
                [task] = by_place[found.origins[i], found.positions[i]] or [None]
                leaks.outputs.setdefault("" if task is None else str(task), []).append((name, kinds))
    return leaks


def _lines(figures: Mapping[str, Any]) -> Iterator[str]:
    yield f"{'task':<24}{'outputs':>10}{'leaking':>10}{'share':>9}{'at most':>9}"
    tasks = figures["tasks"] if list(figures["tasks"]) != [""] else {}
    for name, part in {**tasks, "total": figures["total"]}.items():
        shares = f"{part['share']:>9.2%}{part['at_most']:>9.2%}"
        yield f"{name:<24}{part['outputs']:>10,}{part['leaking']:>10,}{shares}"
    if kinds := figures["total"]["info_types"]:
        most = sorted(kinds.items(), key=lambda item: (-item[1], item[0]))
        yield "outputs with " + ", ".join(f"{kind} {count:,}" for kind, count in most)
    if figures["unreadable"]:
        yield f"{counted(figures['unreadable'], 'output')} could not be read"
    yield "'at most' is the exact 95 % upper bound of the share that these detectors would find"
