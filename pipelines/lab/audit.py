"""Run ``tacenda lab audit``: a synthetic corpus beside its source, in two passes over both.

Copies: a record's *signature* is the set of its overlapping runs of five letters, digits and spaces, hashed
into 8,192 buckets. The cosine of two sets is ``|A ∩ B| / sqrt(|A| |B|)``. Products of zeros and ones are exact,
so the result does not depend on how records are cut into blocks.

The type-token ratio falls with the size of a corpus, so corpora of different size are compared by samples of
equal size and by the curve at fixed numbers of tokens.

The synthetic corpus is kept in memory. A first pass over the source draws the samples, which the second keeps,
where each record is compared with all synthetic ones.
"""

import csv
import io
import random
import re
import unicodedata
from argparse import Namespace
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from itertools import chain, islice, product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import answer, indented_json, say
from tacenda.pipelines.lab.reading import (
    Item,
    Record,
    cosines,
    drawn,
    hashed_runs,
    in_words,
    plan_with,
    priority,
    records_of,
    rows_of,
    rows_with,
    tell,
)
from tacenda.pipelines.output.output_folder import empty_output
from tacenda.pipelines.work.plan import Plan
from tacenda.transforms.reviewing.agreement import cohen_kappa
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.files import absolute, read_bytes
from tacenda.transforms.storage.publishing import publish, publish_bytes

SOURCE, SYNTHETIC = "source", "synthetic"

BUCKETS = 1 << 13
RUN = 5  # characters of a run
_FACTORS = np.array([0x9E3779B97F4A7C15 * (2 * k + 1) & 0xFFFFFFFFFFFFFFFF for k in range(RUN)], np.uint64)
_SPACE = re.compile(r"\s+")
_SIGNS = re.compile(r"\W+")
_MARGIN = " " * (RUN - 1)

CURVE = (500, 1_000, 2_000, 5_000, 10_000, 20_000)
"""Numbers of tokens at which the type-token ratio is reported."""

# A word, or one character of the scripts that are written without spaces between words.
_TOKEN = re.compile(r"[぀-ヿ㐀-䶿一-鿿豈-﫿฀-๿]|[^\W぀-ヿ㐀-䶿一-鿿豈-﫿฀-๿]+")

_CONSTANT = 1e-9  # shares that differ by less are taken for equal
_AT_ONCE = 1024  # records compared with as many others: 32 MB of signatures on each side
QUESTIONS = {
    "natural": "Is the text natural?",
    "comprehensible": "Can you understand it?",
    "correct": "Is it correct in its field?",
    "identifying": "Does it contain anything that identifies a person?",
}
"""The four yes-or-no questions of the audit, by the name of their column."""

_SAID = {"yes": "yes", "y": "yes", "no": "no", "n": "no"}

Packed = npt.NDArray[np.uint8]

Pair = tuple[str, str]  # a group and an event of it

Answers = dict[str, str]  # by number on the sheet


def normalise(text: str) -> str:
    """The text without differences of compatibility forms, case and white space."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def signatures(texts: Sequence[str]) -> Packed:
    """The signatures of texts: one row a text, ``BUCKETS`` bits."""
    bits = np.zeros((len(texts), BUCKETS), np.bool_)
    for row, text in zip(bits, texts, strict=True):
        # White space around it, so that a text of one letter has runs as well.
        padded = f"{_MARGIN}{_SIGNS.sub(' ', normalise(text))}{_MARGIN}"
        row[hashed_runs(padded, _FACTORS, 13).astype(np.intp)] = True
    return np.packbits(bits, axis=1)


def similar_pairs(one: Packed, other: Packed, threshold: float) -> list[tuple[int, int, float]]:
    """Row of ``one``, row of ``other`` and cosine of each pair with a cosine above the threshold."""
    found = cosines(*(np.unpackbits(packed, axis=1).astype(np.float32) for packed in (one, other)))
    rows, columns = np.nonzero(found > threshold)
    return list(zip(rows.tolist(), columns.tolist(), found[rows, columns].tolist(), strict=True))


def tokens(text: str) -> list[str]:
    """Words in lower case; of Chinese, Japanese and Thai each character.

    >>> tokens("It's 5 o'clock"), tokens("今日は")
    (['it', 's', '5', 'o', 'clock'], ['今', '日', 'は'])
    """
    return _TOKEN.findall(text.casefold())


def diversity(records: Sequence[Sequence[str]]) -> dict[str, Any]:
    """Figures of the tokens of records, which are in random order.

    Returns:
        Records, tokens, types, mean and median length; the type-token ratio at each size that is reached.
    """
    lengths = list(map(len, records))
    words = list(chain.from_iterable(records))
    types = len(set(words))
    return {
        "records": len(records),
        "tokens": len(words),
        "types": types,
        "mean_length": round(float(np.mean(lengths)), 2),
        "median_length": float(np.median(lengths)),
        "type_token_ratio": round(types / len(words), 4) if words else None,
        "curve": {str(n): round(len(set(words[:n])) / n, 4) for n in CURVE if n <= len(words)},
    }


def mean_and_deviation(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Each figure of samples as ``[mean, standard deviation]`` (ddof 1; 0 for a single sample)."""
    found: dict[str, Any] = {}
    for name in samples[0]:
        values: list[Any] = [sample.get(name) for sample in samples]
        if name == "curve":
            found[name] = mean_and_deviation(values)
        elif None not in values:
            deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
            found[name] = [round(float(np.mean(values)), 4), round(deviation, 4)]
    return found


def compare_frequencies(source: Mapping[Pair, int], synthetic: Mapping[Pair, int]) -> dict[str, Any]:
    """Compare how many records of each corpus have a group (such as a medicine) and an event (a side effect).

    Every event of either corpus counts in every group, with 0 where it does not occur. Relative frequencies
    are compared by Pearson's and Spearman's correlation, the two-sample test of Kolmogorov and Smirnov, and a
    t-test of whether events that are frequent in the source are more frequent in the synthetic corpus than
    rare ones.

    Returns:
        ``groups``, by name, and ``all``, over all pairs, each with ``pearson``, ``pearson_p``, ``spearman``,
        ``spearman_p``, ``ks_p``, ``t_p``; ``not_in_source``: pairs that only the synthetic corpus has. A figure
        is None where it is not defined, as the correlation with a constant.
    """
    groups, events = (sorted({pair[i] for pair in (*source, *synthetic)}) for i in (0, 1))
    every = (one.get((g, e), 0) for one in (source, synthetic) for g in groups for e in events)
    counts = np.array([*every], np.float64).reshape(2, len(groups), len(events))
    shares = counts / np.maximum(counts.sum(axis=2, keepdims=True), 1)
    missing = sorted(pair for pair in synthetic if synthetic[pair] and not source.get(pair))
    return {
        "groups": {group: _tests(*shares[:, i]) for i, group in enumerate(groups)},
        "all": _tests(*shares.reshape(2, -1)),
        "not_in_source": list(map(list, missing)),
    }


def _tests(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> dict[str, float | None]:
    from scipy import stats

    values: dict[str, Any] = dict.fromkeys(("pearson", "pearson_p", "spearman", "spearman_p"), np.nan)
    if len(one) > 2 and min(np.ptp(one), np.ptp(other)) > _CONSTANT:
        values["pearson"], values["pearson_p"] = stats.pearsonr(one, other)
        values["spearman"], values["spearman_p"] = stats.spearmanr(one, other)
    # More and less frequent in the source: above its median, and not above it.
    frequent = one > np.median(one)
    halves = other[frequent], other[~frequent]
    can_differ = all(len(half) > 1 and np.ptp(half) > _CONSTANT for half in halves)
    values["ks_p"] = stats.ks_2samp(one, other).pvalue
    values["t_p"] = stats.ttest_ind(*halves, equal_var=False).pvalue if can_differ else np.nan
    return {name: None if np.isnan(value) else round(float(value), 6) for name, value in values.items()}


def in_blind_order(found: Mapping[str, Sequence[Record]], seed: int) -> list[tuple[str, Record]]:
    """Records with their origin, in a random order that tells nothing of it."""
    both = [(origin, record) for origin in (SOURCE, SYNTHETIC) for record in found[origin]]
    random.Random(seed).shuffle(both)  # noqa: S311 - no secret
    return both


def agreement(origins: Mapping[str, str], first: Answers, second: Answers) -> dict[str, Any]:
    """The answers, yes or no, of two people to one question, by number on the sheet, as are the origins.

    Returns:
        ``cells``: counts by answers (``yes_yes``, ``yes_no``, ``no_yes``, ``no_no``) in total and by origin,
        and ``kappa``.
    """
    both = Counter((first[n], second[n], origin) for n, origin in origins.items())
    cells: dict[str, dict[str, int]] = {}
    totals = Counter[tuple[Hashable, Hashable]]()
    for one, other in product(("yes", "no"), repeat=2):
        of_origins = {origin: both[one, other, origin] for origin in (SOURCE, SYNTHETIC)}
        totals[one, other] = sum(of_origins.values())
        cells[f"{one}_{other}"] = {"total": totals[one, other], **of_origins}
    kappa = cohen_kappa(totals)
    return {"cells": cells, "kappa": None if kappa is None else round(kappa, 4)}


class _Seen(NamedTuple):
    """A record of the source.

    ``near``: by name of a synthetic record that is similar, minus the cosine, and whether they differ.
    ``drawn``: its priority in each sample that it is in, by number; ``words`` are its tokens if there are any.
    """

    name: str
    near: dict[str, tuple[float, bool]]
    drawn: dict[int, int]
    words: list[str]
    pair: Pair | None


def audit(arguments: Namespace) -> int:
    """Do what the arguments ask for; returns the exit code."""
    if arguments.what == "answers":
        return _answers(arguments)
    output = empty_output(arguments.output)
    events = arguments.events = tuple(arguments.events.split(",", 1)) if arguments.events is not None else ()
    if events and (len(events) < 2 or not all(events)):
        raise UserError(f"--events {','.join(events)}: write two fields, as in drug,effect")
    options = ReadOptions(unit_bytes=arguments.unit_bytes)
    fields = dict.fromkeys(events, "--events")
    plans = {
        origin: plan_with(getattr(arguments, origin), options, f"--{origin}", fields)
        for origin in (SOURCE, SYNTHETIC)
    }
    return (_compare if arguments.what == "compare" else _ask)(arguments, plans, output)


def _ask(arguments: Namespace, plans: Mapping[str, Plan], output: str) -> int:
    """Draw records for people to answer questions about."""
    seed = arguments.seed
    records = {
        origin: drawn(plan, arguments.count, arguments, seed=seed).records for origin, plan in plans.items()
    }
    asked = list(enumerate(in_blind_order(records, seed), 1))
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow(["number", "text", *QUESTIONS])
    writer.writerows([number, record.text, *[""] * len(QUESTIONS)] for number, (_, record) in asked)
    publish_bytes(f"{output}/sheet.csv", held.getvalue().encode(), private=True)
    origins = {str(number): {"origin": origin, "id": record.name} for number, (origin, record) in asked}
    key = indented_json({"questions": QUESTIONS, "records": origins})
    publish_bytes(f"{output}/key.json", key, private=True)
    say(
        f"sheet in {redact_url(output)}/sheet.csv: a copy for each of two people, who answer yes or no; "
        "keep key.json from them\n"
        f"then: tacenda lab audit answers --key {redact_url(output)}/key.json --sheets A B"
    )
    return ExitCode.DONE


def _compare(arguments: Namespace, plans: Mapping[str, Plan], output: str) -> int:
    """Look for copies, and compare diversity and frequencies."""
    read = partial(records_of, fields=arguments.events)
    records, lost = rows_of(plans[SYNTHETIC], read, arguments)
    keys, unread = rows_of(plans[SOURCE], partial(_keys_of, arguments=arguments), arguments)
    for origin, found in ((SOURCE, keys), (SYNTHETIC, records)):
        if not found:
            raise UserError(f"--{origin}: no record could be read")
    records.sort(key=lambda record: priority(record.name, arguments.seed, 0))
    # Samples are as large as the synthetic corpus: for each, the highest priority in it.
    last = min(len(records), len(keys)) - 1
    highest: list[int] = np.partition(np.array(keys), last, axis=0)[last].tolist()
    packed = signatures([record.text for record in records])
    compare = partial(_compared_with, arguments=arguments, highest=highest, synthetic=records, packed=packed)
    seen, _ = rows_of(plans[SOURCE], compare, arguments)
    nearest: dict[str, tuple[float, bool, str]] = {}
    for one in seen:
        for name, place in one.near.items():
            nearest[name] = min((*place, one.name), nearest.get(name, (*place, one.name)))
    samples = []
    for number in range(arguments.samples):
        sample = sorted((one.drawn[number], one.words) for one in seen if number in one.drawn)
        samples.append(diversity([words for _, words in sample]))
    copies = [
        {"synthetic": name, "source": source, "exact": not differs, "cosine": round(-cosine, 6)}
        for name, (cosine, differs, source) in sorted(nearest.items())
    ]
    with publish(f"{output}/copies.jsonl") as sink:
        sink.writelines(orjson.dumps(copy, option=orjson.OPT_APPEND_NEWLINE) for copy in copies)
    in_order = sorted(records, key=lambda record: record.name, reverse=True)
    repeated = {one.name for one in records} - {*{normalise(one.text): one.name for one in in_order}.values()}
    unreadable = {SOURCE: unread, SYNTHETIC: lost}
    report: dict[str, Any] = {
        "version": version("tacenda"),
        "passed": not copies,
        "records": {SOURCE: len(keys), SYNTHETIC: len(records)},
        "unreadable": {origin: count for origin, count in unreadable.items() if count},
        "copies": {
            "threshold": arguments.threshold,
            "searched": len(keys),
            "share_of_source_searched": len(keys) / (len(keys) + unread),
            "exact": sum(copy["exact"] for copy in copies),
            "near_hits": sum(len(one.near) for one in seen),
            "near_distinct": len(copies),
            "distinct": len(copies),
            "repeated_within_synthetic": len(repeated),
        },
        "diversity": {
            "seed": arguments.seed,
            SYNTHETIC: diversity([tokens(record.text) for record in records]),
            SOURCE: {"samples": len(samples), **mean_and_deviation(samples)},
        },
    }
    if arguments.events:
        of_source, of_synthetic = ([one.pair for one in seen], map(_pair_of, records))
        frequencies = compare_frequencies(
            *(Counter(filter(None, pairs)) for pairs in (of_source, of_synthetic))
        )
        report["frequencies"] = {"fields": arguments.events, **frequencies}
    publish_bytes(f"{output}/audit.json", indented_json(report))
    if arguments.json:
        answer(indented_json(report).decode())
    else:
        say(
            "PASSED: no copies" if report["passed"] else "HELD: the synthetic corpus has copies of its source"
        )
        say(in_words(report))
        say(f"every figure in {redact_url(output)}/audit.json, ids of copies in copies.jsonl")
    return ExitCode.DONE if report["passed"] else ExitCode.HELD


def _keys_of(item: Item, arguments: Namespace) -> Iterator[list[int] | None]:
    """The priorities of the records of a part of the source, one for each sample."""
    numbers = range(arguments.samples)
    for record in records_of(item):
        yield record and [priority(record.name, arguments.seed, number) for number in numbers]


def _compared_with(
    item: Item, arguments: Namespace, highest: Sequence[int], synthetic: Sequence[Record], packed: Packed
) -> Iterator[_Seen]:
    """Compare a part of the source; ``highest`` are the last priorities of the samples."""
    every = filter(None, records_of(item, arguments.events))
    while records := list(islice(every, _AT_ONCE)):
        own = signatures([record.text for record in records])
        near: list[dict[str, tuple[float, bool]]] = [{} for _ in records]
        for start in range(0, len(synthetic), _AT_ONCE):
            some = packed[start : start + _AT_ONCE]
            for row, column, cosine in similar_pairs(some, own, arguments.threshold):
                copy = synthetic[start + row]
                # The sign is turned, so that the least is the most similar, and the first by name.
                near[column][copy.name] = -cosine, normalise(copy.text) != normalise(records[column].text)
        for record, similar in zip(records, near, strict=True):
            keys = {n: priority(record.name, arguments.seed, n) for n in range(arguments.samples)}
            drawn_in = {number: key for number, key in keys.items() if key <= highest[number]}
            words = tokens(record.text) if drawn_in else []
            yield _Seen(record.name, similar, drawn_in, words, _pair_of(record))


def _pair_of(record: Record) -> Pair | None:
    if not record.values or None in record.values:
        return None
    group, event = map(str, record.values)
    return group, event


def _answers(arguments: Namespace) -> int:
    try:
        key = orjson.loads(read_bytes(absolute(arguments.key)))
        records = {number: (one["origin"], one["id"]) for number, one in key["records"].items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError(
            f"--key {arguments.key}: is not a key.json that 'lab audit questions' wrote"
        ) from None
    origins = {number: origin for number, (origin, _) in records.items()}
    first, second = (_sheet(url, origins) for url in arguments.sheets)
    identifying = {
        number for sheet in (first, second) for number, said in sheet["identifying"].items() if said == "yes"
    }
    report = {
        "records": len(records),
        "questions": {name: agreement(origins, first[name], second[name]) for name in QUESTIONS},
        "identifying": sorted(records[number][1] for number in identifying),
    }
    tell(arguments, report)
    return ExitCode.DONE


def _sheet(url: str, origins: Mapping[str, str]) -> dict[str, Answers]:
    """The answers of one person by question and number; a missing one is a UserError."""
    answers: dict[str, Answers] = {question: {} for question in QUESTIONS}
    for number, *several in rows_with(url, ("number", *QUESTIONS), "--sheets"):
        for question, said in zip(QUESTIONS, several, strict=True):
            if (plain := str(said).strip().lower()) not in _SAID:
                raise UserError(f"--sheets {url}: number {number}: {question}: answer yes or no")
            answers[question][str(number)] = _SAID[plain]
    if answers["natural"].keys() != origins.keys():
        raise UserError(f"--sheets {url}: needs a row for each number of the key, and no others")
    return answers
