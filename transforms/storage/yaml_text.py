"""Parse YAML into plain values, with the fast C parser where it is available."""

from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(text: str) -> Any:
    """The one document of a text, of plain values only.

    Raises:
        yaml.YAMLError: it is no YAML.
    """
    return yaml.load(text, Loader=_LOADER)  # noqa: S506 - both are safe loaders
