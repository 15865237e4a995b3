"""The changes that a manifest tells: their chain, and what is wrong with a chain that somebody touched."""

import hashlib
import hmac
from typing import Any

from tacenda.transforms.releasing.changes import keyed_digests, with_change, wrong_changes

ADDED = {"files": 1, "conversations": 3, "rows": 3}
ERASED = {"conversations": 1, "rows": 2, "digests": []}


def _changed() -> dict[str, Any]:
    return with_change(with_change({"a": 1}, b"first", "added", ADDED), b"second", "erased", ERASED)


def test_each_change_names_the_manifest_before_it() -> None:
    manifest = _changed()
    assert manifest["a"] == 1
    assert [(one["number"], one["change"]) for one in manifest["changes"]] == [(1, "added"), (2, "erased")]
    assert [one["manifest_before_sha256"] for one in manifest["changes"]] == [
        hashlib.sha256(before).hexdigest() for before in (b"first", b"second")
    ]


def test_what_is_wrong_is_told() -> None:
    manifest = _changed()
    signed = [one["manifest_before_sha256"] for one in manifest["changes"]]
    assert list(wrong_changes({}, 0)) == []
    assert list(wrong_changes(manifest, 2)) == []
    assert list(wrong_changes(manifest, 2, signed)) == []
    (rows,) = wrong_changes(manifest, 3)
    assert "erased rows" in rows
    (gap,) = wrong_changes({"changes": manifest["changes"][1:]}, 2)
    assert "gap" in gap
    (strange,) = wrong_changes(manifest, 2, signed[:1])
    assert strange.startswith("change 2 follows a manifest")


def test_a_digest_can_be_made_again_with_the_key_alone() -> None:
    one, other = keyed_digests(["b", "a"], b"key")
    assert {one, other} == {hmac.new(b"key", name, hashlib.sha256).hexdigest() for name in (b"a", b"b")}
    assert one < other
    assert keyed_digests(["a"], b"another") != keyed_digests(["a"], b"key")
