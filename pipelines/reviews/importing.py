"""Take readers' marks back, compare readers, and write one review."""

from argparse import Namespace
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import answer, say
from tacenda.pipelines.output.anonymized_folder import AnonymizedFolder, open_folder
from tacenda.pipelines.reviews.sampling import refuse_existing, talk_record
from tacenda.transforms.reviewing.agreement import (
    Adjudicated,
    Agreement,
    adjudicate,
    measure_agreement,
)
from tacenda.transforms.reviewing.drawing import Planted, plant
from tacenda.transforms.reviewing.marks import Talk
from tacenda.transforms.reviewing.markup import write
from tacenda.transforms.reviewing.packet import FORMAT, read_packet, render_packet
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.errors import RecordError, UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import absolute, read_bytes
from tacenda.transforms.storage.publishing import publish, publish_bytes


def import_reviews(arguments: Namespace) -> int:
    """Run ``tacenda review import``; returns the exit code.

    Raises:
        UserError: an export cannot be read, is of another corpus, or has a wrong mark.
    """
    output = absolute(arguments.output)
    if not output.endswith(".jsonl"):
        raise UserError(f"--output {output}: write JSON lines: use a name that ends in .jsonl")
    refuse_existing("--output", output)
    if arguments.disputed:
        refuse_existing("--disputed", absolute(arguments.disputed))
    folder = open_folder(absolute(arguments.folder).rstrip("/"))
    exports, decisions = (
        {url: _load(url) for url in map(absolute, urls)} for urls in (arguments.files, arguments.adjudicated)
    )
    talks = _talks(folder, [*exports.values(), *decisions.values()])
    planted = _planted(folder, talks)
    table = folder.score_table
    given, decided = (
        [one for url, export in of.items() for one in read_packet(export, talks, table, redact_url(url))]
        for of in (exports, decisions)
    )
    found = adjudicate(given, decided)
    told = _take_out(folder, planted, found, talks)
    found = [one for one in found if one.conversation_id in talks]
    given = [one for one in given if one.conversation_id in talks]
    seconds: dict[str, float] = {}
    for one in given:
        if one.seconds is not None:
            seconds[one.conversation_id] = seconds.get(one.conversation_id, 0) + one.seconds
    agreement = measure_agreement(talks, given)
    by_id = {one.conversation_id: one for one in found}
    with publish(output) as sink:
        for name, talk in talks.items():
            record = _record(talk, by_id.get(name), seconds.get(name))
            sink.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
    marks = {one.conversation_id: one.marks for one in found if one.disputed}
    if arguments.disputed and marks:
        shown = [talks[name] for name in marks]
        page = render_packet(shown, table, marks=marks, purpose="Decide where readers differ")
        publish_bytes(absolute(arguments.disputed), page.encode())
    if arguments.json:
        answer(orjson.dumps(_figures(talks, found, agreement), option=orjson.OPT_INDENT_2).decode())
    lines = list(_lines(talks, found, agreement))
    lines += [told] if told else []
    if marks:
        where = "" if arguments.disputed else "; --disputed writes a page to decide on them"
        lines.append(f"readers differ in {len(marks):,} conversations: all their marks count{where}")
    if unread := len(talks) - sum(bool(one.readers) for one in found):
        lines.append(f"{unread:,} conversations were not read, so that a release would be held")
    then = f"then: tacenda release {redact_url(folder.output)} --review {redact_url(output)}"
    say("\n".join([*lines, then]))
    return ExitCode.DONE


def _load(url: str) -> dict[str, Any]:
    """The export of a page."""
    shown = redact_url(url)
    try:
        export = orjson.loads(read_bytes(url))
    except orjson.JSONDecodeError:
        raise UserError(f"{shown}: not JSON; give exports of a page") from None
    except OSError as error:
        raise UserError(f"{shown}: cannot be read ({type(error).__name__})") from None
    if not isinstance(export, dict) or export.get("format") != FORMAT:
        raise UserError(f"{shown}: not an export of a page of 'tacenda review sample'")
    if not isinstance(export.get("conversations"), list) or not export["conversations"]:
        raise UserError(f"{shown}: has no conversations; export again when some are read")
    return export


def _talks(folder: AnonymizedFolder, exports: Iterable[Mapping[str, Any]]) -> dict[str, Talk]:
    """The conversations that the exports name, by id, in the order of the exports."""
    known = {one.conversation_id: one for one in folder.hashed()}
    records = (one for export in exports for one in export["conversations"] if isinstance(one, dict))
    names = (one.get("conversation_id") for one in records)
    wanted = dict.fromkeys(name for name in names if isinstance(name, str) and name in known)
    return {talk.conversation_id: talk for talk in folder.talks([known[name] for name in wanted])}


def _planted(folder: AnonymizedFolder, talks: dict[str, Talk]) -> dict[str, Planted]:
    """The leaks of the last look, planted again, by conversation; ``talks`` get the text with them."""
    looks = folder.looks()
    names = [one["conversation_id"] for one in looks[-1].planted] if looks else []
    again = ((name, plant(talks[name], looks[-1].corpus)) for name in names if name in talks)
    planted = {name: leak for name, leak in again if leak is not None}
    talks.update((name, leak.talk) for name, leak in planted.items())
    return planted


def _take_out(
    folder: AnonymizedFolder,
    planted: Mapping[str, Planted],
    found: Sequence[Adjudicated],
    talks: dict[str, Talk],
) -> str:
    """Record how many planted leaks were marked, and take their conversations out of the review."""
    if not planted:
        return ""
    marks = {one.conversation_id: one.marks for one in found if one.readers}
    read = {name: planted[name].is_caught(marks[name]) for name in planted if name in marks}
    look = folder.looks()[-1]
    # The first reading counts: the review that it makes lacks these conversations, and so tells them.
    first = ((one, one.get("caught"), read.get(one["conversation_id"])) for one in look.planted)
    records = ({**one, "caught": now if before is None else before} for one, before, now in first)
    look = look._replace(planted=tuple(records))
    folder.record(look)
    for name in planted:
        del talks[name]
    return (
        f"{look.caught:,} of {len(look.planted):,} planted leaks were marked; the bound allows for the others"
    )


def _record(talk: Talk, found: Adjudicated | None, seconds: float | None) -> dict[str, Any]:
    """A conversation as ``score`` and ``release`` read it; one without a reader has no marks.

    Marks of speaker labels are written as markup: records have spans for texts only.
    """
    record = talk_record(talk, "" if found is None else found.read_by)
    turns = record.pop("turns")
    for number, turn in enumerate(turns):
        here = [mark for mark in (found.marks if found else ()) if mark.turn == number]
        spans = [AnnotatedSpan(m.start, m.end, m.label, m.entity) for m in here if not m.on_label]
        told = (span._asdict().items() for span in spans)
        turn["spans"] = [{name: one for name, one in of if one not in (None, "")} for of in told]
        if on_label := [AnnotatedSpan(m.start, m.end, m.label, m.entity) for m in here if m.on_label]:
            try:
                turn["speaker"] = write(turn["speaker"], on_label)
            except RecordError:
                raise UserError(
                    "marks of a speaker label overlap in part, or its parentheses are unbalanced; mark "
                    "all of it"
                ) from None
    return {**record, **({} if seconds is None else {"seconds": seconds}), "turns": turns}


def _figures(
    talks: Mapping[str, Talk], found: Sequence[Adjudicated], agreement: Sequence[Agreement]
) -> dict[str, Any]:
    return {
        "conversations": len(talks),
        "read": len(found),
        "read_by_several": sum(len(one.readers) > 1 for one in found),
        "disputed": sum(one.disputed for one in found),
        "agreement": [
            {
                "tag": one.tag,
                "words": one.words,
                "krippendorff_alpha": one.alpha,
                "marked_words": dict(one.marked),
            }
            for one in agreement
            if one.words
        ],
    }


def _lines(
    talks: Mapping[str, Talk], found: Sequence[Adjudicated], agreement: Sequence[Agreement]
) -> Iterator[str]:
    several = sum(len(one.readers) > 1 for one in found)
    yield f"{len(found):,} of {len(talks):,} conversations read, {several:,} of them by several people"
    if not agreement[0].words:
        return
    yield f"agreement on {agreement[0].words:,} words: {'':<20}{'alpha':>8}"
    for one in agreement:
        yield f"  {one.tag or 'all tags':<42}{'–' if one.alpha is None else f'{one.alpha:.3f}':>8}"
