"""manifest"""

import base64
import hashlib
import json
import subprocess

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from tacenda.pipelines.output.signing import SigningKey, sign, signing_key, trusted_key, wrong_history
from tacenda.transforms.releasing.manifest import (
    RunIdentity,
    build_manifest,
    combine,
    corpus_hash,
    files_table,
    units_table,
)
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Receipt

IDENTITY = RunIdentity(
    command="anonymize",
    version="1.2.3",
    fingerprint="f" * 64,
    config={"risk": {"threshold": 5}},
    config_hash="c" * 64,
    score_table={"version": "1", "preset": "appendix"},
    shape="conversation",
    inputs={"files": 1, "bytes": 9, "sha256": "d" * 64},
)

SOURCE = {"url": "in.jsonl", "start": 0, "stop": 9, "counts": "bytes"}

RECEIPTS = [
    Receipt(
        "00000.00001",
        sources=[SOURCE],
        rows_in=2,
        rows_out=1,
        rows_quarantined=1,
        conversations=1,
        findings={"URL": 2},
        id_hashes=b"12345678",
    ),
    Receipt("00000.00000", rows_in=1, rows_out=1, conversations=1),
]

VERDICT = {"released": True, "threshold": 5, "held_by": []}


def test_manifest_names_of_the_contract():
    tables = {"units": {"file": "x", "rows": 2}}
    manifest = build_manifest(IDENTITY, combine("", RECEIPTS), VERDICT, tables)
    rows = {"in": 3, "out": 2, "quarantined": 1, "dropped": 0, "not_read": 0, "balanced": True}
    assert (manifest["tacenda"], manifest["rows"], manifest["verdict"]) == ("1.2.3", rows, VERDICT)
    assert (manifest["totals"]["conversations"], manifest["totals"]["findings"]) == (2, {"URL": 2})
    assert "rows_in" not in manifest["totals"]
    assert manifest["units"] == tables["units"]
    identity = {"score_table", "config_hash", "config", "shape", "inputs", "command", "fingerprint"}
    assert identity < manifest.keys()
    again = build_manifest(IDENTITY, combine("", RECEIPTS[::-1]), VERDICT, tables)
    assert json.dumps(again) == json.dumps(manifest)


def test_units_and_files_are_tables_without_ids():
    units = units_table("00000", RECEIPTS)
    counts = {"rows_in": 2, "rows_out": 1, "rows_quarantined": 1, "rows_dropped": 0, "conversations": 1}
    assert units.to_pylist()[0] == {"unit": "00000.00001", "part": "00000", "sources": [SOURCE], **counts}
    told = {"sha256": "a", "rows": 1, "bytes": 2}
    part = Receipt("00000", files={"risk/part-00000.parquet": told, "corpus/part-00000.parquet": told})
    assert files_table(part).to_pylist() == [
        {"path": path, "part": "00000", **told}
        for path in ("corpus/part-00000.parquet", "risk/part-00000.parquet")
    ]


def test_the_hash_of_a_corpus_is_that_of_sha256sum(tmp_path):
    files = {"part-00001.jsonl.gz": b"two", "part-00000.jsonl.gz": b"one"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    printed = subprocess.run(
        "sha256sum part-* | sha256sum", shell=True, cwd=tmp_path, capture_output=True, check=True
    ).stdout.split()[0]
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    assert corpus_hash(hashes) == printed.decode()


KEY = Ed25519PrivateKey.from_private_bytes(bytes([1]) * 32)
SIGNING = SigningKey(KEY)
PRIVATE = KEY.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
PUBLIC = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


@pytest.fixture
def history(tmp_path):
    """The history of a folder that was signed three times."""
    for state in ("held", "unreviewed", "released"):
        told = {"command": "anonymize", "fingerprint": "f" * 64, "verdict": {"state": state}}
        (tmp_path / "manifest.json").write_text(json.dumps(told))
        sign(str(tmp_path), SIGNING)
    return tmp_path / "history.jsonl"


def _wrong(history, trusted=None):
    return wrong_history(str(history.parent), trusted)[0]


def test_entries_follow_one_another_and_are_right(history):
    before = history.read_bytes()
    assert [json.loads(line)["state"] for line in before.splitlines()] == ["held", "unreviewed", "released"]
    assert _wrong(history) == _wrong(history, SIGNING.public) == []
    sign(str(history.parent), SIGNING)
    assert history.read_bytes() == before


@pytest.mark.parametrize("name", ["command", "state", "manifest_sha256", "previous_sha256", "signature"])
def test_every_changed_field_of_an_entry_is_noticed_and_an_entry_that_is_taken_out(history, name):
    one, two, three = history.read_bytes().splitlines()
    entry = json.loads(two)
    entry[name] = base64.b64encode(bytes(64)).decode() if name == "signature" else "0" * 64
    changed = json.dumps(entry, sort_keys=True, separators=(",", ":")).encode()
    for lines in ([one, changed, three], [one, three], [two, three]):
        history.write_bytes(b"\n".join(lines))
        assert _wrong(history)


@pytest.mark.parametrize("damaged", [b"{broken\n", b"[]\n", b"{}\n"])
def test_nothing_is_added_to_a_damaged_history(history, damaged):
    history.write_bytes(damaged)
    assert _wrong(history) == ["entry 1 is damaged"]
    with pytest.raises(UserError, match="is not intact"):
        sign(str(history.parent), SIGNING)
    assert history.read_bytes() == damaged
    history.write_bytes(b"")
    assert _wrong(history) == ["it has no entry"]


def test_what_is_no_key_is_refused_without_being_quoted(monkeypatch):
    monkeypatch.setenv("PUBLIC", PUBLIC.decode())
    monkeypatch.setenv("PRIVATE", PRIVATE.decode())
    monkeypatch.setenv("WORDS", "correct horse battery staple")
    assert trusted_key("env:PUBLIC") == signing_key("env:PRIVATE", "").public == SIGNING.public
    for place in ("env:WORDS", "env:PUBLIC"):
        with pytest.raises(
            UserError, match=r"^--signing-key: env:[A-Z]+: is no Ed25519 key in PEM; make one"
        ):
            signing_key(place, "")
    with pytest.raises(
        UserError, match=r"^--public-key: env:PRIVATE: is no Ed25519 public key in PEM; get it"
    ):
        trusted_key("env:PRIVATE")


def test_openssl_agrees_with_a_signature(history, tmp_path):
    entry = json.loads(history.read_bytes().splitlines()[0])
    signature = base64.b64decode(entry.pop("signature"))
    files = {
        "key": PUBLIC,
        "signature": signature,
        "entry": json.dumps(entry, sort_keys=True, separators=(",", ":")).encode(),
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    words = ["-verify", "-pubin", "-inkey", "key", "-rawin", "-in", "entry", "-sigfile", "signature"]
    try:
        done = subprocess.run(["openssl", "pkeyutl", *words], cwd=tmp_path, capture_output=True, check=False)
    except FileNotFoundError:
        pytest.skip("openssl is not installed")
    assert done.returncode == 0, done.stderr
