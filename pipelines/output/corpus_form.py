"""In what form a run writes its corpus: format, shape and, for Parquet of records, columns."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice

from tacenda.pipelines.config.output import OutputSettings
from tacenda.pipelines.work.plan import Plan
from tacenda.transforms.reading.regrouping import read_units
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.shapes.options import READ_ALONE, ReadOptions
from tacenda.transforms.writing.columns import (
    CorpusFormat,
    LinesFormat,
)
from tacenda.transforms.writing.converting import dialogues, folded_roles, target_for
from tacenda.transforms.writing.splitting import Split


@dataclass(frozen=True, slots=True)
class CorpusForm:
    """The fields of the same names in ``JobSettings``; ``format`` is ``corpus_format`` there."""

    format: CorpusFormat | None
    lines: LinesFormat
    to: str | None
    roles: Mapping[str, str]


def corpus_form(plan: Plan, output: OutputSettings, options: ReadOptions) -> CorpusForm:
    """The form that the settings of the output ask for.

    Raises:
        UserError: settings exclude each other; or the shape cannot be converted.
    """
    in_columns = output.format == "parquet" and plan.schema is None
    to = target_for(output.to, plan.shape, output.kept(), in_columns)
    lines: LinesFormat = "jsonl.gz"
    if output.format is not None and output.format != "parquet":
        lines = output.format
    mapped = options.mapping.roles if options.mapping else {}
    roles = folded_roles({**mapped, **output.roles})
    if to is not None and to != "conversation":
        _refuse_without_roles(plan, to, roles)
    if in_columns and to is None:
        raise UserError(
            "--format parquet: only tables are written so as they are; add --to conversation or --to chat, or "
            "leave it out"
        )
    return CorpusForm(output.format, lines, to, roles)


_TRIED = 100


def _refuse_without_roles(plan: Plan, to: str, roles: Mapping[str, str]) -> None:
    """Raise if in none of the first conversations a speaker has a role."""
    for batch in _first_batch(plan):
        some = batch.slice(0, min(len(batch), _TRIED))
        records = plan.shape.write_records(some, some.texts, some.speakers)
        told = list(dialogues(plan.shape, some, some.texts, some.speakers, records, roles))
        if told and all(one == "NoRole" for one in told):
            raise UserError(
                f"--to {to}: in the first {counted(len(told), 'conversation')}, no speaker's label is a role; "
                "say which is one, as with --role Ann=assistant --role '*=user'"
            )


def _first_batch(plan: Plan) -> Iterator[ConversationBatch]:
    """The first conversations of the first unit, if there are any."""
    readings = read_units(islice(plan.units(), 1), plan.shape, min(1, len(plan.partitions)))
    yield from (batch for batch, _ in islice(readings, 1))


def reading_for_split(options: ReadOptions, output: OutputSettings) -> ReadOptions:
    """Reading options under which the field that keeps people together is read; written only if it is kept."""
    field = output.split_by
    if field is None or field in options.keep:
        return options
    return replace(options, keep=(*options.keep, field), opaque={**options.opaque, field: READ_ALONE})


def split_settings(plan: Plan, output: OutputSettings, key: bytes | None) -> Split | None:
    """How the corpus is split; None if it is not.

    The secret key of the hashes of ids decides, if there is one, otherwise the seed alone.

    Raises:
        UserError: the input has splits, or no field of that name.
    """
    if not output.split:
        return None
    if any(piece.split for part in plan.parts for piece in part.ranges):
        raise UserError(
            "--split: the input has splits, which stay; leave --split out, or read one of them alone"
        )
    by = output.split_by
    if by is not None and by in plan.unseen:
        raise UserError(
            f"--split-by {by}: not in the records sampled from the start of each file; check the spelling"
        )
    seed = str(output.split_seed).encode()
    return Split(tuple(output.split.items()), by, seed if key is None else key[:32] + seed)
