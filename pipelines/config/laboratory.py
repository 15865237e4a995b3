"""What the extra ``[lab]`` adds: experiments, found by name among the entry points of ``tacenda.lab``.

The code is installed with everything else, so an entry point counts only if the packages of its extra are
there, such as SciPy, which the experiments compute with. Nothing imports the laboratory but by these names.
"""

import re
from importlib.metadata import Distribution, EntryPoint, PackageNotFoundError, distribution
from typing import Any

from tacenda.transforms.schema.errors import UserError

GROUP = "tacenda.lab"
ENGINE = "masked_lm_detector"
"""The name of masked language models as detectors."""
_OF_EXTRA = re.compile(r"""([\w.-]+).*;.*\bextra\s*==\s*["']([\w-]+)["']""")
"""A requirement of an extra, as the metadata of a distribution lists it: package and extra."""


def laboratory(name: str) -> Any:
    """What an experiment adds, such as a class of replacers, by its name among the entry points."""
    return _entry(name).load()


def require_laboratory(name: str) -> None:
    """Check that an experiment can be loaded, without loading it."""
    _entry(name)


def _entry(name: str) -> EntryPoint:
    installed = distribution("tacenda")
    for entry in installed.entry_points.select(group=GROUP, name=name):
        if missing := [package for extra in entry.extras for package in _missing(installed, extra)]:
            raise UserError(f"{name} is research and needs {', '.join(missing)}: pip install 'tacenda[lab]'")
        return entry
    raise UserError(f"{name} is research and not installed: pip install 'tacenda[lab]'")


def _missing(installed: Distribution, extra: str) -> list[str]:
    """The packages of an extra that are not installed."""
    missing = []
    for requirement in installed.requires or ():
        found = _OF_EXTRA.match(requirement)
        if found and found[2] == extra:
            try:
                distribution(found[1])
            except PackageNotFoundError:
                missing.append(found[1])
    return missing
