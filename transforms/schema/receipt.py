"""Receipt: what a finished work unit reports; also the sum over a part or a run."""

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(slots=True, kw_only=True)
class Totals:
    """Sums over conversations; independent of how these were divided. Counts, never text.

    A chain counts those that it can tell of a batch (``Outcome.totals``), and their sum goes into the receipt.

    ``identified`` conversations had a direct identifier that was replaced, or one that is left; ``wordless``
    ones have no letter and no digit. ``rows_dropped`` were
    removed by request for their scores, ``rows_not_read`` left out by a limit, ``rows_erased`` erased later.
    ``standoff_rows`` are those of stand-off files. ``reviews_matched`` conversations had an entry in a spans
    file; of the unnamed ``readers``, ``unsigned`` conversations have no mark either.

    ``findings`` and ``entities`` count by infoType, ``missed`` by risk tag (partial forms under
    ``TAG_PARTIAL``), ``unscored`` by label, ``quarantined`` rows by ``stage/error``, ``sampling`` text that
    detectors skipped and sampled (``scoring.detector_checks``), ``languages`` turns and conversations,
    ``processors`` conversations by processor, since others may round a network's scores differently,
    ``annotations`` by annotator. ``readable`` are findings kept by request, by ``why/infoType``, ``listed``
    matches of list entries, ``hidden`` conversations with hidden names, ``swapped`` the counts of the swap
    test, ``tokens`` the numbered tokens that were written, ``splits`` conversations. ``of_gold`` counts the
    ``findings`` where gold is complete, those ``outside`` of it and the ``same`` as it, its ``spans`` and the
    texts ``beside`` the turns. ``readers`` counts conversations by the name of the person who read them, empty
    if unnamed.
    """

    rows_in: int = 0
    rows_out: int = 0
    rows_quarantined: int = 0
    rows_dropped: int = 0
    rows_not_read: int = 0
    rows_erased: int = 0
    dropped: int = 0
    conversations: int = 0
    identified: int = 0
    wordless: int = 0
    turns: int = 0
    characters: int = 0
    speakers_replaced: int = 0
    standoff_rows: int = 0
    reviews_matched: int = 0
    unsigned: int = 0
    findings: Counter[str] = field(default_factory=Counter)
    entities: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)
    unscored: Counter[str] = field(default_factory=Counter)
    quarantined: Counter[str] = field(default_factory=Counter)
    sampling: Counter[str] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    processors: Counter[str] = field(default_factory=Counter)
    annotations: Counter[str] = field(default_factory=Counter)
    readable: Counter[str] = field(default_factory=Counter)
    listed: Counter[str] = field(default_factory=Counter)
    hidden: Counter[str] = field(default_factory=Counter)
    swapped: Counter[str] = field(default_factory=Counter)
    of_gold: Counter[str] = field(default_factory=Counter)
    tokens: Counter[str] = field(default_factory=Counter)
    readers: Counter[str] = field(default_factory=Counter)
    splits: Counter[str] = field(default_factory=Counter)

    def add(self, more: "Totals") -> None:
        """Add the counts of other conversations."""
        for column in fields(Totals):
            name = column.name
            if column.type is int:
                setattr(self, name, getattr(self, name) + getattr(more, name))
            else:
                getattr(self, name).update(getattr(more, name))

    @property
    def balanced(self) -> bool:
        """Rows in = out + quarantined + dropped + not read + erased; otherwise some were lost or duplicated."""
        left = self.rows_dropped + self.rows_not_read + self.rows_erased
        return self.rows_in == self.rows_out + self.rows_quarantined + left

    @property
    def balance(self) -> str:
        told = f"{self.rows_in:,} in {'=' if self.balanced else '≠'} {self.rows_out:,} out"
        told += f" + {self.rows_quarantined:,} quarantined"
        others = {"dropped": self.rows_dropped, "erased": self.rows_erased}
        others["not read by request"] = self.rows_not_read
        return told + "".join(f" + {rows:,} {what}" for what, rows in others.items() if rows)


@dataclass(slots=True)
class Receipt(Totals):
    """The totals of a unit, a part or a run, and its sources; never text.

    ``sources`` are what was read (``WorkUnit.sources``), ``text_bytes`` its estimated size. ``risk`` is a
    serialised sketch (``scoring.statistics``). In some ``suspected`` conversations a name may stand out among
    surrogates. ``id_hashes`` has 8 bytes for each distinct conversation id read. The receipt of a part has
    ``files``: by path relative to the output folder, SHA-256, rows and bytes of each.
    """

    unit: str
    units: int = 1
    sources: list[dict[str, Any]] = field(default_factory=list)
    text_bytes: int = 0
    files: dict[str, dict[str, Any]] = field(default_factory=dict)
    risk: dict[str, Any] = field(default_factory=dict)
    suspected: list[str] = field(default_factory=list)
    id_hashes: bytes = b""
