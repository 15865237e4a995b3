"""Run ``tacenda lab leak-scan``: search the outputs of a model, and tell how many have findings."""

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tacenda.pipelines.command_line.arguments import read_options
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import give_figures, say
from tacenda.pipelines.executors.fold import fold
from tacenda.pipelines.lab.reading import batches, plan_with, values_of
from tacenda.pipelines.measurement.evaluation import EvaluatedConfig, SearchSettings, detecting_chain
from tacenda.pipelines.work.gc_pause import collect_young, gc_paused
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.scoring.intervals import upper_bound
from tacenda.transforms.shapes.shape import Shape


@dataclass
class Leaks:
    """Outputs by task, which add up in any order: how many, and id and infoTypes of those with a finding."""

    outputs: Counter[str] = field(default_factory=Counter)
    leaking: dict[str, list[tuple[str, frozenset[str]]]] = field(default_factory=dict)
    unreadable: int = 0

    def add(self, task: str, name: str, info_types: Iterable[str]) -> None:
        """Count an output with the infoTypes found in it."""
        self.outputs[task] += 1
        if found := frozenset(info_types):
            self.leaking.setdefault(task, []).append((name, found))

    def merge(self, other: "Leaks") -> "Leaks":
        """Add other counts; returns itself."""
        self.outputs += other.outputs
        self.unreadable += other.unreadable
        for task, leaking in other.leaking.items():
            self.leaking.setdefault(task, []).extend(leaking)
        return self

    def figures(self) -> dict[str, Any]:
        """In total and by task: ``outputs``, ``leaking``, ``share``, its 95 % upper bound ``at_most``, and
        ``info_types``; besides, ``unreadable`` outputs.
        """
        return {
            "total": self._of(list(self.outputs)),
            "tasks": {task: self._of([task]) for task in sorted(self.outputs)},
            "unreadable": self.unreadable,
        }

    def _of(self, tasks: list[str]) -> dict[str, Any]:
        outputs = sum(self.outputs[task] for task in tasks)
        found = [kinds for task in tasks for _, kinds in self.leaking.get(task, ())]
        return {
            "outputs": outputs,
            "leaking": len(found),
            "share": len(found) / outputs if outputs else None,
            "at_most": upper_bound(len(found), outputs),
            "info_types": dict(sorted(Counter(kind for kinds in found for kind in kinds).items())),
        }


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
    names = {task: sorted(name for name, _ in found) for task, found in sorted(leaks.leaking.items())}
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
