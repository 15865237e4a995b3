"""The kind of surrogate for each infoType; an infoType without a kind gets a token."""

from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Any

from tacenda.transforms.replacing.surrogates.lists import document
from tacenda.transforms.storage.process_cache import built_once

NONE = "none"


@lru_cache(maxsize=4096)
def kind_of(info_type: str) -> str:
    """The kind of an infoType.

    >>> kind_of("PERSON_NAME"), kind_of("SPAIN_PASSPORT"), kind_of("MEDICAL_TERM")
    ('person', 'number', 'none')
    """
    for kind, patterns in _kinds().items():
        if any(fnmatchcase(info_type, pattern) for pattern in patterns.split()):
            return str(kind)
    return NONE


@built_once
def _kinds() -> Any:
    return document("kinds.yaml")
