"""In what form a run writes its corpus: format, shape and, for Parquet of records, columns."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import pyarrow as pa

from tacenda.pipelines.config.output import OutputSettings
from tacenda.pipelines.work.plan import Plan
from tacenda.transforms.reading.regrouping import read_units
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.shapes.options import READ_ALONE, ReadOptions, unwritten_field
from tacenda.transforms.writing.columns import (
    ColumnsError,
    CorpusFormat,
    LinesFormat,
    columns_of,
    with_numbers_as_text,
)
from tacenda.transforms.writing.converting import dialogues, folded_roles, target_for
from tacenda.transforms.writing.splitting import Split


@dataclass(frozen=True, slots=True)
class CorpusForm:
    """The fields of the same names in ``JobSettings``; ``format`` is ``corpus_format`` there.

    ``numbers_as_text`` are kept fields whose numbers are text in the columns, since a token may replace them.
    """

    format: CorpusFormat | None
    lines: LinesFormat
    record_schema: pa.Schema | None
    to: str | None
    roles: Mapping[str, str]
    numbers_as_text: Sequence[str] = ()


def corpus_form(plan: Plan, output: OutputSettings, options: ReadOptions) -> CorpusForm:
    """The form that the settings of the output ask for.

    Raises:
        UserError: settings exclude each other; the shape cannot be converted; or the first records of the input
            have no common columns.
    """
    to = target_for(output.to, plan.shape, output.kept())
    lines: LinesFormat = "jsonl.gz"
    if output.format is not None and output.format != "parquet":
        lines = output.format
    mapped = options.mapping.roles if options.mapping else {}
    roles = folded_roles({**mapped, **output.roles})
    if to is not None and to != "conversation":
        _refuse_without_roles(plan, to, roles)
    schema, as_text = None, list[str]()
    if output.format == "parquet" and to is None and plan.schema is None:
        searched = [name for name in options.keep if name not in options.opaque]
        schema, as_text = with_numbers_as_text(_columns(plan), searched)
    return CorpusForm(output.format, lines, schema, to, roles, as_text)


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


def _columns(plan: Plan) -> pa.Schema:
    """The columns of the records at the start of the input, as they are written."""
    written = (plan.shape.write_records(one, one.texts, one.speakers) for one in _first_batch(plan))
    records = [record for several in written for record in several]
    if not records:
        return pa.schema([(name, pa.string()) for name in plan.shape.id_fields[:1]])
    for record in records:
        record.pop(unwritten_field(plan.shape.options) or "", None)
    try:
        return columns_of(records, plan.shape.id_fields)
    except ColumnsError:
        raise UserError(
            "--format parquet: the records have no common columns, as a field is a text in some and a list in "
            "others; use --format jsonl.gz"
        ) from None


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
