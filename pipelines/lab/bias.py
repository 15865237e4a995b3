"""Run ``tacenda lab bias``: variants of gold with other names, and what a model does with them.

After R. Muñoz Sánchez et al., "Name bias in automated essay scoring" (CALD-pseudo, 2024): a text is eligible
if one given name is in it, once, in its base form. Then every name fits in its place without any other
change.

``EqOpp(A) = Recall_A - Recall_¬A`` (M. Hardt, E. Price, N. Srebro, "Equality of opportunity in supervised
learning", 2016): below 0, group A is disadvantaged. Recall is the mean over the classes that gold has. The
variants of a document are alike, so intervals come from a bootstrap over documents.
"""

import re
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from importlib.resources import files
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson
from yaml import YAMLError

from tacenda.pipelines.chain.build import chain_of
from tacenda.pipelines.command_line.terminal import indented_json, say
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.lab.reading import Item, in_words, rows_of, rows_with, tell
from tacenda.pipelines.measurement.evaluation import searching
from tacenda.pipelines.output.output_folder import empty_output
from tacenda.transforms.evaluating.counting import Counts, Flags
from tacenda.transforms.evaluating.gold_reading import FIELDS, gold_labels, plan_gold, read_gold
from tacenda.transforms.evaluating.metrics import percentile_interval, resampled_sums
from tacenda.transforms.schema.conversation import AnnotatedSpan, ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.shapes.json_cells import in_whole_cells
from tacenda.transforms.storage.files import absolute, read_bytes
from tacenda.transforms.storage.json_values import plain_value
from tacenda.transforms.storage.publishing import publish, publish_bytes
from tacenda.transforms.storage.yaml_text import parse_yaml

GENDERS = ("women", "men")
PERSON_NAME = "PERSON_NAME"
FOUND, MISSED = "found", "missed"
"""The outcome for a name, as the classes of a classifier; gold is always the first."""

_NAMES = frozenset({PERSON_NAME, "FIRST_NAME", "LAST_NAME", "MALE_NAME", "FEMALE_NAME"})
"""Labels of gold that mark a person's name."""

_INFLECTED = re.compile("['’]")
_BUILT_IN = {None: "name_groups.yaml", "origins": "origins.yaml"}
_PREDICTED = ("variant_of", "group", "gender", "gold", "prediction")  # the fields of a row of predictions
_AT_ONCE = 512  # variants that go through the chain together
_NEAR_CONSTANT = 0.95
"""Share of the most frequent prediction from which on a model is said to hardly use the text."""

_FEW_DOCUMENTS = 30

NameGroups = Mapping["Cell", tuple[str, ...]]
"""Names by group and gender: the same number in each cell, and no name in two cells."""


class Cell(NamedTuple):
    """A group and a gender of it."""

    group: str
    gender: str


class Place(NamedTuple):
    """The position of a conversation's only name: cell, and half-open range of code points in its text."""

    cell: int
    start: int
    end: int


class Variant(NamedTuple):
    """A conversation with another name; ``texts`` and ``spans`` have one entry per cell."""

    cell: Cell
    name: str
    texts: list[str]
    spans: list[Sequence[AnnotatedSpan]]


class Prediction(NamedTuple):
    """What a model said of one variant of a document; ``cell`` is the group and gender of the name in it."""

    document: str
    cell: Cell
    gold: str
    predicted: str


def load_name_groups(url: str | None = None) -> NameGroups:
    """Read lists of names; if ``url`` is None, the built-in ones of four groups, for ``origins`` of nineteen.

    Raises:
        UserError: the file cannot be read, or does not fit ``name_groups.yaml`` as a pattern; its lists are not
            all of one length, or a name is in two of them.
    """
    where = f"--names {url}"
    built_in = files(__package__).joinpath(_BUILT_IN[url]) if url in _BUILT_IN else None
    try:
        document = parse_yaml(
            built_in.read_text("utf-8") if built_in else read_bytes(absolute(str(url))).decode()
        )
    except (ValueError, YAMLError):
        raise UserError(f"{where}: is not YAML in UTF-8") from None
    groups = document.get("groups") if isinstance(document, dict) else None
    if not isinstance(groups, dict) or len(groups) < 2:
        raise UserError(f"{where}: needs 'groups' with two groups or more, each with 'women' and 'men'")
    names: dict[Cell, tuple[str, ...]] = {}
    for group, gender in product(groups, GENDERS):
        listed = groups[group].get(gender) if isinstance(groups[group], dict) else None
        if not isinstance(listed, list) or not all(isinstance(one, str) and one.isalpha() for one in listed):
            raise UserError(f"{where}: groups: {group}: {gender}: must be a list of names, a word each")
        names[Cell(str(group), gender)] = tuple(listed)
    every = Counter(name.casefold() for listed in names.values() for name in listed)
    if max(every.values(), default=0) > 1:
        raise UserError(f"{where}: a name is listed twice; leave it in one list")
    sizes = {len(listed) for listed in names.values()}
    if len(sizes) > 1 or not max(sizes):
        between = f"between {min(sizes)} and {max(sizes)} names"
        raise UserError(f"{where}: the lists have {between}; give all the same number, to be compared")
    return names


def eligible_place(
    texts: Sequence[str], speakers: Sequence[str | None], spans: Sequence[Sequence[AnnotatedSpan]]
) -> Place | str:
    """The position of a conversation's only name, or the reason why it has no variants.

    Arguments have one entry per cell; gold is complete for names.
    """
    marked = ((cell, span) for cell, several in enumerate(spans) for span in several)
    names = [Place(cell, span.start, span.end) for cell, span in marked if span.label in _NAMES]
    if len(names) != 1:
        return "several names" if names else "no name"
    (place,) = names
    text = texts[place.cell]
    name, behind = text[place.start : place.end], text[place.end : place.end + 1]
    if not name.isalpha():
        return "an inflected name" if _INFLECTED.search(name) else "a name of several words"
    if not name.istitle():
        return "a name that is not capitalised"
    if behind.isalnum() or _INFLECTED.match(behind):
        return "an inflected name"
    mention = re.compile(rf"\b{re.escape(name)}", re.IGNORECASE)
    in_labels = any(mention.search(speaker) for speaker in speakers if speaker)
    if in_labels or sum(len(mention.findall(other)) for other in texts) != 1:
        return "the name is also elsewhere in the text or in a speaker label"
    return place


def variants(
    texts: Sequence[str], spans: Sequence[Sequence[AnnotatedSpan]], place: Place, groups: NameGroups
) -> Iterator[Variant]:
    """A variant for each name of each group; offsets after the name are shifted with the text.

    Arguments have one entry per cell; the place is from :func:`eligible_place`.
    """
    text = texts[place.cell]
    for cell, name in ((cell, name) for cell, names in groups.items() for name in names):
        moved = len(name) - (place.end - place.start)
        changed, marked = list(texts), list(spans)
        changed[place.cell] = f"{text[: place.start]}{name}{text[place.end :]}"
        shifted = ([at + moved * (at >= place.end) for at in one[:2]] for one in spans[place.cell])
        pairs = zip(spans[place.cell], shifted, strict=True)
        marked[place.cell] = [span._replace(start=start, end=end) for span, (start, end) in pairs]
        yield Variant(cell, name, changed, marked)


def equal_opportunity(
    predictions: Sequence[Prediction], resamples: int = 1000, seed: int = 1
) -> dict[str, Any]:
    """The fairness report of a model over variants of documents.

    Intervals are from a bootstrap over documents.

    Returns:
        ``documents``, ``variants``, ``recall``, ``accuracy``; ``groups``, ``genders`` and ``cells`` (group and
        gender), each by name with ``documents``, ``variants``, ``recall``, ``eq_opp`` and the interval
        ``eq_opp_95``; ``spread_of_groups`` and ``spread_of_genders``, the largest difference of recall;
        ``flip_rate``, the share of documents whose prediction depends on the name; ``warnings``, sentences.
        A figure is None where nothing determines it.
    """
    counts = _counted(predictions)
    sums = resampled_sums(counts.reshape(len(counts), -1), resamples, seed).reshape(-1, *counts.shape[1:])
    sums = np.concatenate([counts.sum(axis=0)[np.newaxis], sums])
    cells = sorted({one.cell for one in predictions})
    report: dict[str, Any] = {
        "documents": len(counts),
        "variants": len(predictions),
        "recall": _rounded(_recall(sums, np.ones(len(cells), np.bool_))[0]),
        "accuracy": _rounded(sum(one.predicted == one.gold for one in predictions) / len(predictions)),
    }
    groups, genders = zip(*cells, strict=True)
    names = {"groups": groups, "genders": genders, "cells": map(" ".join, cells)}
    for kind, of_cells in ((kind, np.array([*of_each])) for kind, of_each in names.items()):
        parts = {name: _part(counts, sums, of_cells == name) for name in dict.fromkeys(of_cells.tolist())}
        report[kind] = parts
    for kind in ("groups", "genders"):
        recalls = [part["recall"] for part in report[kind].values() if part["recall"] is not None]
        report[f"spread_of_{kind}"] = _rounded(max(recalls) - min(recalls)) if recalls else None
    outcomes = {(one.document, one.predicted) for one in predictions}
    flipped = sum(number > 1 for number in Counter(document for document, _ in outcomes).values())
    report["flip_rate"], warnings = _rounded(flipped / len(counts)), list[str]()
    ((_, most),) = Counter(one.predicted for one in predictions).most_common(1)
    share = most / len(predictions)
    if share >= _NEAR_CONSTANT and len({one.gold for one in predictions}) > 1:
        warnings.append(
            f"{share:.0%} of the predictions are one class: a model that hardly looks at the text treats all "
            "names alike, so equal figures say nothing"
        )
    if len(counts) < _FEW_DOCUMENTS:
        few = f"only {len(counts)} documents: equal figures may be chance"
        warnings.append(f"{few}; at least {_FEW_DOCUMENTS} are needed")
    return {**report, "warnings": warnings}


def _counted(predictions: Sequence[Prediction]) -> Counts:
    """By document: variants seen, and those predicted right, by class of gold and cell."""
    documents, cells, classes = (
        {name: i for i, name in enumerate(sorted(set(names)))}
        for names in zip(*((one.document, one.cell, one.gold) for one in predictions), strict=True)
    )
    counts = np.zeros((len(documents), 2, len(classes), len(cells)), np.int64)
    for document, cell, gold, predicted in predictions:
        at = documents[document], slice(0, 1 + (predicted == gold)), classes[gold], cells[cell]
        counts[at] += 1
    return counts


def _recall(sums: Counts, chosen: Flags) -> npt.NDArray[np.float64]:
    """The mean over classes of recall in some cells, for each row of sums; NaN where nothing is in them."""
    seen, right = np.moveaxis(sums[..., chosen].sum(axis=-1), 1, 0)
    with np.errstate(invalid="ignore"):
        shares = right / np.maximum(seen, 1)
        mean: npt.NDArray[np.float64] = shares.sum(axis=-1) / (seen > 0).sum(axis=-1)
    return mean


def _part(counts: Counts, sums: Counts, chosen: Flags) -> dict[str, Any]:
    """The figures of a group, a gender or both."""
    seen = counts[:, 0][..., chosen].sum(axis=(1, 2))
    own = _recall(sums, chosen)
    gap = own - _recall(sums, ~chosen)
    interval = percentile_interval(gap[1:])
    return {
        "documents": int((seen > 0).sum()),
        "variants": int(seen.sum()),
        "recall": _rounded(own[0]),
        "eq_opp": _rounded(gap[0]),
        "eq_opp_95": None if interval is None else list(map(_rounded, interval)),
    }


def _rounded(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 4) + 0.0


def judge(arguments: Namespace) -> int:
    """Run the command with its arguments; returns the exit code."""
    if arguments.what == "report":
        rows = (row for url in arguments.predictions for row in rows_with(url, _PREDICTED, "--predictions"))
        predictions = [
            Prediction(document, Cell(group, gender), gold, predicted)
            for document, group, gender, gold, predicted in (map(str, row) for row in rows)
        ]
        if not predictions:
            raise UserError("--predictions: no rows; give one for each variant")
        golds = {row.document: row.gold for row in predictions}
        if any(golds[row.document] != row.gold for row in predictions):
            wrong = "rows with the same variant_of have different golds; give a document one gold"
            raise UserError(f"--predictions: {wrong}")
        return _tell(arguments, predictions, {})
    names = load_name_groups(arguments.names)
    plan = plan_gold([absolute(url) for url in arguments.input], arguments.unit_bytes, arguments.keep)
    if arguments.what == "variants":
        output = empty_output(arguments.output)
        write = partial(_write_variants, arguments=arguments, names=names, output=output)
        counts = _counts(rows_of(plan, write, arguments)[0], names)
        publish_bytes(f"{output}/counts.json", indented_json(counts))
        say(in_words(counts))
        say(f"variants in {redact_url(output)}/variants; they contain the input's data: protect them like it")
        return 0
    _, detecting = searching(arguments.config, arguments)
    found = partial(_try_detectors, arguments=arguments, names=names, detecting=detecting)
    tried, _ = rows_of(plan, found, arguments)
    predictions = [row for row in tried if isinstance(row, Prediction)]
    if not predictions:
        raise UserError("--input: no conversation has one given name; give some with complete gold that have")
    return _tell(arguments, predictions, _counts([row for row in tried if isinstance(row, str)], names))


def _counts(reasons: Sequence[str], names: NameGroups) -> dict[str, Any]:
    """Counts of conversations by the reason why they have no variants, which is empty for all others."""
    skipped = Counter(filter(None, reasons))
    eligible = len(reasons) - skipped.total()
    return {
        "conversations": len(reasons),
        "eligible": eligible,
        "variants": eligible * sum(map(len, names.values())),
        "skipped": dict(sorted(skipped.items())),
    }


def _tell(arguments: Namespace, predictions: Sequence[Prediction], counts: Mapping[str, Any]) -> int:
    report = equal_opportunity(predictions, arguments.bootstrap, arguments.seed)
    tell(arguments, {"version": version("tacenda"), **counts, **report})
    return 0


def _write_variants(item: Item, arguments: Namespace, names: NameGroups, output: str) -> Iterator[str]:
    """Write the variants of a part to ``output``."""
    reasons: list[str] = []
    with publish(f"{output}/variants/{item.part.name}.jsonl", private=True) as sink:
        for record, _ in _made_of(item, reasons, arguments, names):
            sink.write(orjson.dumps(record, plain_value, orjson.OPT_APPEND_NEWLINE))
    yield from reasons


def _try_detectors(
    item: Item, arguments: Namespace, names: NameGroups, detecting: ChainSettings
) -> Iterator[str | Prediction]:
    """Which names in variants the chain finds whole, in any infoType; a rejected conversation is a miss."""
    reasons: list[str] = []
    every = _made_of(item, reasons, arguments, names)
    while several := list(islice(every, _AT_ONCE)):
        turns = [[(turn["speaker"], turn["text"]) for turn in record["turns"]] for record, _ in several]
        outcome = chain_of(detecting).run(ConversationBatch.of_turns(turns))
        cells = {int(name): outcome.batch.cells(i) for i, name in enumerate(outcome.batch.ids)}
        for i, (record, place) in enumerate(several):
            findings = outcome.findings[cells[i][place.cell]] if i in cells else []
            reached, end = place.start, place.start + len(record["name"])
            for finding in sorted(findings):
                if finding.start <= reached:
                    reached = max(reached, finding.end)
            cell = Cell(record["group"], record["gender"])
            yield Prediction(record["variant_of"], cell, FOUND, FOUND if reached >= end else MISSED)
    yield from reasons


def _made_of(
    item: Item, reasons: list[str], arguments: Namespace, names: NameGroups
) -> Iterator[tuple[dict[str, Any], Place]]:
    """The variants of a part as gold records, each with the place of its name; why conversations have none is
    added to ``reasons``, "" for all others.
    """
    person = gold_labels().class_of(PERSON_NAME)
    for gold in read_gold(item.part, item.shape, complete_by_default=arguments.gold_complete):
        reasons += ["unreadable"] * sum(rejection.rows for rejection in gold.rejections)
        # As the detectors would take JSON in a turn apart: variants are of whole turns.
        batch, _, _ = in_whole_cells(gold.batch, [[]] * len(gold.batch.texts))
        records = item.shape.write_records(batch, batch.texts, batch.speakers)
        for i, (document, record) in enumerate(zip(batch.ids, records, strict=True)):
            own = batch.own(i)
            texts, speakers, spans = batch.texts[own], batch.speakers[own], batch.spans[own]
            place: Place | str = "gold that is not complete for names"
            if gold.batch.annotations[i].is_gold and gold.about[i].is_complete_for(person):
                place = eligible_place(texts, speakers, spans)
            if isinstance(place, str):
                reasons.append(place)
                continue
            reasons.append("")
            kept = {name: record[name] for name in (*FIELDS, *arguments.keep) if name in record}
            for number, variant in enumerate(variants(texts, spans, place, names)):
                marked = (
                    [{"start": one.start, "end": one.end, "label": one.label} for one in several]
                    for several in variant.spans
                )
                turns = zip(speakers, variant.texts, marked, strict=True)
                record = {
                    **kept,
                    "conversation_id": f"{document}#{number}",
                    "variant_of": document,
                    **variant.cell._asdict(),
                    "name": variant.name,
                    "turns": [dict(zip(("speaker", "text", "spans"), turn, strict=True)) for turn in turns],
                }
                yield record, place
