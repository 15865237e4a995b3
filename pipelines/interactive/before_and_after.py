"""Run a preview: process the first conversations, and show them before and after."""

import shutil
from argparse import Namespace
from collections import Counter
from importlib.metadata import version

from tacenda.pipelines.chain.build import chain_of
from tacenda.pipelines.chain.chain import Chain
from tacenda.pipelines.chain.outcome import Outcome, Traces
from tacenda.pipelines.command_line.outcome import ExitCode
from tacenda.pipelines.command_line.terminal import answer, remark, say
from tacenda.pipelines.interactive.selection import Look, first_conversations, look_of
from tacenda.pipelines.work.error_sanitizing import sanitize_errors
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.previewing.conversation import (
    SPEAKER,
    WARNING,
    Columns,
    Mention,
    Previewed,
    previewed,
    side_by_side,
)
from tacenda.transforms.previewing.page import render
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.storage.publishing import publish_bytes

_WIDEST = 240


def preview(arguments: Namespace) -> int:
    """Run the command with validated arguments; returns the exit code."""
    look = look_of(arguments)
    with sanitize_errors("the preview"):
        batch, unread = first_conversations(
            arguments.input, look.reading, look.labels, arguments.conversations
        )
        if not len(batch):
            lost = f"; {unread:,} records go to quarantine" if unread else ""
            raise UserError(f"--input: no conversation can be read{lost}")
        traces = Traces()
        outcome = chain_for_originals(look).run(batch, traces=traces)
    for (stage, error), number in Counter((r.stage.value, r.error) for r in outcome.rejections).items():
        remark(f"{number:,} of {len(batch):,} conversations go to quarantine: {stage}/{error}")
    if unread:
        remark(f"{unread:,} records before the last conversation cannot be read and go to quarantine")
    places = zip(batch.origins, batch.positions, strict=True)
    linked = {place: traces.linked[i] for i, place in enumerate(places) if i in traces.linked}
    shown = [
        previewed(
            outcome.batch.given[i],
            outcome.batch.contexts[i],
            risk_in_words(outcome, i),
            columns_of(outcome, i),
            labels_of(linked.get((outcome.batch.origins[i], outcome.batch.positions[i]))),
        )
        for i in range(len(outcome.batch))
    ]
    if arguments.html:
        _write(arguments.html, render(shown, _facts(arguments, look, shown)))
    else:
        _print(shown)
    return ExitCode.DONE


def chain_for_originals(look: Look) -> Chain:
    """The chain of ``tacenda anonymize``."""
    chain = chain_of(look.chain)
    assert isinstance(chain, Chain), "anonymize always has a chain"
    return chain


def labels_of(linked: LinkedConversation | None) -> dict[str, Mention]:
    """The entities mentioned by the speaker labels of a conversation; none without replacements."""
    if linked is None:
        return {}
    return {
        label: Mention(entity, linked.info_types[entity - 1], "", SPEAKER)
        for label, entity in linked.labels.items()
    }


def columns_of(outcome: Outcome, i: int) -> Columns:
    """One conversation of an outcome as columns."""
    batch = outcome.batch
    own = slice(batch.first_cell[i], batch.first_cell[i + 1])
    return Columns(
        batch.turns[own],
        batch.parts[own],
        batch.speakers[own],
        batch.texts[own],
        outcome.speakers[own],
        outcome.texts[own],
        outcome.findings[own],
        outcome.entities[own],
        outcome.values[own],
    )


def risk_in_words(outcome: Outcome, i: int) -> str:
    """The risk of a conversation in words; empty if it was not scored."""
    risk, source = outcome.risks[i], outcome.sources[i]
    return "" if risk is None else f"risk {risk.score}, by {source}"


def _print(shown: list[Previewed]) -> None:
    width = min(shutil.get_terminal_size((120, 24)).columns, _WIDEST)
    remark(WARNING)
    for one in shown:
        answer("\n".join([*side_by_side(one, width), ""]))


def _write(url: str, page: str) -> None:
    place = absolute(url)
    try:
        publish_bytes(place, page.encode(), private=True)
    except OSError as error:
        raise UserError(f"--html {url}: cannot be written ({type(error).__name__}); check the path") from None
    say(f"{redact_url(place)}: {WARNING}")


def _facts(arguments: Namespace, look: Look, shown: list[Previewed]) -> list[tuple[str, str]]:
    return [
        ("input", ", ".join(redact_url(url) for url in arguments.input)),
        ("config", redact_url(arguments.config) if arguments.config else "the defaults"),
        ("conversations", f"{len(shown):,}"),
        ("mentions replaced", f"{sum(entity.mentions for one in shown for entity in one.entities):,}"),
        ("entities", f"{sum(len(one.entities) for one in shown):,}"),
        ("detectors", ", ".join(look.chain.detectors)),
        ("Tacenda", version("tacenda")),
    ]
