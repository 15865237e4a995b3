"""Redact the effective config for manifest and report: word lists by size only, URLs without credentials.

Word lists of custom infoTypes and exclusion rules contain names of people and companies. Publishing them, or
the hash of a short list, would leak what was removed from the corpus.
"""

import hashlib
import json
from typing import Any

from tacenda.transforms.detecting.inspect_config import WORD_LISTS
from tacenda.transforms.schema.url_redaction import redact_credentials

_PATTERN = "pattern"
"""Key of regular expressions, which may look like URLs but are not."""


def redacted(value: Any) -> Any:
    """Replace every word list in plain data by its size, and remove credentials from URLs."""
    if isinstance(value, dict):
        return {key: _redacted_item(key, item) for key, item in value.items()}
    if isinstance(value, list):
        return [redacted(item) for item in value]
    return redact_credentials(value) if isinstance(value, str) else value


def config_hash(value: Any) -> str:
    """Sha256 over the canonical JSON of a config, including word lists."""
    return hashlib.sha256(_canonical(value)).hexdigest()


def _redacted_item(key: Any, item: Any) -> Any:
    if key in WORD_LISTS:
        return _size(item)
    return item if key == _PATTERN and isinstance(item, str) else redacted(item)


def _size(word_list: Any) -> dict[str, Any]:
    words = word_list.get("words", []) if isinstance(word_list, dict) else []
    return {"words": len(words)}


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str).encode()
