"""Run ``tacenda lab utility``: draw the same conversations of each version, train, and show what was lost.

Only the drawn conversations are collected, as many as the user says.
"""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import give_figures
from tacenda.pipelines.executors.fold import fold
from tacenda.pipelines.lab.reading import Drawn, Record, drawn_of, first_of, items_of, plan_with
from tacenda.transforms.lab.synthetic import tokens
from tacenda.transforms.lab.utility import Corpus, compare
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.options import ReadOptions

_ORIGINAL, _HELD_OUT = "original", "held-out"


def utility(arguments: Namespace) -> int:
    """Measure, as the arguments say; returns the exit code.

    Raises:
        UserError: an input cannot be used.
    """
    urls = {_ORIGINAL: arguments.original}
    for name, url in arguments.anonymized:
        urls.setdefault(name, []).append(url)
        if name in (_ORIGINAL, _HELD_OUT):
            raise UserError(f"--anonymized {name}: is the name of another corpus; choose one")
    urls[_HELD_OUT] = arguments.held_out
    task = {} if arguments.task is None else {arguments.task: "--task"}
    plans = {}
    for name, several in urls.items():
        option = f"--{name}" if name in (_ORIGINAL, _HELD_OUT) else f"--anonymized {name}"
        plans[name] = plan_with(several, ReadOptions(unit_bytes=arguments.unit_bytes), option, task)
    draw = partial(drawn_of, count=arguments.records, seed=arguments.seed, fields=tuple(task))
    size = sum(plan.text_bytes for plan in plans.values())
    merge = partial(first_of, count=arguments.records)
    drawn = fold(items_of(plans), draw, merge, arguments.workers, size)
    corpora = _aligned(drawn, list(urls)[1:-1])
    original, held_out = corpora.pop(_ORIGINAL), corpora.pop(_HELD_OUT)
    report = compare(original, corpora, held_out, arguments.bootstrap, arguments.seed)
    give_figures(arguments, {"version": version("tacenda"), **report}, _lines(report))
    return ExitCode.DONE


def _aligned(drawn: Drawn, versions: Sequence[str]) -> dict[str, Corpus]:
    """The conversations that the original and all versions have, in one order; and the held-out ones."""
    by_name = {
        name: {record.name: record for _, record in drawn.get(name, ())} for name in (_ORIGINAL, *versions)
    }
    shared = sorted(set.intersection(*map(set, by_name.values())))
    if not shared:
        raise UserError("--anonymized: has no conversation of the original; give one made from it")
    held_out = [record for _, record in drawn.get(_HELD_OUT, ())]
    if {record.name for record in held_out} & {*by_name[_ORIGINAL]}:
        raise UserError("--held-out: has conversations of the original; give others")
    if not held_out:
        raise UserError("--held-out: no conversation could be read")
    corpora = {name: _corpus([of_version[i] for i in shared]) for name, of_version in by_name.items()}
    return {**corpora, _HELD_OUT: _corpus(held_out)}


def _corpus(records: Sequence[Record]) -> Corpus:
    classes = [str(value) for record in records for value in record.values]
    return Corpus([tokens(record.text) for record in records], classes or None)


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"trained on {report['records']:,} conversations, judged by {report['held_out']:,} original ones; "
        f"{report['vocabulary']:,} words"
    )
    has_task = "f1" in report
    yield f"{'':<16}{'ROUGE-1':>9}" + (f"{'F1':>8}{'cost':>9}" if has_task else "")
    if has_task:
        yield f"{'original':<16}{'':>9}{report['f1']:>8.3f}"
    for name, one in report["versions"].items():
        of_task = f"{one['f1']:>8.3f}{one['f1_cost']:>9.1%}" if has_task else ""
        yield f"{name:<16}{one['rouge_1']['f1']:>9.3f}{of_task}"
    for name, one in report["versions"].items():
        if one.get("high"):
            yield f"{name}: anonymisation costs more than 5 % of F1"
