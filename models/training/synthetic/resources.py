"""Word lists and templates, loaded once."""

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from tacenda.transforms.storage.yaml_text import parse_yaml

DATA = files("tacenda.models.training.synthetic") / "data"


@cache
def document(name: str) -> Mapping[str, Any]:
    """A data file, such as ``names.yaml`` or ``templates/en/letters.yaml``."""
    content: Mapping[str, Any] = parse_yaml((DATA / name).read_text("utf-8"))
    return content


def words(text: str) -> tuple[str, ...]:
    """Split a comma-separated list."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


@cache
def listed(name: str, *keys: str) -> tuple[str, ...]:
    """A comma-separated list in a data file, by its path of keys."""
    node: Any = document(name)
    for key in keys:
        node = node[key]
    return words(node)


@lru_cache(maxsize=1)
def template_files() -> tuple[str, ...]:
    """All template files, sorted: ``templates/<language>/<kind>.yaml``."""
    folder = DATA / "templates"
    return tuple(
        sorted(
            f"templates/{language.name}/{file.name}"
            for language in folder.iterdir()
            if language.is_dir()
            for file in language.iterdir()
            if file.name.endswith(".yaml")
        )
    )
