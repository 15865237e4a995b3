"""What the extra ``[lab]`` adds: experiments, found by name among the entry points of ``tacenda.lab``.

The code is installed with everything else, so it counts as installed only with the package that its
experiments compute with. Nothing imports the laboratory but by these names.
"""

from importlib.metadata import EntryPoint, distribution
from importlib.util import find_spec
from typing import Any

from tacenda.transforms.schema.errors import UserError

ENGINE = "masked_lm_detector"
"""The name of masked language models as detectors."""

_NEEDED = "scipy"


def laboratory(name: str) -> Any:
    """What an experiment adds, such as a class of replacers, by its name among the entry points."""
    return require_laboratory(name).load()


def require_laboratory(name: str) -> EntryPoint:
    """Check that an experiment can be loaded, without loading it."""
    if find_spec(_NEEDED) is None:
        raise UserError(f"{name} is research and needs {_NEEDED}: pip install 'tacenda[lab]'")
    return distribution("tacenda").entry_points.select(group="tacenda.lab")[name]
