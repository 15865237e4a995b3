"""Run ``tacenda lab canaries``: plant invented sentences, and measure how far a model memorised them.

Canaries are drawn by a seed from a known space and planted in training data. A model that memorised one finds
it likelier than the others of its space. Files identify a canary by the hash of its text.

``exposure = log2 |R| - log2 rank`` over a space R (N. Carlini et al., "The Secret Sharer: Evaluating and
Testing Unintended Memorization in Neural Networks", USENIX Security 2019, definition 2). With scores of a
sample only, it is estimated from the rank in the sample, which bounds it.
"""

import hashlib
import heapq
import random
import re
from argparse import Namespace
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from itertools import cycle, islice
from math import log, log2, prod
from typing import Any, NamedTuple

import numpy as np
import orjson

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import indented_json, say
from tacenda.pipelines.lab.reading import Item, batches, number_of, priority, rows_of, rows_with, tell
from tacenda.pipelines.output.output_folder import empty_output
from tacenda.pipelines.work.plan import plan_records
from tacenda.transforms.schema.conversation import OUTSIDE_TURNS, ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.storage.files import absolute, read_bytes
from tacenda.transforms.storage.json_values import plain_value
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.publishing import publish, publish_bytes
from tacenda.transforms.storage.yaml_text import data_file

_GAP = re.compile(r"\{(\w+)\}")

_CHOOSING = -1  # the number of the draw, beside the samples that other commands number from 0
_OF_GOLD = frozenset(("gold", "spans"))  # names of fields that annotate the text


class Canary(NamedTuple):
    """One canary: its ``name`` in files, its format, which has ``size`` texts, and the one that is planted."""

    name: str
    format: str
    size: int
    text: str


def fingerprint(text: str) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@built_once
def formats() -> dict[str, tuple[str, list[Sequence[str]]]]:
    """By name, the sentence of a format with a place for each gap, and what may be in each."""
    data = data_file(__package__, "canaries.yaml")
    words = {name: several.split() for name, several in data["words"].items()}
    return {
        name: (_GAP.sub("{}", sentence), [words[gap] for gap in _GAP.findall(sentence)])
        for name, sentence in data["formats"].items()
    }


def text_of(name: str, draw: random.Random) -> str:
    """A random text of a format."""
    sentence, gaps = formats()[name]
    return sentence.format(*map(draw.choice, gaps))


def canaries_of(count: int, seed: int) -> list[Canary]:
    """``count`` canaries, of each format in turn; the same for the same seed."""
    draw = random.Random(seed)  # noqa: S311 - no secret
    return [
        Canary(f"c{i:04d}", name, prod(map(len, formats()[name][1])), text_of(name, draw))
        for i, name in enumerate(islice(cycle(formats()), count))
    ]


def candidates(canary: Canary, count: int, seed: int) -> list[str]:
    """The canary and ``count`` other texts of its format, in an order that does not reveal it."""
    draw = random.Random(f"{seed}/{canary.name}")  # noqa: S311 - no secret
    texts = {canary.text}
    while len(texts) <= count:
        texts.add(text_of(canary.format, draw))
    return sorted(texts)


def exposure_of(planted: float, others: Sequence[float]) -> dict[str, Any]:
    """The exposure of a canary.

    Scores are losses, the lower the likelier; ``others`` are those of other texts of its format, at least one.

    Returns:
        ``rank`` among ``scored`` texts, 1 for the lowest score, the middle rank of equal ones; ``exposure`` in
        bits, at most ``most``, which is log2 of ``scored``.
    """
    scores = np.asarray(others)
    scored = len(others) + 1
    rank = float(1 + (scores < planted).sum() + (scores == planted).sum() / 2)
    exposure, most = round(log2(scored) - log2(rank), 3), round(log2(scored), 3)
    return {"scored": scored, "rank": rank, "exposure": exposure, "most": most}


def summary(exposures: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Over all canaries: ``mean`` and ``max`` exposure, and ``p``, the probability of such a mean without
    memorisation.

    Without memorisation, every rank is equally likely, exposures are exponentially distributed with a mean of
    1.44 bits, and their sum follows an Erlang distribution.
    """
    from scipy.special import gammaincc

    values = [one["exposure"] for one in exposures]
    return {
        "canaries": len(values),
        "mean": round(float(np.mean(values)), 3),
        "max": max(values),
        "mean_without_memory": round(1 / log(2), 3),
        "p": float(gammaincc(len(values), sum(values) * log(2))),
    }


def memorization(arguments: Namespace) -> int:
    """Do what the arguments ask for; returns the exit code."""
    if arguments.what == "exposure":
        note = "a mean above that without memory and a small p say that there is some memory"
        figures = {"version": version("tacenda"), **_exposure(arguments)}
        tell(arguments, figures, f"exposure is in bits; {note}")
        return ExitCode.DONE
    output = empty_output(arguments.output)
    options = ReadOptions(unit_bytes=arguments.unit_bytes)
    plan = plan_records([absolute(url) for url in arguments.input], options, "--input")
    # All fields are kept but gold, which belongs to the unchanged text.
    others = plan.field_treatment(options)["dropped"]
    copied = tuple(name for name in others if name.rpartition(".")[2] not in _OF_GOLD)
    options = replace(options, keep=copied, opaque=dict.fromkeys(copied, "the corpus is copied"))
    plan = replace(plan, shape=make_shape(plan.shape.name, options))
    canaries = canaries_of(arguments.count, arguments.seed)
    wanted = arguments.count * arguments.copies
    choose = partial(_choose, count=wanted, seed=arguments.seed)
    several, _ = rows_of(plan, choose, arguments)
    chosen = heapq.nsmallest(wanted, {*several})
    if len(chosen) < wanted:
        raise UserError(f"--count: needs {wanted} conversations, and {len(chosen)} have a turn; plant fewer")
    planted = {name: canaries[i % len(canaries)].text for i, (_, name) in enumerate(chosen)}
    several, _ = rows_of(plan, partial(_plant_part, planted=planted, output=output), arguments)
    counts: Counter[str] = sum(several, Counter())
    about = {
        "version": version("tacenda"),
        "seed": arguments.seed,
        "copies": arguments.copies,
        "canaries": [
            {"canary": one.name, "format": one.format, "space": one.size, "planted": fingerprint(one.text)}
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


def _choose(item: Item, count: int, seed: int) -> list[tuple[int, str]]:
    """Priority and id of ``count`` conversations that a sentence can be added to, the smallest first."""
    every = ((batch, i, name) for batch, _ in batches(item) for i, name in enumerate(batch.ids))
    names = {name for batch, i, name in every if _last_cell(batch, i) is not None}
    return heapq.nsmallest(count, ((priority(name, seed, _CHOOSING), name) for name in names))


def _plant_part(item: Item, planted: Mapping[str, str], output: str) -> list[Counter[str]]:
    """Write a part as JSON lines, with a sentence at the end of each conversation in ``planted``."""
    counts = Counter[str]()
    done: set[str] = set()
    with publish(f"{output}/corpus/{item.part.name}.jsonl", private=True) as sink:
        for batch, rejected in batches(item):
            texts = list(batch.texts)
            for i, name in enumerate(batch.ids):
                cell = _last_cell(batch, i)
                if name in planted and name not in done and cell is not None:
                    texts[cell] = f"{texts[cell]} {planted[name]}".lstrip()
                    done.add(name)
            records = item.shape.write_records(batch, texts, batch.speakers)
            sink.writelines(orjson.dumps(one, plain_value, orjson.OPT_APPEND_NEWLINE) for one in records)
            counts.update(records=len(batch.ids), unreadable=rejected)
    return [counts + Counter(planted=len(done))]


def _last_cell(batch: ConversationBatch, i: int) -> int | None:
    """The last spoken text of a conversation; None if there is none."""
    spoken = (c for c in batch.cells(i) if batch.turns[c] != OUTSIDE_TURNS and batch.parts[c] is None)
    return max(spoken, default=None)


def _exposure(arguments: Namespace) -> dict[str, Any]:
    where = arguments.planted
    try:
        listed = orjson.loads(read_bytes(absolute(where)))["canaries"]
        planted = {one["canary"]: (one["planted"], one["format"]) for one in listed}
    except (OSError, ValueError, KeyError, TypeError):
        raise UserError(f"--planted {where}: is no canaries.json; give the one that 'plant' wrote") from None
    scores: dict[str, dict[str, float]] = {name: {} for name in planted}
    for url in arguments.scores:
        for canary, candidate, score in rows_with(url, ("canary", "candidate", "score"), "--scores"):
            if canary not in scores:
                raise UserError(f"--scores {url}: has a canary that was not planted; score candidates.jsonl")
            scores[canary][str(candidate)] = number_of(
                score, f"--scores {url}: a score is not a number; give a loss, such as the mean by token"
            )
    found: list[dict[str, Any]] = []
    for name, (text, form) in planted.items():
        own = scores[name].pop(text, None)
        if own is None or not scores[name]:
            raise UserError(f"--scores: {name} or others have no score; score all of candidates.jsonl")
        found.append({"canary": name, "format": form, **exposure_of(own, list(scores[name].values()))})
    by_format = {name: [one for one in found if one["format"] == name] for name in formats()}
    return {
        "total": summary(found),
        "formats": {name: summary(several) for name, several in by_format.items() if several},
        "canaries": found,
    }
