"""Run ``tacenda lab audit``: a synthetic corpus beside its source, in two passes over both.

The first pass writes signatures of the synthetic records in blocks and counts records. The second compares
each record of both corpora with every block, and counts words. Only counts, ids of copies and 8 bytes for each
record of the source and each sample are collected; samples are drawn from the latter.
"""

import csv
import io
import json
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import answer, figure, indented_json, say
from tacenda.pipelines.executors.fold import fold
from tacenda.pipelines.lab.reading import (
    Drawn,
    Item,
    Record,
    drawn_of,
    first_of,
    items_of,
    plan_with,
    records_of,
)
from tacenda.pipelines.output.output_folder import empty_output
from tacenda.pipelines.work.gc_pause import gc_paused
from tacenda.transforms.lab.synthetic import (
    QUESTIONS,
    SOURCE,
    SYNTHETIC,
    Diversity,
    Pair,
    agreement,
    compare_frequencies,
    compare_tags,
    fingerprint,
    mean_and_deviation,
    priority,
    sheet,
    signatures,
    similar_pairs,
    tags_of,
    tokens,
)
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.files import absolute, list_folder, read_bytes, read_text, remove_folder
from tacenda.transforms.storage.publishing import publish, publish_bytes

_ANSWERS = {"yes": True, "y": True, "no": False, "n": False}

_AT_ONCE = 1024
"""Records compared with a block together: 32 MB of signatures on each side."""


class _Settings(NamedTuple):
    """How two corpora are compared.

    ``threshold``: cosine above which records are near copies. ``samples``: how many of the source, drawn by
    ``seed``. ``events``: fields with a group and an event, or none. ``tags``: fields with parts of speech, at
    most one. ``work``: folder for the blocks.
    """

    threshold: float
    samples: int
    seed: int
    events: tuple[str, ...]
    tags: tuple[str, ...]
    work: str

    def keys(self, name: str) -> list[int]:
        """The priorities of a record of the source, one for each sample."""
        return [priority(name, self.seed, sample) for sample in range(self.samples)]


def audit(arguments: Namespace) -> int:
    """Do what the arguments ask for; returns the exit code.

    Raises:
        UserError: an input cannot be used.
    """
    if arguments.what == "answers":
        return _answers(arguments)
    output = empty_output(arguments.output)
    events = tuple((arguments.events or "").split(",", 1)) if arguments.events is not None else ()
    if events and (len(events) < 2 or not all(events)):
        raise UserError(f"--events {arguments.events}: write two fields, as in drug,effect")
    tags = (arguments.tags,) if arguments.tags else ()
    options = ReadOptions(unit_bytes=arguments.unit_bytes)
    fields = {**dict.fromkeys(events, "--events"), **dict.fromkeys(tags, "--tags")}
    plans = {
        origin: plan_with(getattr(arguments, origin), options, f"--{origin}", fields)
        for origin in (SOURCE, SYNTHETIC)
    }
    size = sum(plan.text_bytes for plan in plans.values())
    run = partial(fold, items_of(plans), workers=arguments.workers, text_bytes=size)
    if arguments.what == "questions":
        draw = partial(drawn_of, count=arguments.count, seed=arguments.seed)
        _write_questions(run(draw, partial(first_of, count=arguments.count)), output, arguments.seed)
        say(
            f"sheet in {redact_url(output)}/sheet.csv: a copy for each of two people, who answer yes or no; "
            "keep key.json from them\n"
            f"then: tacenda lab audit answers --key {redact_url(output)}/key.json --sheets A B"
        )
        return ExitCode.DONE
    work = f"{output}/work"
    settings = _Settings(arguments.threshold, arguments.samples, arguments.seed, events, tags, work)
    counts = run(partial(_count, settings=settings), _Counted.merge)
    for origin in (SOURCE, SYNTHETIC):
        if not counts.records[origin]:
            raise UserError(f"--{origin}: no record could be read")
    compare = partial(_compare, settings=settings, thresholds=counts.thresholds())
    report = _write_comparison(run(compare, _Compared.merge), output, counts, settings)
    remove_folder(work)
    if arguments.json:
        answer(indented_json(report).decode())
    else:
        say("\n".join(_lines(report)))
        say(f"every figure in {redact_url(output)}/audit.json, ids of copies in copies.jsonl")
    return ExitCode.DONE if report["passed"] else ExitCode.HELD


@dataclass
class _Counted:
    """What the first pass counts. ``keys``: for each part of the source, the priorities of its records, a row a
    record.
    """

    records: Counter[str] = field(default_factory=Counter)
    unreadable: Counter[str] = field(default_factory=Counter)
    keys: list[npt.NDArray[np.int64]] = field(default_factory=list)

    def merge(self, other: "_Counted") -> "_Counted":
        """Add other counts; returns itself."""
        self.records += other.records
        self.unreadable += other.unreadable
        self.keys += other.keys
        return self

    def thresholds(self) -> list[int]:
        """For each sample, the highest priority in it: samples are as large as the synthetic corpus."""
        keys = np.concatenate(self.keys)
        last = min(self.records[SYNTHETIC], len(keys)) - 1
        thresholds: list[int] = np.partition(keys, last, axis=0)[last].tolist()
        return thresholds


@gc_paused()
def _count(item: Item, settings: _Settings) -> _Counted:
    """The first pass."""
    counted = _Counted()
    for number, records in enumerate(_in_blocks(item, settings, counted.unreadable)):
        counted.records[item.origin] += len(records)
        if item.origin == SOURCE:
            counted.keys.append(np.array([settings.keys(record.name) for record in records], np.int64))
        else:
            _block_of(records).write(f"{settings.work}/{item.part.name}-{number:05d}.npz")
    return counted


def _in_blocks(item: Item, settings: _Settings, unreadable: Counter[str]) -> Iterator[list[Record]]:
    every = records_of(item, (*settings.events, *settings.tags))
    while block := list(islice(every, _AT_ONCE)):
        readable = [record for record in block if record is not None]
        unreadable[item.origin] += len(block) - len(readable)
        if readable:
            yield readable


class _Block(NamedTuple):
    """Some records: names, fingerprints and signatures."""

    names: list[str]
    fingerprints: list[str]
    signatures: npt.NDArray[np.uint8]

    def first(self) -> dict[str, str]:
        """By fingerprint, the smallest name."""
        return dict(sorted(zip(self.fingerprints, self.names, strict=True), reverse=True))

    def write(self, url: str) -> None:
        held = io.BytesIO()
        named = np.frombuffer(orjson.dumps([self.names, self.fingerprints]), np.uint8)
        np.savez_compressed(held, named=named, signatures=self.signatures)
        publish_bytes(url, held.getvalue(), private=True)


def _block_of(records: Sequence[Record]) -> _Block:
    texts = [record.text for record in records]
    return _Block([record.name for record in records], list(map(fingerprint, texts)), signatures(texts))


def _read_block(url: str) -> _Block:
    with np.load(io.BytesIO(read_bytes(url)), allow_pickle=False) as arrays:
        names, fingerprints = orjson.loads(arrays["named"].tobytes())
        return _Block(names, fingerprints, arrays["signatures"])


_Near = tuple[float, str]
"""Cosine with the sign turned, and record of the source: the least is the most similar."""


@dataclass
class _Compared:
    """What the second pass finds.

    ``exact``: synthetic records that equal one of the source, or an earlier one of their own (``repeated``).
    ``nearest``: synthetic records with a source record above the threshold; ``hits`` counts the pairs.
    ``diversity`` and ``tags`` are by sample, ``pairs`` by origin.
    """

    hits: int = 0
    exact: dict[str, str] = field(default_factory=dict)
    repeated: set[str] = field(default_factory=set)
    nearest: dict[str, _Near] = field(default_factory=dict)
    diversity: dict[str, Diversity] = field(default_factory=dict)
    pairs: dict[str, Counter[Pair]] = field(default_factory=dict)
    tags: dict[str, Counter[str]] = field(default_factory=dict)

    def merge(self, other: "_Compared") -> "_Compared":
        """Add what was found elsewhere; returns itself."""
        self.hits += other.hits
        for name, source in other.exact.items():
            self.exact[name] = min(self.exact.get(name, source), source)
        self.repeated |= other.repeated
        for name, near in other.nearest.items():
            self.nearest[name] = min(self.nearest.get(name, near), near)
        for sample, diversity in other.diversity.items():
            self.diversity.setdefault(sample, Diversity()).merge(diversity)
        for origin, pairs in other.pairs.items():
            self.pairs.setdefault(origin, Counter()).update(pairs)
        for sample, tags in other.tags.items():
            self.tags.setdefault(sample, Counter()).update(tags)
        return self

    def add_source(self, block: _Block, of_synthetic: _Block, threshold: float) -> None:
        """Compare a block of the source with a block of synthetic records."""
        first = block.first()
        for name, print_ in zip(of_synthetic.names, of_synthetic.fingerprints, strict=True):
            if print_ in first:
                self.exact[name] = min(self.exact.get(name, first[print_]), first[print_])
        pairs = similar_pairs(of_synthetic.signatures, block.signatures, threshold)
        self.hits += len(pairs)
        for row, column, cosine in pairs:
            name, near = of_synthetic.names[row], (-cosine, block.names[column])
            self.nearest[name] = min(self.nearest.get(name, near), near)

    def add_synthetic(self, block: _Block, other: _Block) -> None:
        """Note the records of a block that equal a record of another block with a smaller id."""
        first = other.first()
        rows = zip(block.names, block.fingerprints, strict=True)
        self.repeated.update(name for name, print_ in rows if first.get(print_, name) < name)


@gc_paused()
def _compare(item: Item, settings: _Settings, thresholds: Sequence[int]) -> _Compared:
    """The second pass; ``thresholds`` are those of the samples, from the first."""
    compared = _Compared()
    urls = [url for url in list_folder(settings.work) if url.endswith(".npz")]
    pairs = compared.pairs.setdefault(item.origin, Counter())
    for records in _in_blocks(item, settings, Counter()):
        block = _block_of(records)
        for url in urls:
            if item.origin == SOURCE:
                compared.add_source(block, _read_block(url), settings.threshold)
            else:
                compared.add_synthetic(block, _read_block(url))
        for record in records:
            pair = record.values[: len(settings.events)]
            if pair and None not in pair:
                pairs[str(pair[0]), str(pair[1])] += 1
            words = tokens(record.text)
            for name, key in _samples_with(record, item.origin, settings, thresholds):
                compared.diversity.setdefault(name, Diversity()).add(key, words)
                own = tags_of(record.values[-1]) if settings.tags else ()
                compared.tags.setdefault(name, Counter()).update(own)
    return compared


def _samples_with(
    record: Record, origin: str, settings: _Settings, thresholds: Sequence[int]
) -> list[tuple[str, int]]:
    """The sets with a record, the synthetic one or samples of the source, and its priority in each."""
    if origin == SYNTHETIC:
        return [(SYNTHETIC, priority(record.name, settings.seed, 0))]
    # Hashed again, which takes less than to keep them in a file from the first pass on.
    keys = zip(settings.keys(record.name), thresholds, strict=True)
    return [(f"{SOURCE} {sample}", key) for sample, (key, highest) in enumerate(keys) if key <= highest]


def _write_comparison(
    compared: _Compared, output: str, counts: _Counted, settings: _Settings
) -> dict[str, Any]:
    """Write the copies and all figures; returns the latter."""
    copies = sorted({*compared.exact, *compared.nearest})
    searched = counts.records[SOURCE]
    diversity = {name: found.figures() for name, found in sorted(compared.diversity.items())}
    of_synthetic = diversity.pop(SYNTHETIC)
    report: dict[str, Any] = {
        "version": version("tacenda"),
        "passed": not copies,
        "records": dict(counts.records),
        "unreadable": dict(+counts.unreadable),
        "copies": {
            "threshold": settings.threshold,
            "searched": searched,
            "share_of_source_searched": searched / (searched + counts.unreadable[SOURCE]),
            "exact": len(compared.exact),
            "near_hits": compared.hits,
            "near_distinct": len(compared.nearest),
            "distinct": len(copies),
            "repeated_within_synthetic": len(compared.repeated),
        },
        "diversity": {
            "seed": settings.seed,
            SYNTHETIC: of_synthetic,
            SOURCE: {"samples": len(diversity), **mean_and_deviation(list(diversity.values()))},
        },
    }
    if settings.events:
        frequencies = compare_frequencies(compared.pairs[SOURCE], compared.pairs[SYNTHETIC])
        report["frequencies"] = {"fields": settings.events, **frequencies}
    if settings.tags:
        speech = compare_tags(compared.tags[SYNTHETIC], [compared.tags[name] for name in diversity])
        report["parts_of_speech"] = {"field": settings.tags[0], **speech}
    with publish(f"{output}/copies.jsonl") as sink:
        for name in copies:
            near = compared.nearest.get(name)
            line = {
                "synthetic": name,
                "source": compared.exact.get(name, near and near[1]),
                "exact": name in compared.exact,
                "cosine": None if near is None else round(-near[0], 6),
            }
            sink.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
    publish_bytes(f"{output}/audit.json", indented_json(report))
    return report


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    copies, records = report["copies"], report["records"]
    yield "PASSED: no copies" if report["passed"] else "HELD: the synthetic corpus has copies of its source"
    yield (
        f"copies         {copies['exact']:,} exact; {copies['near_hits']:,} pairs with a cosine above "
        f"{copies['threshold']}, of {copies['near_distinct']:,} synthetic records"
    )
    yield (
        f"searched       {records[SYNTHETIC]:,} synthetic records against {copies['searched']:,} that could be "
        f"read of the source ({copies['share_of_source_searched']:.1%} of it)"
    )
    yield f"repeated       {copies['repeated_within_synthetic']:,} synthetic records equal another one"
    if report["unreadable"]:
        yield f"unreadable     {counted(sum(report['unreadable'].values()), 'record')}, not compared"
    of_source, synthetic = report["diversity"][SOURCE], report["diversity"][SYNTHETIC]
    yield f"               {'synthetic':>12}  source, mean of {of_source['samples']} samples (deviation)"
    for name, value in synthetic.items():
        if name != "curve" and value is not None and name in of_source:
            mean, deviation = of_source[name]
            yield f"{name.replace('_', ' '):<17}{value:>10,}  {mean:,} ({deviation:,})"
    if "parts_of_speech" in report:
        distance = report["parts_of_speech"]["distance"]
        yield f"parts of speech {distance:.1%} of the tags would have to change to have the source's shares"
    if "frequencies" in report:
        whole = report["frequencies"]["all"]
        yield (
            f"frequencies    Pearson {figure(whole['pearson'])}, Spearman {figure(whole['spearman'])}, "
            f"{len(report['frequencies']['not_in_source']):,} pairs that the source does not have"
        )


def _write_questions(drawn: Drawn, output: str, seed: int) -> None:
    source, synthetic = (
        [(record.name, record.text) for _, record in drawn.get(origin, ())] for origin in (SOURCE, SYNTHETIC)
    )
    asked = sheet(source, synthetic, seed)
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow(["number", "text", *QUESTIONS])
    writer.writerows([one.number, one.text, *[""] * len(QUESTIONS)] for one in asked)
    publish_bytes(f"{output}/sheet.csv", held.getvalue().encode(), private=True)
    key = {
        "questions": QUESTIONS,
        "records": {str(one.number): {"origin": one.origin, "id": one.record} for one in asked},
    }
    publish_bytes(f"{output}/key.json", indented_json(key), private=True)


def _answers(arguments: Namespace) -> int:
    try:
        key = json.loads(read_bytes(absolute(arguments.key)))
        records = {int(number): (one["origin"], one["id"]) for number, one in key["records"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError(
            f"--key {arguments.key}: is not a key.json that 'tacenda lab audit questions' wrote"
        ) from None
    origins = {number: origin for number, (origin, _) in records.items()}
    first, second = (_sheet(url, origins) for url in arguments.sheets)
    questions = {name: agreement(origins, first[name], second[name]) for name in QUESTIONS}
    said = [first["identifying"], second["identifying"]]
    identifying = sorted(name for number, (_, name) in records.items() if any(one[number] for one in said))
    if arguments.json:
        report = {"records": len(records), "questions": questions, "identifying": identifying}
        answer(indented_json(report).decode())
        return ExitCode.DONE
    say(f"{'':<16}{'both yes':>10}{'yes, no':>10}{'no, yes':>10}{'both no':>10}{'kappa':>8}")
    for question, figures in questions.items():
        for origin in ("total", SOURCE, SYNTHETIC):
            counts = "".join(f"{cell[origin]:>10,}" for cell in figures["cells"].values())
            is_total = origin == "total"
            kappa = f"{figure(figures['kappa']):>8}" if is_total else ""
            say(f"{question if is_total else '  ' + origin:<16}{counts}{kappa}")
    if identifying:
        say(f"identifying, said at least one: {', '.join(identifying)}")
    return ExitCode.DONE


def _sheet(url: str, origins: Mapping[int, str]) -> dict[str, dict[int, bool]]:
    """The answers of one person by question and number.

    Raises:
        UserError: a number or an answer is missing.
    """
    try:
        rows = list(csv.DictReader(io.StringIO(read_text(absolute(url), f"--sheets {url}"))))
    except csv.Error:
        raise UserError(f"--sheets {url}: not CSV; save it as CSV") from None
    answers: dict[str, dict[int, bool]] = {question: {} for question in QUESTIONS}
    for row in rows:
        number = int(row["number"]) if (row.get("number") or "").isdecimal() else 0
        if number not in origins:
            raise UserError(f"--sheets {url}: a row has no number of the key; do not change the numbers")
        for question, of_question in answers.items():
            said = (row.get(question) or "").strip().lower()
            if said not in _ANSWERS:
                raise UserError(f"--sheets {url}: number {number}: {question}: answer yes or no")
            of_question[number] = _ANSWERS[said]
    if missing := origins.keys() - answers["natural"].keys():
        raise UserError(f"--sheets {url}: has no row for number {min(missing)}")
    return answers
