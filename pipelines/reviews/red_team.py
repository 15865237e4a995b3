"""Draw conversations for a red team, and take its sheet back into manifest and report."""

import hashlib
import json
from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import answer, say
from tacenda.pipelines.output.anonymized_folder import (
    REVIEW,
    AnonymizedFolder,
    open_folder,
    talks_of,
)
from tacenda.pipelines.reviews.sampling import refuse_existing
from tacenda.transforms.reviewing.drawing import Hashed, draw
from tacenda.transforms.reviewing.red_team import read_sheet, render_page, write_sheet
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import absolute, list_folder, read_bytes, read_text
from tacenda.transforms.storage.publishing import publish_bytes, publish_json


def red_team(arguments: Namespace) -> int:
    """Run ``tacenda review redteam``; returns the exit code: 3 if somebody was identified.

    Raises:
        UserError: a mistake in the arguments or in the sheet.
    """
    if (arguments.output is None) == (arguments.sheet is None):
        raise UserError("give either --output, to draw conversations, or --sheet, to take a sheet back")
    folder = open_folder(absolute(arguments.folder).rstrip("/"))
    if arguments.sheet is None:
        if arguments.seed is None:
            raise UserError("--seed: a sample needs one")
        _draw(folder, arguments)
        return ExitCode.DONE
    return _take_back(folder, arguments)


def _draw(folder: AnonymizedFolder, arguments: Namespace) -> None:
    place = absolute(arguments.output).rstrip("/")
    page, sheet = f"{place}/to-read.html", f"{place}/sheet.csv"
    refuse_existing("--output", sheet)
    sample = draw(folder.hashed(), str(arguments.seed), arguments.conversations)
    if not sample.drawn:
        raise UserError(f"{redact_url(folder.output)}: the corpus is empty; there is nothing to read")
    talks = talks_of(folder, sample.drawn)
    record = {
        "seed": arguments.seed,
        "conversations": arguments.conversations,
        "fingerprint": folder.manifest["fingerprint"],
        "populations": sample.populations,
    }
    name = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:16]
    publish_json(f"{folder.output}/{REVIEW}/redteam-{name}.json", record)
    publish_bytes(page, render_page(talks).encode())
    publish_bytes(sheet, write_sheet(sample.drawn).encode())
    say(
        f"{counted(len(sample.drawn), 'conversation')} in {redact_url(page)}; fill in {redact_url(sheet)}\n"
        f"then: tacenda review redteam {redact_url(folder.output)} --sheet {redact_url(sheet)}"
    )


def _take_back(folder: AnonymizedFolder, arguments: Namespace) -> int:
    url = absolute(arguments.sheet)
    text = read_text(url, f"--sheet {redact_url(url)}")
    drawn = _drawn(folder, text)
    figures = read_sheet(text, drawn, redact_url(url))
    # Imported here, so that drawing does not wait for the report renderer.
    from tacenda.pipelines.output.change import prepare_entering

    prepare_entering(folder, arguments.signing_key)("red_team", figures)
    if arguments.json:
        answer(orjson.dumps(figures, option=orjson.OPT_INDENT_2).decode())
    say("\n".join(_lines(figures)))
    return ExitCode.HELD if figures["somebody_identified"]["count"] else ExitCode.DONE


def _drawn(folder: AnonymizedFolder, text: str) -> tuple[Hashed, ...]:
    """The sample that a sheet belongs to, drawn again by its seed."""
    names = (url for url in list_folder(f"{folder.output}/{REVIEW}") if "/redteam-" in url)
    noted = [json.loads(read_bytes(url)) for url in sorted(names)]
    sizes = {
        (one["seed"], one["conversations"])
        for one in noted
        if one["fingerprint"] == folder.manifest["fingerprint"]
    }
    if not sizes:
        raise UserError(
            "--sheet: nothing was drawn for a red team; tacenda review redteam OUT --seed N --output FOLDER"
        )
    known = list(folder.hashed())
    samples = [draw(known, str(seed), number).drawn for seed, number in sorted(sizes)]
    return max(samples, key=lambda drawn: (sum(one.text_hash in text for one in drawn), -len(drawn)))


def _lines(figures: Mapping[str, Any]) -> Iterator[str]:
    yield f"{counted(figures['conversations'], 'conversation')} read by {', '.join(figures['members'])}"
    for name in ("nothing_found", "personal_data_left", "somebody_identified"):
        one = figures[name]
        low, high = one["interval_95"]
        yield (
            f"{name.replace('_', ' '):<22}{one['count']:>7,}{one['share']:>8.1%}   95 % interval {low:.1%} to "
            f"{high:.1%}; at most {one['at_most']:.1%}"
        )
