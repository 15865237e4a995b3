"""``tacenda preview``: conversations side by side, one explained, or a text anonymised."""

import shutil
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import Any, NamedTuple

import orjson

from tacenda.models.detection import detect_all
from tacenda.pipelines.chain.build import chain_of, check_detectors
from tacenda.pipelines.chain.chain import Chain
from tacenda.pipelines.chain.conversations import TEXT, Intake, after
from tacenda.pipelines.chain.detecting import column_of
from tacenda.pipelines.chain.outcome import Work
from tacenda.pipelines.chain.safe_labels import safe_labels
from tacenda.pipelines.command_line.arguments import read_options
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import TERMINAL, answer, remark, say
from tacenda.pipelines.config.detectors import RULES
from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.config.output import label_rules
from tacenda.pipelines.startup.run_config import run_config
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.pipelines.work.plan import make_plan
from tacenda.transforms.detecting.correcting.eponyms import EPONYM
from tacenda.transforms.detecting.correcting.marks import LISTED, Marks
from tacenda.transforms.detecting.rules.evidence import evidence
from tacenda.transforms.linking.linked import PUBLIC_KNOWLEDGE, PUBLIC_ROLE
from tacenda.transforms.previewing import conversation as shown_as
from tacenda.transforms.previewing.explanation import lines
from tacenda.transforms.previewing.page import render
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.scoring.conversation_risk import score_conversation
from tacenda.transforms.scoring.score_table import Unscored
from tacenda.transforms.shapes.declared import TURN_TOO_LONG
from tacenda.transforms.shapes.labels import UNCHECKED, LabelRules, is_plainly_random
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tacenda.transforms.storage.files import absolute, read_text
from tacenda.transforms.storage.publishing import publish_bytes
from tacenda.transforms.text.column import TextColumn

_AGREEMENTS = {
    "same": "the same value",
    "part": "a part of the same name",
    "turned": "the words of the name in another order",
    "inflected": "an inflected form of the same name",
    "nickname": "a nickname of the same name",
    "initial": "an initial of the same name",
    "sound": "a name that sounds the same",
    "titled_given": "the given name of the same person, with a title",
    "nearest": "the person of this name who was mentioned last",
}
"""The kinds of agreement of mentions (``linking/names.yaml``), in words."""

_WIDEST = 240
_BATCH = 64

_MARKS = {
    EPONYM: "the name of a disease or test, not of a person",
    PUBLIC_ROLE: "a public role",
    PUBLIC_KNOWLEDGE: "public knowledge",
}
"""What else than a list keeps text readable."""


class Look(NamedTuple):
    """The chain and the settings for looking at originals: those of a run with the same config."""

    settings: ChainSettings
    chain: Chain
    reading: ReadOptions
    labels: LabelRules


def show(arguments: Namespace) -> int:
    """Show what the arguments ask for; returns the exit code."""
    if arguments.text is not None:
        if arguments.input or arguments.why is not None or arguments.html:
            raise UserError("--text: is a text by itself; leave --input, --why and --html out")
        return _redact(arguments, _look(arguments, ReadOptions()))
    if not arguments.input:
        raise UserError("give --input FILE, or --text - for a text on stdin; see 'tacenda preview --help'")
    if not all(arguments.input):
        raise UserError("--input: an empty path means nothing; write . for the current folder")
    if arguments.why is None and arguments.json:
        raise UserError("--json: needs --why or --text; a preview is for people")
    look = _look(arguments, read_options(arguments))
    if arguments.why is None:
        return _preview(arguments, look)
    with sanitize_errors("the explanation"):
        told = _explanation(_conversation_named(arguments.input, look, arguments.why), look)
    remark(shown_as.WARNING)
    answer(orjson.dumps(told).decode() if arguments.json else "\n".join(lines(told)))
    return ExitCode.DONE


def _look(arguments: Namespace, reading: ReadOptions) -> Look:
    """Check the config and detectors in the arguments."""
    config = run_config("anonymize", load_config(arguments.config), arguments)
    settings = config.chain("anonymize")
    for note in (*config.notes, *config.in_vain, *check_detectors(settings.detecting)):
        remark(note)
    # Values may depend on ids, so they are those of a run; nobody is kept from reading an original.
    labels = label_rules("anonymize", config.output)
    labels = replace(labels, others=False, ids="keep" if labels.ids == "check" else labels.ids)
    chain = chain_of(settings)
    assert isinstance(chain, Chain), "anonymize always has a chain"
    return Look(settings, chain, config.reading(reading), labels)


def _first_conversations(urls: Sequence[str], look: Look, limit: int) -> tuple[ConversationBatch, int]:
    """The first conversations of an input, and the number of unreadable records before the last of them.

    Turn-a-row input is read completely, since a conversation's turns may be anywhere.
    """
    plan = make_plan([absolute(url) for url in urls], look.reading)
    if plan.partitions:
        plan = make_plan([absolute(url) for url in urls], replace(look.reading, limit=limit))
    first, unread = ConversationBatch(), 0
    for batch, rejections in safe_labels(plan.readings(min(limit, _BATCH)), plan.shape, look.labels):
        first.extend(batch)
        unread += sum(rejection.rows for rejection in rejections if not plan.partitions)
        if len(first) >= limit and not plan.partitions:
            break
    return first.without(set(range(limit, len(first)))), unread


def _conversation_named(urls: Sequence[str], look: Look, name: str) -> ConversationBatch:
    """The conversation with an id as in the input or in the output."""
    plan = make_plan([absolute(url) for url in urls], look.reading)
    if plan.partitions and not is_plainly_random(name):
        plan = replace(plan, shape=TurnRowsShape(plan.shape.options, frozenset({name})))
    for batch, _ in safe_labels(plan.readings(), plan.shape, look.labels):
        for i, names in enumerate(zip(batch.given, batch.ids, strict=True)):
            if name in names:
                return batch.take([i])
    raise UserError(
        f"{name}: no conversation has this id, files read: {len(plan.files)}; 'tacenda preview' shows some"
    )


def _preview(arguments: Namespace, look: Look) -> int:
    """Show conversations side by side, or write them as a page."""
    with sanitize_errors("the preview"):
        batch, unread = _first_conversations(arguments.input, look, arguments.conversations)
        if not len(batch):
            lost = f"; {unread:,} records go to quarantine" if unread else ""
            raise UserError(f"--input: no conversation can be read{lost}")
        work = look.chain.work(batch)
    for (stage, error), number in Counter(work.failed.values()).items():
        remark(f"{number:,} of {len(batch):,} conversations go to quarantine: {stage.value}/{error}")
    if unread:
        remark(f"{unread:,} records before the last conversation cannot be read and go to quarantine")
    shown = [_shown(work, i) for i in range(len(batch)) if i not in work.failed]
    if not arguments.html:
        width = min(shutil.get_terminal_size((120, 24)).columns, _WIDEST)
        remark(shown_as.WARNING)
        for one in shown:
            answer("\n".join([*shown_as.side_by_side(one, width), ""]))
        return ExitCode.DONE
    facts = [
        ("input", ", ".join(redact_url(url) for url in arguments.input)),
        ("config", redact_url(arguments.config) if arguments.config else "the defaults"),
        ("conversations", f"{len(shown):,}"),
        ("entities", f"{sum(len(one.numbers()) for one in shown):,}"),
        ("detectors", ", ".join(look.settings.detecting.names)),
        ("Tacenda", version("tacenda")),
    ]
    place = absolute(arguments.html)
    publish_bytes(place, render(shown, facts).encode(), private=True)
    say(f"{redact_url(place)}: {shown_as.WARNING}")
    return ExitCode.DONE


def _shown(work: Work, i: int) -> shown_as.Previewed:
    """A conversation before and after."""
    batch, done, own, risk = work.batch, work.outcome, work.batch.own(i), work.outcome.risks[i]
    assert risk is not None, "anonymize scores"
    columns = batch.turns, batch.parts, batch.speakers, batch.texts, done.speakers, done.texts
    values = done.findings, done.entities, done.values
    cells = zip(*(column[own] for column in (*columns, *values)), strict=True)
    told = f"risk {risk.score}, by {done.sources[i]}"
    return shown_as.previewed(batch.given[i], batch.contexts[i], told, cells, _labels(work, i))


def _labels(work: Work, i: int) -> dict[str, shown_as.Mention]:
    """The entities mentioned by the speaker labels of a conversation; none without replacements."""
    known = work.linked[i].label_entities() if i in work.linked else {}
    return {
        label: shown_as.Mention(entity, info_type, "", shown_as.SPEAKER)
        for label, (entity, info_type) in known.items()
    }


def _explanation(batch: ConversationBatch, look: Look) -> dict[str, Any]:
    """Explain the result of a chain for a batch of one conversation.

    ``score`` is that of what is left, and ``source`` says who looked for it.
    """
    work = look.chain.work(batch)
    for stage, error in work.failed.values():
        raise UserError(f"{batch.given[0]}: goes to quarantine ({stage.value}/{error}), so it is not written")
    column = column_of(batch.texts, batch.parts, batch.first_cell)
    results = detect_all(look.chain.detectors, column)
    seen = [sorted(f for result in results for f in result.findings[i]) for i in range(len(column))]
    risk = work.outcome.risks[0]
    assert risk is not None, "anonymize scores"
    return {
        "id": batch.given[0],
        "context": batch.contexts[0],
        "entities": _entities(work, column, seen, look),
        "score": risk.score,
        "source": work.outcome.sources[0],
        "residuals": list(_residuals(work.residuals[0], batch, look)),
        "kept": list(_kept(batch, work.marks, seen, look)),
    }


def _entities(
    work: Work, column: TextColumn, seen: Sequence[Sequence[Finding]], look: Look
) -> list[dict[str, Any]]:
    """The entities of a conversation with all of their mentions, in order.

    ``value`` replaces the first mention; ``start`` and ``end`` are code points of the original, None for a
    speaker label.
    """
    cells, outcome, linked, labels = work.batch, work.outcome, work.linked.get(0), _labels(work, 0)
    entities: dict[int, dict[str, Any]] = {}
    known: dict[int, str] = {}

    def tell(entity: int, info_type: str, value: str, how: str, place: str, **mention: Any) -> None:
        first = known.setdefault(entity, place)
        new = {"number": entity, "info_type": info_type, "value": value, "mentions": []}
        mentions = entities.setdefault(entity, new)["mentions"]
        why = f"{_AGREEMENTS.get(how, how)}, as in {first}" if mentions else "the first mention of its entity"
        mentions.append({"place": place, **mention, "linked_by": why})

    for i, speaker in enumerate(cells.speakers):
        place = _place(cells, i)
        label = labels.pop(speaker, None) if speaker is not None else None
        if label is not None:
            value, turns = outcome.speakers[i] or "", cells.speakers.count(speaker)
            said: dict[str, Any] = {"start": None, "end": None, "likelihood": "", "detector": label.detector}
            tell(label.entity, label.info_type, value, "same", place, text=speaker, sights=[], **said)
            if turns > 1:
                entities[label.entity]["mentions"][-1]["place"] += f" and {turns - 1} more"
        hows = linked.agreements[i] if linked is not None and linked.agreements else ()
        for k, (finding, entity) in enumerate(zip(outcome.findings[i], outcome.entities[i], strict=True)):
            start, end, info_type, *_ = finding
            sights = [
                _sight(finding._replace(start=one.start, end=one.end, detector=LISTED), [entry])
                for one in work.marks.suppressed_by.get(i, ())
                if one.start < end and start < one.end and (entry := _entry(one.entry, look))
            ]
            for one in (one for one in seen[i] if one.start < end and one.end > start):
                by = evidence(column, i, one, look.settings.detecting.rules) if one.detector == RULES else ()
                sights.append(_sight(one, list(by)))
            said = {"text": cells.texts[i][start:end], **_found(finding), "sights": sights}
            tell(entity, info_type, outcome.values[i][k], hows[k] if hows else "same", place, **said)
    return [entities[number] for number in sorted(entities)]


def _place(cells: ConversationBatch, i: int) -> str:
    return f"turn {shown_as.place_name(cells.turns[i], cells.parts[i])}"


def _found(finding: Finding) -> dict[str, Any]:
    """A finding without its infoType, as JSON has it."""
    found = {"start": finding.start, "end": finding.end}
    return {**found, "likelihood": finding.likelihood.name, "detector": finding.detector}


def _sight(finding: Finding, by: Sequence[str]) -> dict[str, Any]:
    """What one detector found; ``by`` has its patterns, lists and hotwords, if known."""
    return {**_found(finding), "info_type": finding.info_type, "by": list(by)}


def _kept(
    cells: ConversationBatch, marks: Marks, seen: Sequence[Sequence[Finding]], look: Look
) -> Iterator[dict[str, Any]]:
    """What would be replaced, but for a list, an eponym or a public role."""
    for i, protected in sorted(marks.protected.items()):
        place = _place(cells, i)
        for start, end in dict.fromkeys((one.start, one.end) for one in protected):
            here = [one for one in protected if (one.start, one.end) == (start, end)]
            found = [f for f in seen[i] if any(one.holds(cells.texts[i], f) for one in here)]
            # Other mentions of a protected entity may be seen by no detector.
            if found or any(one.entity or one.why in (PUBLIC_ROLE, PUBLIC_KNOWLEDGE) for one in here):
                by = dict.fromkeys(_entry(one.entry, look) or _MARKS.get(one.why, one.why) for one in here)
                kept = {"place": place, "start": start, "end": end, "text": cells.texts[i][start:end]}
                yield {**kept, "info_types": list(dict.fromkeys(f.info_type for f in found)), "by": list(by)}


def _entry(key: str, look: Look) -> str:
    """The file and line of a list entry, from its key; empty if there is none."""
    if not key:
        return ""
    number, entry = map(int, key.split("/"))
    file = look.settings.replacement.lists[number]
    return f"{redact_url(file.url).rsplit('/', 1)[-1]}, line {file.lines[entry]}"


def _residuals(
    residuals: Sequence[Residual], cells: ConversationBatch, look: Look
) -> Iterator[dict[str, Any]]:
    """Data still readable, and the points that each adds to those before it; their sum is the score.

    It adds none if its entity was counted before, it overlaps another, or its label is not scored.
    """
    table, variants = look.chain.table, look.chain.variant_clustering
    assert table is not None, "anonymize scores"
    before = 0
    for k, residual in enumerate(residuals, 1):
        now = score_conversation(residuals[:k], table, variants).score
        place = "label of a speaker" if residual.place is None else _place(cells, residual.place[0])
        weight = table.weights[residual.label, residual.partial, residual.speaker]
        same = {name: getattr(residual, name) for name in ("label", "partial", "speaker")}
        tag = None if isinstance(weight, Unscored) else weight.tag.name
        yield {"place": place, "text": residual.value, **same, "tag": tag, "points": now - before}
        before = now


def _redact(arguments: Namespace, look: Look) -> int:
    """Anonymise one text."""
    on_stdin = arguments.text == TERMINAL
    where = "stdin" if on_stdin else f"--text {arguments.text}"
    text = read_text(TERMINAL if on_stdin else absolute(arguments.text), where)
    with sanitize_errors("the text"):
        (read,) = Intake(look.reading, UNCHECKED).items([text])
        done = after(read, look.chain, "anonymize")
    for rejection in done.rejections():
        if rejection.error == TURN_TOO_LONG:
            most = look.reading.max_turn_chars
            raise UserError(f"{where}: longer than {most:,} characters; give it in parts, as with split -C")
        raise UserError(f"{where}: the text cannot be processed: {rejection.stage}/{rejection.error}")
    (result,) = done.results()
    written = result.conversation[TEXT]
    if arguments.json:
        told = asdict(result)
        for finding in told["findings"]:
            finding["likelihood"] = finding["likelihood"].name
        parts = ("findings", "entities", "risk")
        answer(orjson.dumps({"text": written, **{part: told[part] for part in parts}}).decode())
    else:
        # Exactly as it was read, with or without a final line feed.
        sys.stdout.buffer.write(written.encode())
        sys.stdout.flush()
    return ExitCode.DONE
