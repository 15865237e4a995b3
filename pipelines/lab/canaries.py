"""Run ``tacenda lab canaries``: plant invented sentences, and measure how far a model memorised them."""

import hashlib
import heapq
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from typing import Any

import orjson

from tacenda.pipelines.command_line.arguments import refuse_unknown
from tacenda.pipelines.command_line.exit_codes import ExitCode
from tacenda.pipelines.command_line.figures import indented_json
from tacenda.pipelines.command_line.terminal import answer, say
from tacenda.pipelines.executors.beam_options import beam_arguments
from tacenda.pipelines.executors.fold import run_fold
from tacenda.pipelines.lab.reading import batches, number_of, rows_with
from tacenda.pipelines.output.output_folder import empty_output
from tacenda.pipelines.work.fold import Fold
from tacenda.pipelines.work.gc_pause import gc_paused
from tacenda.pipelines.work.plan import Plan, plan_records
from tacenda.transforms.lab.memorization import (
    Canary,
    candidates,
    drawn,
    exposure_of,
    fingerprint,
    formats,
    membership,
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
from tacenda.transforms.storage.files import absolute, exists, read_bytes
from tacenda.transforms.storage.json_values import plain_value
from tacenda.transforms.storage.publishing import publish

Chosen = list[tuple[int, str]]
"""Priority and id of conversations, the smallest priorities first."""

_CHOOSING = -1
"""The number of the draw, beside the samples that other commands number from 0."""


def choosing_job(
    parts: Sequence[Part], shape: Shape, count: int, seed: int, finish: Any
) -> Fold[Part, Chosen]:
    """Choose ``count`` conversations that a sentence can be added to."""
    of_part = partial(_choose, shape=shape, count=count, seed=seed)
    return Fold(parts, of_part, partial(_first, count=count), finish)


def planting_job(
    parts: Sequence[Part], shape: Shape, planted: Mapping[str, str], output: str, finish: Any
) -> Fold[Part, dict[str, Any]]:
    """Write the corpus as JSON lines, with a sentence at the end of each conversation whose id is in
    ``planted``.
    """
    of_part = partial(_plant_part, shape=shape, planted=planted, output=output)
    return Fold(parts, of_part, _added, finish)


@gc_paused()
def _choose(part: Part, shape: Shape, count: int, seed: int) -> Chosen:
    ids = {
        name
        for batch, _ in batches(part, shape)
        for i, name in enumerate(batch.ids)
        if _last_cell(batch, i) is not None
    }
    return heapq.nsmallest(count, ((priority(name, seed, _CHOOSING), name) for name in ids))


def _first(one: Chosen, other: Chosen, count: int) -> Chosen:
    return heapq.nsmallest(count, {*one, *other})


@gc_paused()
def _plant_part(part: Part, shape: Shape, planted: Mapping[str, str], output: str) -> dict[str, Any]:
    lines: list[bytes] = []
    unreadable = 0
    done: set[str] = set()
    for batch, rejected in batches(part, shape):
        unreadable += rejected
        texts = list(batch.texts)
        for i, name in enumerate(batch.ids):
            cell = _last_cell(batch, i)
            if name in planted and name not in done and cell is not None:
                texts[cell] = f"{texts[cell]} {planted[name]}".lstrip()
                done.add(name)
        records = shape.write_records(batch, texts, batch.speakers)
        lines += [orjson.dumps(record, plain_value, orjson.OPT_APPEND_NEWLINE) for record in records]
    name = f"corpus/{part.name}.jsonl"
    with publish(f"{output}/{name}", private=True) as sink:
        sink.writelines(lines)
    digest = hashlib.sha256(b"".join(lines)).hexdigest()
    return {"records": len(lines), "unreadable": unreadable, "planted": len(done), "files": {name: digest}}


def _added(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    counts = {name: one[name] + other[name] for name in ("records", "unreadable", "planted")}
    return {**counts, "files": {**one["files"], **other["files"]}}


def _last_cell(batch: ConversationBatch, i: int) -> int | None:
    """The last spoken text of a conversation; None if there is none."""
    for cell in reversed(batch.cells(i)):
        if batch.turns[cell] != OUTSIDE_TURNS and batch.parts[cell] is None:
            return cell
    return None


_TRUTH = {"true": True, "1": True, "false": False, "0": False}


_OF_GOLD = frozenset(("gold", "spans"))
"""Names of fields that annotate the text."""


def memorization(arguments: Namespace, extra: Sequence[str]) -> int:
    """Do what the arguments ask for; returns the exit code.

    Raises:
        UserError: an input cannot be used.
    """
    if arguments.what == "plant":
        return _plant(arguments, extra)
    refuse_unknown(extra, "canaries")
    told = _exposure_lines if arguments.what == "exposure" else _membership_lines
    figures = _exposure(arguments) if arguments.what == "exposure" else _membership(arguments)
    if arguments.json:
        answer(indented_json({"version": version("tacenda"), **figures}).decode())
    else:
        say("\n".join(told(figures)))
    return ExitCode.DONE


def _plant(arguments: Namespace, extra: Sequence[str]) -> int:
    output = empty_output(arguments.output)
    plan = _plan(arguments)
    canaries = drawn(arguments.count, arguments.seed)
    run = partial(
        run_fold,
        beam_args=beam_arguments(arguments, extra),
        workers=arguments.workers,
        text_bytes=plan.text_bytes,
    )
    wanted = arguments.count * arguments.copies
    work = f"{output}/chosen.json"
    run(choosing_job(plan.parts, plan.shape, wanted, arguments.seed, partial(_write_chosen, url=work)))
    ids: list[str] = orjson.loads(read_bytes(work))
    if len(ids) < wanted:
        raise UserError(
            f"--count {arguments.count}: needs {wanted} conversations, and {len(ids)} have a turn; plant fewer"
        )
    planted = {name: canaries[number % len(canaries)].text for number, name in enumerate(ids)}
    about = {
        "version": version("tacenda"),
        "seed": arguments.seed,
        "copies": arguments.copies,
        "manifest": _manifest_of(arguments.input),
        "canaries": [
            {"canary": one.name, "format": one.format, "space": one.size, "planted": one.fingerprint}
            for one in canaries
        ],
    }
    finish = partial(_write_planted, output=output, about=about)
    run(planting_job(plan.parts, plan.shape, planted, output, finish))
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


def _manifest_of(urls: Sequence[str]) -> dict[str, str]:
    """The hashes of the manifests of the runs that wrote the input, by folder."""
    found: dict[str, str] = {}
    for url in urls:
        whole = absolute(url).rstrip("/")
        for folder in (whole, whole.rpartition("/")[0]):
            if exists(f"{folder}/manifest.json"):
                digest = hashlib.sha256(read_bytes(f"{folder}/manifest.json")).hexdigest()
                found[redact_url(folder)] = digest
    return found


def _write_chosen(chosen: Chosen, url: str) -> None:
    with publish(url, private=True) as sink:
        sink.write(orjson.dumps([name for _, name in chosen]))


def _write_planted(counts: dict[str, Any], output: str, about: Mapping[str, Any]) -> None:
    whole = {**about, **counts, "files": dict(sorted(counts["files"].items()))}
    with publish(f"{output}/canaries.json") as sink:
        sink.write(indented_json(whole))


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
            scores[canary][str(candidate)] = number_of(score, url, "--scores")
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


def _membership(arguments: Namespace) -> dict[str, Any]:
    losses: dict[bool, list[float]] = {True: [], False: []}
    for url in arguments.scores:
        for member, score in rows_with(url, ("member", "score"), "--scores"):
            is_member = _TRUTH.get(str(member).lower())
            if is_member is None:
                raise UserError(f"--scores {url}: member is true or false in each row")
            losses[is_member].append(number_of(score, url, "--scores"))
    if min(map(len, losses.values())) < _LEAST:
        raise UserError(f"--scores: needs at least {_LEAST} members and {_LEAST} others")
    return membership(losses[True], losses[False])


_LEAST = 2


def _exposure_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    yield f"{'canaries':<16}{'':>6}{'mean bits':>11}{'max':>8}{'p':>10}"
    for name, part in {**figures["formats"], "total": figures["total"]}.items():
        yield f"{name:<16}{part['canaries']:>6,}{part['mean']:>11.2f}{part['max']:>8.2f}{part['p']:>10.2g}"
    sampled = sum(not one["exact"] for one in figures["canaries"])
    if sampled:
        most = max(one["most"] for one in figures["canaries"])
        fitted = [one["fitted"] for one in figures["canaries"] if one["fitted"] is not None]
        beyond = f"; by a fitted distribution, at most {max(fitted):.1f}" if fitted else ""
        yield f"{sampled:,} of them by a sample, which shows {most:.1f} bits at most{beyond}"
    without = figures["total"]["mean_without_memory"]
    yield f"without memory the mean is {without:.2f} bits; a small p says that there is some"


def _membership_lines(figures: Mapping[str, Any]) -> Iterator[str]:
    low, high = figures["auc_95"]
    yield f"{figures['members']:,} members, {figures['others']:,} others"
    yield f"AUC {figures['auc']:.3f} ({low:.3f} to {high:.3f}); .5 is chance"
    for rate, found in figures["true_positive_rates"].items():
        if found is None:
            yield f"at a false positive rate of {rate}: too few others to measure it"
        else:
            low, high = found["rate_95"]
            of_members = f"{found['rate']:.3f} of the members ({low:.3f} to {high:.3f})"
            yield f"at a false positive rate of {rate}: {of_members}"
