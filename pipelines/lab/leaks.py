"""Run ``tacenda lab leak-scan``: search the outputs of a model, and tell how many have findings."""

from argparse import Namespace
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any

from tacenda.pipelines.command_line.arguments import read_options
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.lab.reading import Item, plan_with, rows_of, searched, tell
from tacenda.pipelines.measurement.evaluation import searching
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.scoring.intervals import upper_bound

Output = tuple[str, str, frozenset[str]]
"""An output of a model: its task, its id, and the infoTypes of what was found in it."""


def figures_of(outputs: Sequence[Output], unreadable: int) -> dict[str, Any]:
    """In total and by task: ``outputs``, ``leaking``, ``share``, its 95 % upper bound ``at_most``, and
    ``info_types``; besides, ``unreadable`` outputs, and ids of those ``leaking`` by task.
    """
    tasks: dict[str, list[Output]] = {}
    for output in sorted(outputs, key=lambda one: one[:2]):
        tasks.setdefault(output[0], []).append(output)
    leaking = {task: [name for _, name, kinds in several if kinds] for task, several in tasks.items()}
    return {
        "total": _figures(outputs),
        "tasks": {task: _figures(several) for task, several in tasks.items()},
        "unreadable": unreadable,
        "leaking": {task: names for task, names in leaking.items() if names},
    }


def _figures(outputs: Sequence[Output]) -> dict[str, Any]:
    leaking = sum(bool(kinds) for *_, kinds in outputs)
    return {
        "outputs": len(outputs),
        "leaking": leaking,
        "share": leaking / len(outputs) if outputs else None,
        "at_most": upper_bound(leaking, len(outputs)),
        "info_types": dict(sorted(Counter(kind for *_, kinds in outputs for kind in kinds).items())),
    }


def scan(arguments: Namespace) -> int:
    """Search the outputs that the arguments name; returns the exit code."""
    fields = {} if arguments.task is None else {arguments.task: "--task"}
    plan = plan_with(arguments.input, read_options(arguments), "--input", fields)
    _, settings = searching(arguments.config, arguments)
    search = partial(_search, settings=settings, fields=tuple(fields), speakers=arguments.generated)
    figures = figures_of(*rows_of(plan, search, arguments))
    if not figures["total"]["outputs"]:
        speakers = ", ".join(sorted(set(arguments.generated or ())))
        raise UserError(f"--input: no output{speakers and f' with a turn of {speakers}'} could be read")
    note = "'at most' is the exact 95 % upper bound of the share that these detectors would find"
    tell(arguments, figures, note)
    exceeded = arguments.at_most is not None and figures["total"]["at_most"] > arguments.at_most
    if exceeded:
        say(f"HELD: the share may be above {arguments.at_most:.2%}")
    return ExitCode.HELD if exceeded else ExitCode.DONE


def _search(
    item: Item, settings: ChainSettings, fields: Sequence[str], speakers: Collection[str] | None
) -> Iterator[Output | None]:
    """Search the outputs of a part; one without a turn of the ``speakers`` is not counted."""
    for one in searched(item, settings, fields):
        if one is None:
            yield None
            continue
        record, findings = one
        said = zip(record.turns, findings, strict=True)
        found = [own for (speaker, _), own in said if speakers is None or speaker in speakers]
        if found or speakers is None:
            task = next((value for value in record.values if value is not None), "")
            yield str(task), record.name, frozenset(one.info_type for own in found for one in own)
