"""Read selected conversations of an input outside of a run: the first ones, or one by its id."""

from argparse import Namespace
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import pyarrow as pa

from tacenda.pipelines.chain.detectors import check_detectors
from tacenda.pipelines.chain.portion import safe_labels
from tacenda.pipelines.command_line.arguments import read_options
from tacenda.pipelines.command_line.terminal import remark
from tacenda.pipelines.config.job_settings import ChainSettings
from tacenda.pipelines.config.output import label_rules
from tacenda.pipelines.startup.run_config import RunConfig, read_run_config
from tacenda.pipelines.work.plan import Plan, make_plan
from tacenda.pipelines.work.unit_job import turn_rows
from tacenda.transforms.reading.regrouping import partition_unit, regroup
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.labels import LabelRules, is_plainly_random
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.shape import Reading
from tacenda.transforms.shapes.turn_rows import TurnRowsShape
from tacenda.transforms.storage.files import absolute

_BATCH = 64


class Look(NamedTuple):
    """The settings for looking at originals: those of a run with the same config."""

    config: RunConfig
    chain: ChainSettings
    reading: ReadOptions
    labels: LabelRules


def look_of(arguments: Namespace, reading: ReadOptions | None = None) -> Look:
    """Check the config and detectors in the arguments; ``reading`` replaces the arguments' own options."""
    config = read_run_config("anonymize", arguments)
    chain = config.chain("anonymize")
    for note in (*config.notes, *config.in_vain, *check_detectors(chain.cloud_dlp, chain.models)):
        remark(note)
    given = read_options(arguments) if reading is None else reading
    options = replace(given, keep=config.output.kept(), opaque=config.output.opaque)
    # Values may depend on ids, so they are those of a run; nobody is kept from reading an original.
    labels = label_rules("anonymize", config.output)
    labels = replace(labels, ids="keep") if labels.ids == "check" else labels
    return Look(config, chain, options, replace(labels, others=False))


def first_conversations(urls: Sequence[str], look: Look, limit: int) -> tuple[ConversationBatch, int]:
    """The first conversations of an input, and the number of unreadable records before the last of them.

    Turn-a-row input is read completely, since a conversation's turns may be anywhere.
    """
    plan = _plan(urls, look.reading)
    if plan.partitions:
        plan = _plan(urls, replace(look.reading, limit=limit))
    first, unread = ConversationBatch(), 0
    for batch, rejections in safe_labels(_readings(plan, min(limit, _BATCH)), plan.shape, look.labels):
        first.extend(batch)
        unread += sum(rejection.rows for rejection in rejections if not plan.partitions)
        if len(first) >= limit and not plan.partitions:
            break
    return first.without(set(range(limit, len(first)))), unread


def conversation_named(urls: Sequence[str], look: Look, name: str) -> ConversationBatch:
    """The conversation with an id as in the input or in the output."""
    plan = _plan(urls, look.reading)
    if plan.partitions and not is_plainly_random(name):
        plan = replace(plan, shape=TurnRowsShape(plan.shape.options, frozenset({name})))
    for batch, _ in safe_labels(_readings(plan, 1000), plan.shape, look.labels):
        for i, names in enumerate(zip(batch.given, batch.ids, strict=True)):
            if name in names:
                return batch.select(i)
    raise UserError(
        f"{name}: no conversation has this id, files read: {len(plan.files)}; 'tacenda preview' shows some"
    )


def _plan(urls: Sequence[str], options: ReadOptions) -> Plan:
    if not all(urls):
        raise UserError("--input: an empty path means nothing; write . for the current folder")
    return make_plan([absolute(url) for url in urls], options)


def _readings(plan: Plan, conversations: int) -> Iterator[Reading]:
    if not plan.partitions:
        for unit in plan.units():
            yield from read_unit(unit, plan.shape, batch_conversations=conversations)
        return
    tables: defaultdict[int, list[pa.Table]] = defaultdict(list)
    for unit in plan.units():
        for ordinal, table in partition_unit(unit, turn_rows(plan.shape), len(plan.partitions)):
            tables[ordinal].append(table)
    for ordinal in sorted(tables):
        yield from regroup(tables.pop(ordinal), plan.shape)
