"""Find a package's data without importing it, since the import may need further packages."""

from importlib.util import find_spec
from pathlib import Path


def folder(package: str) -> Path:
    """The folder of an installed package."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{package} is not installed: pip install --no-deps -r requirements.txt")
    return Path(spec.submodule_search_locations[0])
