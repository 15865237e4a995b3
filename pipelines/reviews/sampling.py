"""Draw conversations of an anonymised folder, and write them for people to read and mark."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Any

import orjson

from tacenda.pipelines.command_line.exit_codes import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.pipelines.output.anonymized_folder import AnonymizedFolder, open_folder
from tacenda.pipelines.output.samples import (
    draw_again,
    predictions_of,
    record_draw,
    scores_of,
    table_of,
    talks_of,
)
from tacenda.transforms.reviewing.drawing import Hashed
from tacenda.transforms.reviewing.label_studio import labelling_config, tasks
from tacenda.transforms.reviewing.marks import Talk
from tacenda.transforms.reviewing.packet import render_packet
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.shapes.declared import REVIEWED_BY
from tacenda.transforms.storage.files import absolute, exists
from tacenda.transforms.storage.publishing import publish

_FORMS = (".jsonl", ".html", ".json")


def sample(arguments: Namespace) -> int:
    """Run ``tacenda review sample``; returns the exit code.

    Raises:
        UserError: a mistake in the arguments, or an empty corpus.
    """
    file = absolute(arguments.output)
    if not file.endswith(_FORMS):
        raise UserError(f"--output {file}: use a name that ends in .html, .jsonl or .json")
    if arguments.predictions and file.endswith(".jsonl"):
        raise UserError("--predictions: JSON lines cannot hold predictions; write .html or .json")
    if (arguments.seed is None) == (arguments.over is None):
        raise UserError("give either --seed, for a sample, or --over, for all conversations with a score")
    if arguments.over is not None and (arguments.by_risk or arguments.per_context):
        raise UserError("--over: takes all conversations; leave out --by-risk and --per-context")
    refuse_existing("--output", file)
    folder = open_folder(absolute(arguments.folder).rstrip("/"))
    if arguments.over is None:
        drawn = _drawn(folder, arguments)
    else:
        scores = scores_of(folder)
        over = (one for one in folder.hashed() if scores.get(one.conversation_id, 0) >= arguments.over)
        drawn = tuple(sorted(over, key=lambda one: (one.context, -scores[one.conversation_id], one)))
        if not drawn:
            raise UserError(f"--over {arguments.over}: no conversation has this score")
    talks = talks_of(folder, drawn)
    hints = predictions_of(folder, {talk.conversation_id for talk in talks}) if arguments.predictions else {}
    _write(file, folder, talks, hints)
    number = counted(len(drawn), "conversation")
    contexts = counted(len({one.context for one in drawn}), "context")
    say(
        f"{number} of {contexts} in {redact_url(file)}\n"
        + _next(folder, file, released=arguments.over is None)
    )
    return ExitCode.DONE


def _drawn(folder: AnonymizedFolder, arguments: Namespace) -> tuple[Hashed, ...]:
    """Draw a sample and record it in the folder."""
    per_context = arguments.per_context or folder.manifest["config"]["risk"]["least_conversations"]
    found = draw_again(folder, folder.hashed(), arguments.seed, per_context, arguments.by_risk)
    if not found.drawn:
        raise UserError(f"{redact_url(folder.output)}: the corpus is empty; there is nothing to review")
    record = {
        "seed": arguments.seed,
        "per_context": per_context,
        "by_risk": arguments.by_risk,
        "fingerprint": folder.manifest["fingerprint"],
        "populations": found.populations,
        "conversations": [one._asdict() for one in found.drawn],
    }
    record_draw(folder, "draw", record)
    return found.drawn


def refuse_existing(option: str, file: str) -> None:
    """Check that a file does not exist.

    Raises:
        UserError: it does; it may hold somebody's work.
    """
    if exists(file):
        raise UserError(f"{option} {file}: already exists, and may have marks; choose another name")


def _write(file: str, folder: AnonymizedFolder, talks: Sequence[Talk], hints: Mapping[str, str]) -> None:
    if file.endswith(".html"):
        content = render_packet(talks, table_of(folder), hints=hints).encode()
    elif file.endswith(".jsonl"):
        content = b"".join(orjson.dumps(_record(talk), option=orjson.OPT_APPEND_NEWLINE) for talk in talks)
    else:
        content = orjson.dumps(tasks(talks, hints), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        config = f"{file.removesuffix('.json')}.xml"
        refuse_existing("--output", config)
        with publish(config) as sink:
            sink.write(labelling_config(table_of(folder)).encode())
    with publish(file) as sink:
        sink.write(content)


def _record(talk: Talk) -> dict[str, Any]:
    return {
        "conversation_id": talk.conversation_id,
        "context": talk.context or None,
        REVIEWED_BY: "",
        "turns": [{"speaker": speaker, "text": text} for speaker, text in talk.turns],
    }


def _next(folder: AnonymizedFolder, file: str, *, released: bool) -> str:
    out, shown = redact_url(folder.output), redact_url(file)
    if file.endswith(".jsonl"):
        return (
            "mark what still tells who somebody is, as (text)[MISSED_PERSON_NAME], and put your name into "
            f'"{REVIEWED_BY}" of each conversation that you have read; change nothing else, and leave no '
            f"conversation out\nthen: tacenda release {out} --review {shown}"
        )
    if file.endswith(".html"):
        how = "open it in a browser, mark what still tells who somebody is, and export"
    else:
        how = f"import it into a project of Label Studio with the interface {shown.removesuffix('.json')}.xml"
    then = f"{how}\nthen: tacenda review import {out} EXPORT… --output REVIEW.jsonl"
    return then + (f"\n      tacenda release {out} --review REVIEW.jsonl" if released else "")
