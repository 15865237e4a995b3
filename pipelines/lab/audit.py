"""Run ``tacenda lab audit`` as its arguments say, write its files, and show the figures."""

import csv
import io
import json
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any

import orjson

from tacenda.models.token_classifier.spacy_tagger import load_tagger
from tacenda.pipelines.command_line.arguments import refuse_unknown
from tacenda.pipelines.command_line.exit_codes import ExitCode
from tacenda.pipelines.command_line.figures import figure, indented_json
from tacenda.pipelines.command_line.terminal import answer, say
from tacenda.pipelines.executors.beam_options import beam_arguments
from tacenda.pipelines.executors.fold import run_fold
from tacenda.pipelines.lab.audit_jobs import (
    Compared,
    Counted,
    Drawn,
    Settings,
    comparing_job,
    counting_job,
    diversity_figures,
    drawing_job,
    items,
    tag_figures,
)
from tacenda.pipelines.output.output_folder import empty_output
from tacenda.pipelines.work.plan import Plan, plan_records
from tacenda.transforms.lab.synthetic import (
    QUESTIONS,
    SOURCE,
    SYNTHETIC,
    Pair,
    agreement,
    compare_frequencies,
    sheet,
)
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.files import absolute, read_bytes, read_text, remove_folder
from tacenda.transforms.storage.publishing import publish

_ANSWERS = {"yes": True, "y": True, "no": False, "n": False}


def audit(arguments: Namespace, extra: Sequence[str]) -> int:
    """Do what the arguments ask for; returns the exit code.

    Raises:
        UserError: an input cannot be used.
    """
    if arguments.what == "answers":
        refuse_unknown(extra, "audit")
        return _answers(arguments)
    output = empty_output(arguments.output)
    events = _events(arguments.events)
    _check_tagger(arguments)
    plans = {origin: _plan(arguments, origin, events) for origin in (SOURCE, SYNTHETIC)}
    beam_args = beam_arguments(arguments, extra)
    text_bytes = sum(plan.text_bytes for plan in plans.values())
    both = items(plans[SOURCE], plans[SYNTHETIC])
    run = partial(run_fold, beam_args=beam_args, workers=arguments.workers, text_bytes=text_bytes)
    if arguments.what == "questions":
        finish = partial(_write_questions, output=output, seed=arguments.seed)
        run(drawing_job(both, arguments.count, arguments.seed, finish))
        say(
            f"sheet in {redact_url(output)}/sheet.csv: a copy for each of two people, who answer yes or no; "
            "keep key.json from them\n"
            f"then: tacenda lab audit answers --key {redact_url(output)}/key.json --sheets A B"
        )
        return ExitCode.DONE
    settings = Settings(
        arguments.threshold,
        arguments.samples,
        arguments.seed,
        events,
        f"{output}/work/blocks",
        arguments.tags,
        arguments.tagger,
    )
    run(counting_job(both, settings, partial(_write_counts, output=output)))
    counts = json.loads(read_bytes(f"{output}/work/counts.json"))
    finish_comparison = partial(_write_comparison, output=output, counts=counts, settings=settings)
    run(comparing_job(both, settings, counts["thresholds"], finish_comparison))
    remove_folder(f"{output}/work")
    report = json.loads(read_bytes(f"{output}/audit.json"))
    if arguments.json:
        answer(indented_json(report).decode())
    else:
        say("\n".join(_lines(report)))
        say(f"every figure in {redact_url(output)}/audit.json, ids of copies in copies.jsonl")
    return ExitCode.DONE if report["passed"] else ExitCode.HELD


def _events(text: str | None) -> Pair | None:
    if text is None:
        return None
    group, comma, event = text.partition(",")
    if not group or not comma or not event:
        raise UserError(f"--events {text}: write two fields, as in drug,effect")
    return group, event


def _check_tagger(arguments: Namespace) -> None:
    """Load a tagger before anything is read, so that a wrong one ends the command at once."""
    if arguments.tagger is not None:
        if arguments.tags is not None:
            raise UserError("--tags and --tagger: choose one of them")
        load_tagger(arguments.tagger)


def _plan(arguments: Namespace, origin: str, events: Pair | None) -> Plan:
    fields = (*(events or ()), *([arguments.tags] if arguments.tags else []))
    options = ReadOptions(
        keep=fields,
        opaque=dict.fromkeys(fields, "their frequencies are compared"),
        unit_bytes=arguments.unit_bytes,
    )
    plan = plan_records([absolute(url) for url in getattr(arguments, origin)], options, f"--{origin}")
    if plan.unseen:
        option = "--tags" if plan.unseen[0] == arguments.tags else "--events"
        raise UserError(f"{option}: no record of --{origin} has the field {plan.unseen[0]}")
    return plan


def _write_counts(counted: Counted, output: str) -> None:
    for origin in (SOURCE, SYNTHETIC):
        if not counted.records[origin]:
            raise UserError(f"--{origin}: no record could be read")
    counts = {
        "records": dict(counted.records),
        "unreadable": dict(counted.unreadable),
        "thresholds": counted.thresholds(),
    }
    with publish(f"{output}/work/counts.json") as sink:
        sink.write(orjson.dumps(counts))


def _write_comparison(compared: Compared, output: str, counts: Mapping[str, Any], settings: Settings) -> None:
    copies = len({*compared.exact, *compared.nearest})
    report: dict[str, Any] = {
        "version": version("tacenda"),
        "passed": not copies,
        "records": counts["records"],
        "unreadable": counts["unreadable"],
        "copies": {
            "threshold": settings.threshold,
            "searched": compared.searched,
            "share_of_source_searched": _share(compared.searched, counts),
            "exact": len(compared.exact),
            "near_hits": compared.hits,
            "near_distinct": len(compared.nearest),
            "distinct": copies,
            "repeated_within_synthetic": len(compared.repeated),
        },
        "diversity": {"seed": settings.seed, **diversity_figures(compared)},
    }
    if settings.events is not None:
        pairs = compared.pairs
        report["frequencies"] = {
            "fields": settings.events,
            **compare_frequencies(pairs.get(SOURCE, {}), pairs.get(SYNTHETIC, {})),
        }
    if settings.tags is not None or settings.tagger is not None:
        by = {"field": settings.tags} if settings.tagger is None else {"tagger": settings.tagger}
        report["parts_of_speech"] = {**by, **tag_figures(compared)}
    with publish(f"{output}/copies.jsonl") as sink:
        for name in sorted({*compared.exact, *compared.nearest}):
            near = compared.nearest.get(name)
            line = {
                "synthetic": name,
                "source": compared.exact.get(name, near and near.source),
                "exact": name in compared.exact,
                "cosine": None if near is None else round(near.cosine, 6),
            }
            sink.write(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE))
    with publish(f"{output}/audit.json") as sink:
        sink.write(indented_json(report))


def _share(searched: int, counts: Mapping[str, Any]) -> float:
    """Of the source, with the records that could not be read."""
    return float(searched / (counts["records"][SOURCE] + counts["unreadable"].get(SOURCE, 0)))


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    copies, records = report["copies"], report["records"]
    yield "PASSED: no copies" if report["passed"] else "HELD: the synthetic corpus has copies of its source"
    yield (
        f"copies         {copies['exact']:,} exact; {copies['near_hits']:,} pairs with a cosine above "
        f"{copies['threshold']}, of {copies['near_distinct']:,} synthetic records"
    )
    yield (
        f"searched       {records[SYNTHETIC]:,} synthetic records against {copies['searched']:,} of "
        f"{records[SOURCE]:,} that could be read of the source ({copies['share_of_source_searched']:.1%} of it)"
    )
    yield f"repeated       {copies['repeated_within_synthetic']:,} synthetic records equal another one"
    unreadable = sum(report["unreadable"].values())
    if unreadable:
        yield f"unreadable     {counted(unreadable, 'record')}, not compared"
    of_source, synthetic = report["diversity"][SOURCE], report["diversity"][SYNTHETIC]
    yield f"               {'synthetic':>12}  source, mean of {of_source['samples']} samples (deviation)"
    for name in ("records", "tokens", "types", "mean_length", "median_length", "type_token_ratio"):
        if synthetic[name] is not None and name in of_source:
            mean, deviation = of_source[name]
            yield f"{name.replace('_', ' '):<17}{synthetic[name]:>10,}  {mean:,} ({deviation:,})"
    if "parts_of_speech" in report:
        speech = report["parts_of_speech"]
        yield (
            f"parts of speech {speech['kinds']['synthetic']:>11,}  {speech['kinds']['source'][0]:,} kinds; "
            f"{speech['distance']:.1%} of the tags would have to change to have the source's shares"
            f"{_spread(speech)}"
        )
    if "frequencies" in report:
        whole = report["frequencies"]["all"]
        yield (
            f"frequencies    Pearson {figure(whole['pearson'])}, Spearman {figure(whole['spearman'])}, "
            f"{len(report['frequencies']['not_in_source']):,} pairs that the source does not have"
        )


def _spread(speech: Mapping[str, Any]) -> str:
    """The interval of a distance, and what a sample of the source would have."""
    told = (
        [] if speech["interval"] is None else ["95 % interval {:.1%} to {:.1%}".format(*speech["interval"])]
    )
    if speech["by_chance"] is not None:
        told.append(f"a sample of the source: {speech['by_chance']:.1%}")
    return f" ({'; '.join(told)})" if told else ""


def _write_questions(drawn: Drawn, output: str, seed: int) -> None:
    source, synthetic = (
        [(name, text) for _, name, text in drawn.get(origin, ())] for origin in (SOURCE, SYNTHETIC)
    )
    asked = sheet(source, synthetic, seed)
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow(["number", "text", *QUESTIONS])
    writer.writerows([one.number, one.text, *[""] * len(QUESTIONS)] for one in asked)
    with publish(f"{output}/sheet.csv", private=True) as sink:
        sink.write(held.getvalue().encode())
    key = {
        "questions": QUESTIONS,
        "records": {str(one.number): {"origin": one.origin, "id": one.record} for one in asked},
    }
    with publish(f"{output}/key.json", private=True) as sink:
        sink.write(indented_json(key))


def _answers(arguments: Namespace) -> int:
    try:
        key = json.loads(read_bytes(absolute(arguments.key)))
        records = {int(number): record for number, record in key["records"].items()}
        origins = {number: record["origin"] for number, record in records.items()}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise UserError(
            f"--key {arguments.key}: is not a key.json that 'tacenda lab audit questions' wrote"
        ) from None
    sheets = [_sheet(url, origins) for url in arguments.sheets]
    report: dict[str, Any] = {"records": len(records), "questions": {}}
    for question in QUESTIONS:
        first, second = (answers[question] for answers in sheets)
        report["questions"][question] = agreement(origins, first, second)
    identifying = [answers["identifying"] for answers in sheets]
    report["identifying"] = sorted(
        record["id"] for number, record in records.items() if any(answers[number] for answers in identifying)
    )
    if arguments.json:
        answer(indented_json(report).decode())
        return ExitCode.DONE
    lines = [f"{'':<16}{'both yes':>10}{'yes, no':>10}{'no, yes':>10}{'both no':>10}{'kappa':>8}"]
    for question, figures in report["questions"].items():
        for origin in ("total", SOURCE, SYNTHETIC):
            counts = "".join(f"{figures['cells'][cell][origin]:>10,}" for cell in figures["cells"])
            kappa = f"{figure(figures['kappa']):>8}" if origin == "total" else ""
            lines.append(f"{question if origin == 'total' else '  ' + origin:<16}{counts}{kappa}")
    say("\n".join(lines))
    if report["identifying"]:
        say(f"identifying, said at least one: {', '.join(report['identifying'])}")
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
