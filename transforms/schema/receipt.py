"""Receipt: what a finished work unit says about itself; the only thing besides units that Beam merges."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Receipt:
    """Counts and hashes of one work unit; never text.

    ``files`` maps an output path relative to the output folder to its sha256 and row count. ``findings`` and
    ``entities`` count by infoType, ``missed`` by risk tag (a partial form counts under ``TAG_PARTIAL``),
    ``unscored`` by label, ``quarantined`` rows by ``stage/error``. ``reviews_matched`` conversations had an
    entry in a spans file. ``risk`` is a serialised risk sketch.
    A ``repaired`` receipt is of a unit that was written again, and takes the place of its first one.
    ``id_hashes`` holds 8 bytes for each distinct conversation id that was read.
    """

    unit: str
    source: dict[str, Any] = field(default_factory=dict)
    rows_in: int = 0
    rows_out: int = 0
    rows_quarantined: int = 0
    conversations: int = 0
    turns: int = 0
    characters: int = 0
    speakers_replaced: int = 0
    reviews_matched: int = 0
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    findings: dict[str, int] = field(default_factory=dict)
    entities: dict[str, int] = field(default_factory=dict)
    missed: dict[str, int] = field(default_factory=dict)
    unscored: dict[str, int] = field(default_factory=dict)
    quarantined: dict[str, int] = field(default_factory=dict)
    risk: dict[str, Any] = field(default_factory=dict)
    id_hashes: bytes = b""
    repaired: bool = False
