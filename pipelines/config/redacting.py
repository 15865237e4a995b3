"""The effective config as manifest and report may show it: dictionaries by count, never by word.

Word lists of custom infoTypes and exclusion rules are names of people and companies; a manifest that printed
them would leak what the corpus no longer says, and so would the hash of a short list. URLs are shown without
credentials.
"""

import hashlib
import json
from typing import Any

from tacenda.transforms.detecting.inspect_config import WORD_LISTS
from tacenda.transforms.schema.url_redaction import redact_credentials

_PATTERN = "pattern"
"""Holds a regular expression: what looks like a URL in it is none."""


def redacted(value: Any) -> Any:
    """The same plain data with every word list replaced by its size, and no credentials in a URL."""
    if isinstance(value, dict):
        return {key: _told(key, item) for key, item in value.items()}
    if isinstance(value, list):
        return [redacted(item) for item in value]
    return redact_credentials(value) if isinstance(value, str) else value


def config_hash(value: Any) -> str:
    """Sha256 over the canonical JSON of a config, word lists included."""
    return hashlib.sha256(_canonical(value)).hexdigest()


def _told(key: Any, item: Any) -> Any:
    if key in WORD_LISTS:
        return _size(item)
    return item if key == _PATTERN and isinstance(item, str) else redacted(item)


def _size(word_list: Any) -> dict[str, Any]:
    words = word_list.get("words", []) if isinstance(word_list, dict) else []
    return {"words": len(words)}


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str).encode()
