"""The manifest: what was done, with which versions and settings, and the hashes of all files.

It has counts and hashes, never text, and nothing that differs between runs on the same input. Details of work
units and files are in Parquet files beside it, so that it stays small for any corpus.

Its entries on changes of a corpus after the first run each have the SHA-256 of the manifest that stood before,
so that they are a chain: with the manifests, or their hashes in a signed history, at hand, nobody can take one
out unnoticed. They have counts and keyed digests, never ids.

Add up receipts: from units to parts, and from parts to the totals of a run.
"""

import base64
import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

import pyarrow as pa

from tacenda.transforms.replacing.standing_out import MOST_IDS
from tacenda.transforms.schema.receipt import Receipt, Totals
from tacenda.transforms.scoring.statistics import RiskSketch
from tacenda.transforms.writing.columns import schema_of

UNITS_FILE = "manifest-units.parquet"
FILES_FILE = "manifest-files.parquet"
INPUTS_FILE = "manifest-inputs.parquet"

_SOURCE = pa.struct(schema_of("url string, start int64, stop int64, counts string"))
UNITS = schema_of(
    "unit string, part string, sources sources, "
    "rows_in int64, rows_out int64, rows_quarantined int64, rows_dropped int64, conversations int64",
    sources=pa.list_(pa.field("element", _SOURCE, nullable=False)),
)
"""A row for each work unit: the ranges of input files that it read, and its counts."""

FILES = schema_of("path string, part string, sha256 string, rows int64, bytes int64")
"""A row for each output file; ``path`` is relative to the output folder."""

INPUTS = schema_of("url string, bytes int64, digest string")
"""A row for each input file, by which a run that adds to the corpus knows it (``locating.content_digests``)."""


@dataclass(frozen=True, slots=True)
class RunIdentity:
    """Everything that determines a run; two runs with equal identity write equal bytes. Entries of a manifest.

    ``tacenda`` is the version. ``inputs`` has the number of input files, their total bytes, and a hash of their
    names and sizes. ``settings_hash`` is one of everything else that affects what a conversation becomes: the
    runs of one corpus share it.
    """

    tacenda: str
    command: str
    fingerprint: str
    score_table: dict[str, str]
    config_hash: str
    settings_hash: str
    config: dict[str, Any]
    shape: str
    inputs: dict[str, Any]


def inputs_entry(files: Iterable[tuple[str, int]]) -> dict[str, Any]:
    """The manifest's entry on the input, from the URL and size of each file, in order of URL."""
    names = [[url, size] for url, size in files]
    return {
        "files": len(names),
        "bytes": sum(size for _, size in names),
        "sha256": hashlib.sha256(json.dumps(names).encode()).hexdigest(),
    }


def units_table(part: str, receipts: Iterable[Receipt]) -> pa.Table:
    """The rows for the units of a part."""
    names = [name for name in UNITS.names if name != "part"]
    rows = [{"part": part, **{name: getattr(one, name) for name in names}} for one in receipts]
    return pa.Table.from_pylist(rows, schema=UNITS)


def files_table(part: Receipt) -> pa.Table:
    """The rows for the files of a part."""
    rows = [{"path": path, "part": part.unit, **told} for path, told in sorted(part.files.items())]
    return pa.Table.from_pylist(rows, schema=FILES)


def corpus_hash(hashes: Mapping[str, str]) -> str:
    """One hash for the files of a corpus: the output of ``cd corpus && sha256sum part-* | sha256sum``.

    ``hashes`` has the SHA-256 of each file by its name within the folder.
    """
    lines = (f"{sha256}  {name}\n" for name, sha256 in sorted(hashes.items()))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def corpus_entry(hashes: Mapping[str, str]) -> dict[str, Any]:
    """The manifest's entry for the corpus as a whole, empty if there is none; see :func:`corpus_hash`."""
    return {"corpus": {"files": len(hashes), "sha256": corpus_hash(hashes)}} if hashes else {}


_IN_ROWS = ("rows_in", "rows_out", "rows_quarantined", "rows_dropped", "rows_not_read", "rows_erased")


def counts_entries(totals: Totals) -> dict[str, Any]:
    """The manifest's entries on what happened to the rows of the input, and on everything else counted."""
    rows = {name.removeprefix("rows_"): getattr(totals, name) for name in _IN_ROWS}
    if not totals.rows_erased:
        del rows["erased"]
    others = ((one.name, getattr(totals, one.name)) for one in fields(Totals) if one.name not in _IN_ROWS)
    told = {name: n if isinstance(n, int) else dict(sorted(n.items())) for name, n in others}
    return {"rows": {**rows, "balanced": totals.balanced}, "totals": told}


CHANGES = "changes"
"""The key of the entries in a manifest."""


def with_change(
    manifest: Mapping[str, Any], before: bytes, kind: Literal["added", "erased"], told: Mapping[str, Any]
) -> dict[str, Any]:
    """The manifest with one more entry; ``before`` is the content of the manifest that stands."""
    entries = manifest.get(CHANGES, ())
    follows = {"manifest_before_sha256": hashlib.sha256(before).hexdigest()}
    return {**manifest, CHANGES: [*entries, {"number": len(entries) + 1, "change": kind, **follows, **told}]}


def wrong_changes(manifest: Mapping[str, Any], rows_erased: int, signed: Iterable[str] = ()) -> Iterator[str]:
    """Everything wrong with the entries of a manifest, a sentence each.

    ``signed`` are the SHA-256 of the manifests in the folder's signed history, if it has one.
    """
    entries = manifest.get(CHANGES, ())
    if [entry["number"] for entry in entries] != list(range(1, len(entries) + 1)):
        yield "changes of the corpus: their numbers have a gap"
    if sum(entry["rows"] for entry in entries if entry["change"] == "erased") != rows_erased:
        yield "changes of the corpus: their erased rows are not those that the manifest counts"
    known = set(signed)
    for entry in entries if known else ():
        if entry["manifest_before_sha256"] not in known:
            yield f"change {entry['number']} follows a manifest that the signed history does not have"


_COUNTED = [column.name for column in fields(Totals) if column.type is not int]


def combine(name: str, receipts: Iterable[Receipt]) -> Receipt:
    """The sum of some receipts under a name, independent of order and grouping.

    Lists of individual items (sources, files, hashes of ids) are left out.
    """
    combined = Receipt(name, units=0)
    sketch = RiskSketch()
    for receipt in receipts:
        combined.units += receipt.units
        combined.text_bytes += receipt.text_bytes
        combined.add(receipt)
        sketch.merge(RiskSketch.from_json(receipt.risk))
        combined.suspected = sorted([*combined.suspected, *receipt.suspected])[:MOST_IDS]
    for column in _COUNTED:
        setattr(combined, column, Counter(dict(sorted(getattr(combined, column).items()))))
    combined.risk = sketch.to_json()
    return combined


def receipt_to_json(receipt: Receipt) -> dict[str, Any]:
    """A receipt as plain JSON data."""
    data = {column.name: getattr(receipt, column.name) for column in fields(receipt)}
    data["id_hashes"] = base64.b64encode(receipt.id_hashes).decode("ascii")
    return data


def receipt_from_json(data: dict[str, Any]) -> Receipt:
    """The inverse of :func:`receipt_to_json`."""
    return Receipt(**{**data, "id_hashes": base64.b64decode(data["id_hashes"])})
