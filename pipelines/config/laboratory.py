"""What the extra ``[lab]`` adds: experiments, found by name among the entry points of ``tacenda.lab``.

The code is installed with everything else, so an entry point counts only if the packages of its extra are
there, such as SciPy, which the experiments compute with. Nothing imports the laboratory but by these names.
"""

import re
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution
from typing import Any

from tacenda.transforms.schema.errors import UserError

GROUP = "tacenda.lab"
ENGINE = "masked_lm_detector"
"""The name of masked language models as detectors."""
_OF_EXTRA = re.compile(r"""([\w.-]+).*;.*\bextra\s*==\s*["']([\w-]+)["']""")
"""A requirement of an extra, as the metadata of a distribution lists it: package and extra."""


def laboratory(name: str) -> Any:
    """What an experiment adds, such as a class of replacers, by its name among the entry points."""
    return require_laboratory(name).load()


def require_laboratory(name: str) -> EntryPoint:
    """Check that an experiment can be loaded, without loading it."""
    installed = distribution("tacenda")
    for entry in installed.entry_points.select(group=GROUP, name=name):
        needed = filter(None, map(_OF_EXTRA.match, installed.requires or ()))
        packages = [package for package, extra in (one.groups() for one in needed) if extra in entry.extras]
        if missing := [package for package in packages if not _is_installed(package)]:
            raise UserError(f"{name} is research and needs {', '.join(missing)}: pip install 'tacenda[lab]'")
        return entry
    raise UserError(f"{name} is research and not installed: pip install 'tacenda[lab]'")


def _is_installed(package: str) -> bool:
    try:
        distribution(package)
    except PackageNotFoundError:
        return False
    return True
