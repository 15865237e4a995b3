"""The files from which the embedded model may be made, and for what: ``sources.yaml``."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

import yaml

from tacenda.models.token_classifier.loading import embedded_path
from tacenda.transforms.schema.errors import UserError

USES = ("training", "calibration", "thresholds", "measuring")


@dataclass(frozen=True, slots=True)
class Source:
    """Licence of a file, and the ``USES`` that may be made of it."""

    licence: str
    uses: frozenset[str]


@lru_cache(maxsize=1)
def sources() -> Mapping[str, Source]:
    """The list, by file name."""
    listed = yaml.safe_load(files(__package__).joinpath("sources.yaml").read_text("utf-8"))["files"]
    return {name: Source(one["licence"], frozenset(one["uses"])) for name, one in listed.items()}


def refuse_unlisted(package: Path, paths: Sequence[Path], use: str) -> None:
    """Reject files that are not listed for a use, if the package is the embedded one; others may use any.

    Raises:
        UserError: there are such files; it names one.
    """
    if package.resolve() != embedded_path().resolve():
        return
    for path in paths:
        if use not in getattr(sources().get(path.name), "uses", ()):
            raise UserError(
                f"{path.name}: not listed for {use.replace('_', ' ')} of the embedded model; "
                "see models/training/sources.yaml"
            )
