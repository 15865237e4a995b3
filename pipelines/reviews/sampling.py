"""Draw conversations of an anonymised folder for people to read: to be marked, or for a red team."""

import hashlib
import json
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

import orjson

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import answer, say
from tacenda.pipelines.output.anonymized_folder import REVIEW, AnonymizedFolder, Look, open_folder
from tacenda.pipelines.output.output_folder import empty_output, paths_in, read_json
from tacenda.transforms.reviewing import drawing
from tacenda.transforms.reviewing.marks import Talk
from tacenda.transforms.reviewing.packet import render_packet
from tacenda.transforms.reviewing.red_team import read_sheet, render_page, write_sheet
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.shapes.declared import REVIEWED_BY
from tacenda.transforms.storage.files import absolute, exists, read_text
from tacenda.transforms.storage.publishing import json_bytes, publish_bytes

_FEWEST_PLANTED = 10
"""Of fewer, all that are marked say little of the readers."""


def sample(arguments: Namespace) -> int:
    """Run ``tacenda review sample``; returns the exit code. Without ``--output``, only what sizes can show.

    Raises:
        UserError: a mistake in the arguments, or an empty corpus.
    """
    folder = open_folder(absolute(arguments.folder).rstrip("/"))
    known = list(folder.hashed())
    if not known:
        raise UserError(f"{redact_url(folder.output)}: the corpus is empty; there is nothing to review")
    if arguments.output is None:
        say("\n".join(_plan(folder, len(known))))
        return ExitCode.DONE
    file = absolute(arguments.output)
    _check(file, arguments)
    if arguments.over is None:
        look, new = _next_look(folder, known, arguments)
    else:
        look, scores = None, folder.scores()
        over = (one for one in known if scores.get(one.conversation_id, 0) >= arguments.over)
        new = sorted(over, key=lambda one: (one.context, -scores[one.conversation_id], one))
        if not new:
            raise UserError(f"--over {arguments.over}: no conversation has this score")
    talks = folder.talks(new)
    if look is not None and arguments.catch_trials:
        planted = _planted(folder, known, look, arguments.catch_trials)
        look = look._replace(planted=tuple({"conversation_id": one.conversation_id} for one in planted))
        # By hashes, so that nobody sees which are planted.
        talks = sorted([*talks, *planted], key=lambda talk: talk.text_hash)
    hints = folder.predictions({talk.conversation_id for talk in talks}) if arguments.predictions else {}
    _write(file, folder, talks, hints)
    told = [f"{counted(len(talks), 'conversation')} in {redact_url(file)}"]
    if look is not None:
        folder.record(look)
        told.append(_shows(folder, look, len(known)))
    say("\n".join([*told, _next(folder, file, released=look is not None)]))
    return ExitCode.DONE


def _check(file: str, arguments: Namespace) -> None:
    if not file.endswith((".html", ".jsonl")):
        raise UserError(f"--output {file}: use a name that ends in .html or .jsonl")
    if arguments.predictions and file.endswith(".jsonl"):
        raise UserError("--predictions: JSON lines cannot hold predictions; write .html")
    if arguments.over is not None and (arguments.read or arguments.catch_trials):
        raise UserError("--over: takes all conversations; leave out --read and --catch-trials")
    if arguments.catch_trials and not file.endswith(".html"):
        raise UserError("--catch-trials: only a page can hold them; write .html")
    if arguments.catch_trials and arguments.catch_trials < _FEWEST_PLANTED:
        raise UserError(f"--catch-trials: fewer than {_FEWEST_PLANTED} say little of the readers")
    refuse_existing("--output", file)


def _next_look(
    folder: AnonymizedFolder, known: Sequence[drawing.Hashed], arguments: Namespace
) -> tuple[Look, list[drawing.Hashed]]:
    """The next look at a corpus, and what is new in it."""
    risk, before = folder.manifest["config"]["risk"], folder.looks()
    error, read, found = _so_far(folder)
    marked, left = drawing.measured(_trials(folder, arguments.catch_trials or 0), error)
    least = drawing.smallest(len(known), risk["direct_identifiers_at_most"] * marked, left, found, read)
    number = min(arguments.read or least, len(known))
    if before and number <= before[-1].read:
        raise UserError(
            f"--read {number}: {before[-1].read} were drawn already; ask for more, counted from the first"
        )
    look = Look(len(before) + 1, number, risk["least_conversations"], folder.seed)
    seen = set(before[-1].sample(known).everything) if before else set()
    return look, [one for one in look.sample(known).everything if one not in seen]


def _planted(
    folder: AnonymizedFolder, known: Sequence[drawing.Hashed], look: Look, number: int
) -> list[Talk]:
    """Conversations beyond the sample in which a leak is planted."""
    drawn = set(look.sample(known).everything)
    beyond = look._replace(read=look.read + 10 * number).sample(known).drawn
    others = [one for one in beyond if one not in drawn] or list(beyond)
    leaks = (drawing.plant(talk, look.corpus) for talk in folder.talks(others))
    talks = list(islice((leak.talk for leak in leaks if leak is not None), number))
    if len(talks) < number:
        raise UserError(
            f"--catch-trials {number}: only {len(talks)} conversations beyond the sample have a token in whose "
            "place something can be planted; ask for fewer"
        )
    return talks


def _so_far(folder: AnonymizedFolder) -> tuple[float, int, int]:
    """What the next look spends of the error; how much of the draw is read, in how many something direct is."""
    reading = folder.manifest.get("review", {}).get("reading", {"drawn": 0, "direct": 0})
    return drawing.error_of(len(folder.looks()) + 1), reading["drawn"], reading["direct"]


def _trials(folder: AnonymizedFolder, more: int = 0) -> Iterator[tuple[int, int]]:
    """How many leaks were planted and marked at each look that was taken back, and ``more`` that may be."""
    yield from ((len(one.planted), one.caught) for one in folder.looks() if one.caught is not None)
    yield more, more


def _plan(folder: AnonymizedFolder, population: int) -> Iterator[str]:
    """What sizes of a sample can show."""
    error, read, found = _so_far(folder)
    limit = folder.manifest["config"]["risk"]["direct_identifiers_at_most"]
    rates = (*drawing.RATES, (found + 0.5) / (read + 1)) if read else drawing.RATES
    yield (
        f"{counted(population, 'conversation')}; released if at most {limit:.1%} have a readable direct "
        f"identifier ({1 - error:.1%} confidence in this look)"
    )
    if read:
        yield f"so far {counted(read, 'conversation')} read, {found:,} with a direct identifier"
    heads = [f"{rate:.1%}" for rate in drawing.RATES] + (["as so far"] if read else [])
    chance = "chance of a release at a true share of"
    yield f"{'read':>8}  {'nothing more found':>20}  {'found at most':>14}  {chance}"
    yield f"{'':>8}  {'bounds the share at':>20}  {'':>14}  " + "".join(f"{head:>10}" for head in heads)
    marked, left = drawing.measured(_trials(folder), error)
    for one in drawing.sizes(population, limit * marked, left, rates, read, found):
        allowed = "–" if one.allowed is None else f"{one.allowed:,}"
        chances = "".join(f"{chance:>10.0%}" for chance in one.chances)
        yield f"{one.number:>8,}  {min(1, one.at_most / marked):>20.2%}  {allowed:>14}  {chances}"
    yield f"next           tacenda review sample {redact_url(folder.output)} --read N --output FILE"


def _shows(folder: AnonymizedFolder, look: Look, population: int) -> str:
    """What reading a look can show, before anybody reads it."""
    limit = folder.manifest["config"]["risk"]["direct_identifiers_at_most"]
    error = drawing.error_of(look.number)
    marked, left = drawing.measured(_trials(folder, len(look.planted)), error)
    one = drawing.size_of(look.read, population, limit * marked, left, ())
    allowed = "it cannot release" if one.allowed is None else f"up to {one.allowed} with one release"
    return (
        f"{look.read:,} of {population:,} drawn over the corpus: if none has a readable direct identifier, at "
        f"most {min(1, one.at_most / marked):.2%} of all do; {allowed} (limit {limit:.1%}; look {look.number}, "
        f"{error:.1%} of the error)"
    )


def refuse_existing(option: str, file: str) -> None:
    """Refuse a file that exists: it may hold somebody's work."""
    if exists(file):
        raise UserError(f"{option} {file}: already exists, and may have marks; choose another name")


def _write(file: str, folder: AnonymizedFolder, talks: Sequence[Talk], hints: Mapping[str, str]) -> None:
    if file.endswith(".html"):
        content = render_packet(talks, folder.score_table, hints=hints).encode()
    else:
        content = b"".join(orjson.dumps(talk_record(one), option=orjson.OPT_APPEND_NEWLINE) for one in talks)
    publish_bytes(file, content)


def talk_record(talk: Talk, read_by: str = "") -> dict[str, Any]:
    """A conversation as ``score`` and ``release`` read it, without marks."""
    return {
        "conversation_id": talk.conversation_id,
        "context": talk.context or None,
        REVIEWED_BY: read_by,
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
    then = (
        "open it in a browser, mark what still tells who somebody is, and export\n"
        f"then: tacenda review import {out} EXPORT… --output REVIEW.jsonl"
    )
    return then + (f"\n      tacenda release {out} --review REVIEW.jsonl" if released else "")


def red_team(arguments: Namespace) -> int:
    """Run ``tacenda review redteam``; returns the exit code: 3 if somebody was identified.

    Raises:
        UserError: a mistake in the arguments or in the sheet.
    """
    if (arguments.output is None) == (arguments.sheet is None):
        raise UserError("give either --output, to draw conversations, or --sheet, to take a sheet back")
    if arguments.sheet is not None:
        return _take_back(absolute(arguments.folder).rstrip("/"), arguments)
    if arguments.seed is None:
        raise UserError("--seed: a sample needs one")
    _draw_for_red_team(open_folder(absolute(arguments.folder).rstrip("/")), arguments)
    return ExitCode.DONE


def _draw_for_red_team(folder: AnonymizedFolder, arguments: Namespace) -> None:
    place = empty_output(arguments.output)
    page, sheet = f"{place}/to-read.html", f"{place}/sheet.csv"
    sample = drawing.draw(folder.hashed(), str(arguments.seed), arguments.conversations)
    if not sample.drawn:
        raise UserError(f"{redact_url(folder.output)}: the corpus is empty; there is nothing to read")
    talks = folder.talks(sample.drawn)
    record = {"seed": arguments.seed, "conversations": arguments.conversations}
    record |= {"fingerprint": folder.manifest["fingerprint"], "populations": sample.populations}
    name = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:16]
    publish_bytes(f"{folder.output}/{REVIEW}/redteam-{name}.json", json_bytes(record))
    publish_bytes(page, render_page(talks).encode())
    publish_bytes(sheet, write_sheet(sample.drawn).encode())
    say(
        f"{counted(len(sample.drawn), 'conversation')} in {redact_url(page)}; fill in {redact_url(sheet)}\n"
        f"then: tacenda review redteam {redact_url(folder.output)} --sheet {redact_url(sheet)}"
    )


def _take_back(output: str, arguments: Namespace) -> int:
    # Imported here, so that drawing does not wait for the report renderer.
    from tacenda.pipelines.output.change import open_to_enter

    folder, enter = open_to_enter(output, arguments.signing_key)
    url = absolute(arguments.sheet)
    text = read_text(url, f"--sheet {redact_url(url)}")
    drawn = _drawn(folder, text)
    figures = read_sheet(text, drawn, redact_url(url))
    enter("red_team", figures)
    if arguments.json:
        answer(orjson.dumps(figures, option=orjson.OPT_INDENT_2).decode())
    say("\n".join(_lines(figures)))
    return ExitCode.HELD if figures["somebody_identified"]["count"] else ExitCode.DONE


def _drawn(folder: AnonymizedFolder, text: str) -> tuple[drawing.Hashed, ...]:
    """The sample that a sheet belongs to, drawn again by its seed."""
    names = (path for path in paths_in(folder.output, REVIEW) if "/redteam-" in path)
    noted = (read_json(folder.output, name) or {} for name in names)
    here = (one for one in noted if one.get("fingerprint") == folder.manifest["fingerprint"])
    asked = ((one.get("seed"), one.get("conversations")) for one in here)
    given = {(seed, number) for seed, number in asked if type(seed) is type(number) is int and number > 0}
    if not given:
        raise UserError(
            "--sheet: nothing was drawn for a red team; tacenda review redteam OUT --seed N --output FOLDER"
        )
    known = list(folder.hashed())
    samples = [drawing.draw(known, str(seed), number).drawn for seed, number in sorted(given)]
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
