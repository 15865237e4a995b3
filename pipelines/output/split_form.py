"""How a run splits its corpus, from the settings of its output."""

from dataclasses import replace

from tacenda.pipelines.config.output import OutputSettings
from tacenda.pipelines.work.plan import Plan
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.shapes.options import READ_ALONE, ReadOptions
from tacenda.transforms.writing.splitting import Split


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
