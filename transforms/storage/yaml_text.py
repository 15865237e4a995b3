"""Parse YAML into plain values, with the fast C parser where it is available."""

from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(text: str) -> Any:
    """Parse a text with one YAML document of plain values.

    Raises:
        yaml.YAMLError: the text is not valid YAML.
    """
    return yaml.load(text, Loader=_LOADER)  # noqa: S506 - both are safe loaders
