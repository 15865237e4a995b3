"""The ``deidentify`` section, a DLP DeidentifyConfig: its policies, and its entry in the manifest."""

from typing import Any

from tacenda.pipelines.config.document import ConfigDocument
from tacenda.transforms.replacing.deidentify_config import (
    Deidentification,
    KeyRing,
    parse_deidentify_config,
)
from tacenda.transforms.schema.errors import UserError

_SECTION = "deidentify"
_KEY_OF_CONFIG = "unwrapped"


def deidentification(document: ConfigDocument, ring: KeyRing) -> Deidentification:
    """Parse the section into policies.

    Raises:
        UserError: it is not a DeidentifyConfig, or has unsupported settings.
    """
    try:
        return parse_deidentify_config(document.section(_SECTION), ring, _SECTION)
    except UserError as error:
        raise document.located(error) from None


def without_keys(section: Any) -> Any:
    """The section without inline keys, for manifest and hash."""
    if isinstance(section, dict):
        return {
            name: {} if name == _KEY_OF_CONFIG and isinstance(value, dict) else without_keys(value)
            for name, value in section.items()
        }
    return [without_keys(value) for value in section] if isinstance(section, list) else section
