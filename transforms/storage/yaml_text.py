"""YAML as plain values, by the parser in C where the library was built with it, which is much faster."""

from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(text: str) -> Any:
    """The one document of a text, of plain values only.

    Raises:
        yaml.YAMLError: it is no YAML.
    """
    return yaml.load(text, Loader=_LOADER)  # noqa: S506 - both are safe loaders
