"""The changes of a corpus after its first run, as its manifest tells them.

Each entry has the SHA-256 of the manifest that stood before it, so that the entries are a chain: with the
manifests, or their hashes in a signed history, at hand, nobody can take one out unnoticed. They have counts and
keyed digests, never ids.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

Kind = Literal["added", "erased"]

CHANGES = "changes"
"""The key of the entries in a manifest."""


def with_change(
    manifest: Mapping[str, Any], before: bytes, kind: Kind, told: Mapping[str, Any]
) -> dict[str, Any]:
    """The manifest with one more entry; ``before`` is the content of the manifest that stands."""
    entries = list(manifest.get(CHANGES, ()))
    entry = {
        "number": len(entries) + 1,
        "change": kind,
        "manifest_before_sha256": hashlib.sha256(before).hexdigest(),
        **told,
    }
    return {**manifest, CHANGES: [*entries, entry]}


def keyed_digests(ids: Iterable[str], key: bytes) -> list[str]:
    """HMAC-SHA256 of some ids, sorted: with the key, anybody can show that an id was erased."""
    return sorted(
        hmac.new(key, one.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest() for one in ids
    )


def wrong_changes(manifest: Mapping[str, Any], rows_erased: int, signed: Iterable[str] = ()) -> Iterator[str]:
    """Everything wrong with the entries of a manifest, a sentence each.

    Args:
        manifest: with the entries.
        rows_erased: rows of the input that were erased, as the manifest counts them.
        signed: SHA-256 of the manifests in the folder's signed history, if it has one.
    """
    entries = manifest.get(CHANGES, ())
    if [entry["number"] for entry in entries] != list(range(1, len(entries) + 1)):
        yield "changes of the corpus: their numbers have a gap"
    if sum(entry["rows"] for entry in entries if entry["change"] == "erased") != rows_erased:
        yield "changes of the corpus: their erased rows are not those that the manifest counts"
    known = set(signed)
    if known:
        for entry in entries:
            if entry["manifest_before_sha256"] not in known:
                yield f"change {entry['number']} follows a manifest that the signed history does not have"
