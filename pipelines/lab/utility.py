"""Run ``tacenda lab utility``: draw the same conversations of each version, train, and show what was lost.

Only the drawn conversations are collected, as many as the user says.
"""

import heapq
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any, NamedTuple

from tacenda.pipelines.command_line.exit_codes import ExitCode
from tacenda.pipelines.command_line.figures import give_figures
from tacenda.pipelines.executors.beam_options import beam_arguments
from tacenda.pipelines.lab.audit_jobs import Item, records_of
from tacenda.pipelines.lab.reading import added_up
from tacenda.pipelines.work.gc_pause import gc_paused
from tacenda.pipelines.work.plan import Plan, plan_records
from tacenda.transforms.lab.synthetic import priority, tokens
from tacenda.transforms.lab.utility import Corpus, Resampling, compare, compare_networks
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.files import absolute

_ORIGINAL, _HELD_OUT = "original", "held-out"


class Record(NamedTuple):
    """A drawn conversation: its priority, id, text, and class ("" without a task)."""

    priority: int
    name: str
    text: str
    label: str


Drawn = dict[str, list[Record]]
"""By version, the conversations with the smallest priorities. These depend on the id, so that all versions
have the same.
"""


def utility(arguments: Namespace, extra: Sequence[str]) -> int:
    """Measure, as the arguments say; returns the exit code.

    Raises:
        UserError: an input cannot be used.
    """
    if arguments.network and find_spec("torch") is None:
        raise UserError("--network: needs PyTorch; install it with pip install '.[train]'")
    urls = {_ORIGINAL: arguments.original}
    for name, url in arguments.anonymized:
        urls.setdefault(name, []).append(url)
        if name in (_ORIGINAL, _HELD_OUT):
            raise UserError(f"--anonymized {name}: is the name of another corpus; choose one")
    urls[_HELD_OUT] = arguments.held_out
    plans = {name: _plan(arguments, name, several) for name, several in urls.items()}
    items = [Item(name, part, plan.shape) for name, plan in plans.items() for part in plan.parts]
    draw = partial(_draw, count=arguments.records, seed=arguments.seed, task=arguments.task)
    if beam_arguments(arguments, extra):
        raise UserError("tacenda lab utility runs on this machine; leave Beam's options out")
    size = sum(plan.text_bytes for plan in plans.values())
    drawn = added_up(items, draw, partial(_first, count=arguments.records), arguments.workers, size)
    corpora = _aligned(drawn, list(urls)[1:-1], arguments.task)
    original, held_out = corpora.pop(_ORIGINAL), corpora.pop(_HELD_OUT)
    report = compare(original, corpora, held_out, Resampling(arguments.bootstrap, arguments.seed))
    if arguments.network:
        from tacenda.models.training.small_causal import held_out_nats

        report["network"] = compare_networks(original, corpora, held_out, arguments.seeds, held_out_nats)
    give_figures(arguments, {"version": version("tacenda"), **report}, _lines(report))
    return ExitCode.DONE


def _plan(arguments: Namespace, name: str, urls: Sequence[str]) -> Plan:
    keep = () if arguments.task is None else (arguments.task,)
    options = ReadOptions(
        keep=keep,
        opaque=dict.fromkeys(keep, "it is the class to learn"),
        unit_bytes=arguments.unit_bytes,
    )
    option = f"--{name}" if name in (_ORIGINAL, _HELD_OUT) else f"--anonymized {name}"
    plan = plan_records([absolute(url) for url in urls], options, option)
    if plan.unseen:
        raise UserError(f"--task {arguments.task}: no record of {option} has this field")
    return plan


@gc_paused()
def _draw(item: Item, count: int, seed: int, task: str | None) -> Drawn:
    events = None if task is None else (task, task)
    drawn = (
        Record(priority(one.name, seed, 0), one.name, one.text, one.pair[0] if one.pair else "")
        for one in records_of(item, events)
        if one is not None and (task is None or one.pair)
    )
    return {item.origin: heapq.nsmallest(count, drawn)}


def _first(one: Drawn, other: Drawn, count: int) -> Drawn:
    return {
        name: heapq.nsmallest(count, [*one.get(name, ()), *other.get(name, ())])
        for name in sorted({*one, *other})
    }


def _aligned(drawn: Drawn, versions: Sequence[str], task: str | None) -> dict[str, Corpus]:
    """The conversations that the original and all versions have, in one order; and the held-out ones."""
    by_name = {
        name: {record.name: record for record in drawn.get(name, ())} for name in (_ORIGINAL, *versions)
    }
    shared = sorted(set.intersection(*map(set, by_name.values())))
    if not shared:
        raise UserError("--anonymized: has no conversation of the original; give one made from it")
    if {record.name for record in drawn.get(_HELD_OUT, ())} & {*by_name[_ORIGINAL]}:
        raise UserError("--held-out: has conversations of the original; give others")
    if not drawn.get(_HELD_OUT):
        raise UserError("--held-out: no conversation could be read")
    corpora = {name: _corpus([of_version[i] for i in shared], task) for name, of_version in by_name.items()}
    return {**corpora, _HELD_OUT: _corpus(drawn[_HELD_OUT], task)}


def _corpus(records: Sequence[Record], task: str | None) -> Corpus:
    texts = [tokens(record.text) for record in records]
    return Corpus(texts, None if task is None else [record.label for record in records])


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    yield (
        f"trained on {report['records']:,} conversations, judged by {report['held_out']:,} original ones; "
        f"{report['vocabulary']:,} words"
    )
    task = "" if "f1" not in report else f"{'F1':>8}{'cost':>9}"
    yield f"{'':<16}{'ROUGE-1':>9}{'perplexity':>12}{'cost':>9}{'of kept words':>15}{task}"
    of_task = "" if "f1" not in report else f"{report['f1']:>8.3f}{'':>9}"
    yield f"{'original':<16}{'':>9}{report['perplexity']:>12.1f}{'':>24}{of_task}"
    for name, one in report["versions"].items():
        of_task = "" if "f1" not in one else f"{one['f1']:>8.3f}{one['f1_cost']:>9.1%}"
        yield (
            f"{name:<16}{one['rouge_1']['f1']:>9.3f}{one['perplexity']:>12.1f}{one['perplexity_cost']:>9.1%}"
            f"{one['kept_words_cost']:>15.1%}{of_task}"
        )
    network = report.get("network")
    if network:
        yield f"a small network, {network['seeds']} seeds: perplexity {network['original']['perplexity']:.1f}"
        for name in report["versions"]:
            low, high = network[name]["cost_range"]
            cost = f"cost {network[name]['cost']:.1%} ({low:.1%} to {high:.1%})"
            yield f"{name:<16}{network[name]['perplexity']:>21.1f}  {cost}"
    names = {"perplexity_cost": "perplexity", "kept_words_cost": "perplexity of kept words", "f1_cost": "F1"}
    for name, one in report["versions"].items():
        for cost in one["dear"]:
            yield f"{name}: anonymisation costs more than 5 % of {names[cost]}"
