"""Run ``tacenda lab canaries``: plant invented sentences, and measure how far a model memorised them."""

import heapq
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from operator import add
from typing import Any

import orjson

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import give_figures, indented_json, say
from tacenda.pipelines.executors.fold import fold
from tacenda.pipelines.lab.reading import batches, number_of, rows_with
from tacenda.pipelines.output.output_folder import empty_output
from tacenda.pipelines.work.gc_pause import gc_paused
from tacenda.pipelines.work.plan import Plan, plan_records
from tacenda.transforms.lab.memorization import (
    Canary,
    candidates,
    drawn,
    exposure_of,
    fingerprint,
    formats,
    summary,
)
from tacenda.transforms.lab.synthetic import priority
from tacenda.transforms.schema.conversation import OUTSIDE_TURNS, ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.schema.work_unit import Part
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.shapes.shape import Shape
from tacenda.transforms.storage.files import absolute, read_bytes
from tacenda.transforms.storage.json_values import plain_value
from tacenda.transforms.storage.publishing import publish, publish_bytes

_Chosen = list[tuple[int, str]]
"""Priority and id of conversations, the smallest priorities first."""

_CHOOSING = -1
"""The number of the draw, beside the samples that other commands number from 0."""

_OF_GOLD = frozenset(("gold", "spans"))
"""Names of fields that annotate the text."""


def memorization(arguments: Namespace) -> int:
    """Do what the arguments ask for; returns the exit code.

    Raises:
        UserError: an input cannot be used.
    """
    if arguments.what == "plant":
        return _plant(arguments)
    figures = {"version": version("tacenda"), **_exposure(arguments)}
    give_figures(arguments, figures, _exposure_lines(figures))
    return ExitCode.DONE


def _plant(arguments: Namespace) -> int:
    output = empty_output(arguments.output)
    plan = _plan(arguments)
    canaries = drawn(arguments.count, arguments.seed)
    run = partial(fold, plan.parts, workers=arguments.workers, text_bytes=plan.text_bytes)
    wanted = arguments.count * arguments.copies
    choose = partial(_choose, shape=plan.shape, count=wanted, seed=arguments.seed)
    chosen = run(choose, partial(_first, count=wanted))
    if len(chosen) < wanted:
        raise UserError(
            f"--count {arguments.count}: needs {wanted} conversations, and {len(chosen)} have a turn; plant "
            "fewer"
        )
    planted = {name: canaries[i % len(canaries)].text for i, (_, name) in enumerate(chosen)}
    counts = run(partial(_plant_part, shape=plan.shape, planted=planted, output=output), add)
    about = {
        "version": version("tacenda"),
        "seed": arguments.seed,
        "copies": arguments.copies,
        "canaries": [
            {"canary": one.name, "format": one.format, "space": one.size, "planted": one.fingerprint}
            for one in canaries
        ],
        **counts,
    }
    publish_bytes(f"{output}/canaries.json", indented_json(about))
    with publish(f"{output}/candidates.jsonl", private=True) as sink:
        for one in canaries:
            for text in candidates(one, arguments.candidates, arguments.seed):
                line = {"canary": one.name, "candidate": fingerprint(text), "text": text}
                sink.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
    where = redact_url(output)
    say(
        f"{len(canaries)} canaries in {wanted} conversations: train on {where}/corpus, the input's data\n"
        f"then write the model's loss on each text of {where}/candidates.jsonl as its score, and run:\n"
        f"tacenda lab canaries exposure --planted {where}/canaries.json --scores FILE"
    )
    return ExitCode.DONE


def _plan(arguments: Namespace) -> Plan:
    """The plan of the input, keeping all its fields except gold, which belongs to the unchanged text."""
    options = ReadOptions(unit_bytes=arguments.unit_bytes)
    plan = plan_records([absolute(url) for url in arguments.input], options, "--input")
    others = plan.field_treatment(options)["dropped"]
    copied = [name for name in others if name.rpartition(".")[2] not in _OF_GOLD]
    reasons = dict.fromkeys(copied, "the corpus is copied")
    copying = make_shape(plan.shape.name, replace(options, keep=tuple(copied), opaque=reasons))
    return replace(plan, shape=copying)


@gc_paused()
def _choose(part: Part, shape: Shape, count: int, seed: int) -> _Chosen:
    """Choose ``count`` conversations that a sentence can be added to."""
    ids = {
        name
        for batch, _ in batches(part, shape)
        for i, name in enumerate(batch.ids)
        if _last_cell(batch, i) is not None
    }
    return heapq.nsmallest(count, ((priority(name, seed, _CHOOSING), name) for name in ids))


def _first(one: _Chosen, other: _Chosen, count: int) -> _Chosen:
    return heapq.nsmallest(count, {*one, *other})


@gc_paused()
def _plant_part(part: Part, shape: Shape, planted: Mapping[str, str], output: str) -> Counter[str]:
    """Write a part as JSON lines, with a sentence at the end of each conversation in ``planted``."""
    lines: list[bytes] = []
    counts = Counter({"records": 0, "unreadable": 0})
    done: set[str] = set()
    for batch, rejected in batches(part, shape):
        counts["unreadable"] += rejected
        texts = list(batch.texts)
        for i, name in enumerate(batch.ids):
            cell = _last_cell(batch, i)
            if name in planted and name not in done and cell is not None:
                texts[cell] = f"{texts[cell]} {planted[name]}".lstrip()
                done.add(name)
        records = shape.write_records(batch, texts, batch.speakers)
        lines += [orjson.dumps(record, plain_value, orjson.OPT_APPEND_NEWLINE) for record in records]
    with publish(f"{output}/corpus/{part.name}.jsonl", private=True) as sink:
        sink.writelines(lines)
    return counts + Counter(records=len(lines), planted=len(done))


def _last_cell(batch: ConversationBatch, i: int) -> int | None:
    """The last spoken text of a conversation; None if there is none."""
    for cell in reversed(batch.cells(i)):
        if batch.turns[cell] != OUTSIDE_TURNS and batch.parts[cell] is None:
            return cell
    return None


def _exposure(arguments: Namespace) -> dict[str, Any]:
    where = arguments.planted
    try:
        listed = orjson.loads(read_bytes(absolute(where)))["canaries"]
        canaries = {one["canary"]: Canary(one["canary"], one["format"], 0, one["space"]) for one in listed}
        planted = {one["canary"]: one["planted"] for one in listed}
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(f"--planted {where}: is no canaries.json; give the one that 'plant' wrote") from None
    scores: dict[str, dict[str, float]] = {name: {} for name in canaries}
    for url in arguments.scores:
        for canary, candidate, score in rows_with(url, ("canary", "candidate", "score"), "--scores"):
            if canary not in scores:
                raise UserError(f"--scores {url}: has a canary that was not planted; score candidates.jsonl")
            scores[canary][str(candidate)] = number_of(
                score, f"--scores {url}: a score is not a number; give a loss, such as the mean by token"
            )
    found = []
    for name, canary in canaries.items():
        others = scores[name]
        own = others.pop(planted[name], None)
        if own is None or not others:
            raise UserError(
                f"--scores: {name} or its candidates have no score; score all of candidates.jsonl"
            )
        found.append(exposure_of(canary, own, list(others.values())))
    by_format = {
        name: summary(several)
        for name in formats()
        if (several := [one for one in found if one["format"] == name])
    }
    return {"total": summary(found), "formats": by_format, "canaries": found}


def _exposure_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    yield f"{'canaries':<16}{'':>6}{'mean bits':>11}{'max':>8}{'p':>10}"
    for name, part in {**figures["formats"], "total": figures["total"]}.items():
        yield f"{name:<16}{part['canaries']:>6,}{part['mean']:>11.2f}{part['max']:>8.2f}{part['p']:>10.2g}"
    sampled = sum(not one["exact"] for one in figures["canaries"])
    if sampled:
        most = max(one["most"] for one in figures["canaries"])
        yield f"{sampled:,} of them by a sample, which shows {most:.1f} bits at most"
    without = figures["total"]["mean_without_memory"]
    yield f"without memory the mean is {without:.2f} bits; a small p says that there is some"
