"""In what form a run writes its corpus: the shape that it is converted to, and how it is split."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from tacenda.pipelines.config.output import OutputSettings
from tacenda.pipelines.work.plan import Plan
from tacenda.transforms.reading.regrouping import read_units
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.residual import counted
from tacenda.transforms.shapes.options import READ_ALONE, ReadOptions
from tacenda.transforms.writing.converting import dialogues, folded_roles, target_for
from tacenda.transforms.writing.splitting import Split


def conversion(
    plan: Plan, output: OutputSettings, options: ReadOptions
) -> tuple[str | None, Mapping[str, str]]:
    """The shape to convert to, None for that of the input, and the roles of speakers there.

    Raises:
        UserError: settings exclude each other; or the shape cannot be converted.
    """
    in_columns = output.format == "parquet" and plan.schema is None
    to = target_for(output.to, plan.shape, output.kept(), in_columns)
    mapped = options.mapping.roles if options.mapping else {}
    roles = folded_roles({**mapped, **output.roles})
    if to is not None and to != "conversation":
        _refuse_without_roles(plan, to, roles)
    if in_columns and to is None:
        raise UserError(
            "--format parquet: only tables are written so as they are; add --to conversation or --to chat, or "
            "leave it out"
        )
    return to, roles


_TRIED = 100


def _refuse_without_roles(plan: Plan, to: str, roles: Mapping[str, str]) -> None:
    """Raise if in none of the first conversations a speaker has a role."""
    readings = read_units(islice(plan.units(), 1), plan.shape, min(1, len(plan.partitions)))
    for batch, _ in islice(readings, 1):
        some = batch.take(range(min(len(batch), _TRIED)))
        records = plan.shape.write_records(some, some.texts, some.speakers)
        told = list(dialogues(plan.shape, some, some.texts, some.speakers, records, roles))
        if told and all(one == "NoRole" for one in told):
            raise UserError(
                f"--to {to}: in the first {counted(len(told), 'conversation')}, no speaker's label is a role; "
                "say which is one, as with --role Ann=assistant --role '*=user'"
            )


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
