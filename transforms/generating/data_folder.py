"""Data folder: word lists and templates beside the code that draws from them, each file read once."""

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from tacenda.transforms.storage.yaml_text import parse_yaml


class DataFolder:
    """The folder ``data`` of a package; files are named relative to it, as in ``templates/en/forms.yaml``."""

    def __init__(self, package: str) -> None:
        self._root = Path(str(files(package))) / "data"
        self.document = cache(self._document)
        self.listed = cache(self._listed)

    def _document(self, name: str) -> Any:
        """A parsed YAML file."""
        return parse_yaml((self._root / name).read_text("utf-8"))

    def _listed(self, name: str, *keys: str) -> tuple[str, ...]:
        """A list in a file, separated by commas, by its path of keys."""
        node = self.document(name)
        for key in keys:
            node = node[key]
        return separated(node)

    def files(self, folder: str) -> tuple[str, ...]:
        """All YAML files at any depth below a folder, sorted."""
        found = (self._root / folder).rglob("*.yaml")
        return tuple(sorted(path.relative_to(self._root).as_posix() for path in found))


def separated(text: str) -> tuple[str, ...]:
    """The items of a list with commas between them."""
    return tuple(item.strip() for item in text.split(",") if item.strip())
