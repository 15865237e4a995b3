"""Parse YAML into plain values, with the fast C parser where it is available."""

from importlib.resources import files
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def parse_yaml(text: str) -> Any:
    """Parse a text with one YAML document of plain values.

    Raises:
        yaml.YAMLError: the text is not valid YAML.
    """
    return yaml.load(text, Loader=_LOADER)  # noqa: S506 - both are safe loaders


def data_file(package: str, name: str) -> Any:
    """What is in a YAML file beside the modules of a package."""
    return parse_yaml((files(package) / name).read_text(encoding="utf-8"))


def parse_yaml_list(text: str) -> list[tuple[int, Any]] | None:
    """The entries of a YAML list, each with the line where it begins, from 1; None if the text is no list.

    Raises:
        yaml.YAMLError: the text is not valid YAML.
    """
    loader = _LOADER(text)
    try:
        node = loader.get_single_node()
        if not isinstance(node, yaml.SequenceNode):
            return None
        entries = loader.construct_document(node)
        return [(one.start_mark.line + 1, entry) for one, entry in zip(node.value, entries, strict=True)]
    finally:
        loader.dispose()
