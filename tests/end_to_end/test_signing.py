"""A signed history of an output folder: every command that changes it adds to it, ``verify`` checks it."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main

Tacenda = Callable[..., Any]
Lines = Callable[..., Path]


def _written(folder: Path, name: str, seed: int) -> tuple[str, str]:
    key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    private, public = folder / f"{name}.pem", folder / f"{name}.pub"
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return f"file:{private}", f"file:{public}"


@pytest.fixture
def keys(tmp_path: Path) -> tuple[str, str]:
    return _written(tmp_path, "ours", 1)


@pytest.fixture
def source(lines: Lines) -> Path:
    turn = {"speaker": "agent", "text": "write to pam@example.com"}
    return lines(*({"conversation_id": f"c{i}", "turns": [turn]} for i in range(30)))


@pytest.fixture
def signed(tacenda: Tacenda, source: Path, keys: tuple[str, str]) -> Any:
    run = tacenda("anonymize", "--input", source, "--detector", "rules", "--signing-key", keys[0])
    assert run.code == 0, run.err
    return run


def _verify(folder: Path, capsys: pytest.CaptureFixture[str], *more: object) -> tuple[int, str]:
    capsys.readouterr()
    code = cli_main(cli.run, ["verify", str(folder), *map(str, more)])
    told = capsys.readouterr()
    return code, told.out + told.err


def _entries(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "history.jsonl").read_text().splitlines()]


def test_a_signed_run_verifies_with_its_key(
    signed: Any, keys: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, told = _verify(signed.folder, capsys, "--public-key", keys[1])
    assert code == 0
    assert "history        1 entry, chained and signed by the given key" in told
    assert _verify(signed.folder, capsys)[0] == 0


def test_all_else_is_the_same_without_a_signature(signed: Any, tacenda: Tacenda, source: Path) -> None:
    plain = tacenda("anonymize", "--input", source, "--detector", "rules")
    files = signed.files()
    assert files.pop("history.jsonl")
    assert files == plain.files()


def test_a_consistent_forgery_is_noticed(
    signed: Any, keys: tuple[str, str], tacenda: Tacenda, lines: Lines, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another whole run under the old signature: everything in it agrees, but for the signature."""
    other = lines({"conversation_id": "z", "turns": [{"speaker": "a", "text": "nothing"}]})
    forged = tacenda("anonymize", "--input", other, "--detector", "rules")
    assert _verify(forged.folder, capsys)[0] == 0
    shutil.copy(signed.folder / "history.jsonl", forged.folder)
    code, told = _verify(forged.folder, capsys, "--public-key", keys[1])
    assert code == 3
    assert "history        WRONG: its last entry is for another manifest" in told


def test_a_signature_by_somebody_else_or_none_is_noticed(
    signed: Any, tacenda: Tacenda, source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, public = _written(tmp_path, "theirs", 2)
    assert "signed with another key" in _verify(signed.folder, capsys, "--public-key", public)[1]
    plain = tacenda("anonymize", "--input", source, "--detector", "rules")
    code, told = _verify(plain.folder, capsys, "--public-key", public)
    assert code == 3
    assert "nobody signed this folder" in told


def test_a_finished_run_is_signed_when_the_command_is_given_again(
    tacenda: Tacenda, source: Path, keys: tuple[str, str]
) -> None:
    words = ["anonymize", "--input", source, "--detector", "rules"]
    run = tacenda(*words)
    again = tacenda(*words, "--signing-key", keys[0], output=run.folder)
    assert "already done" in again.out
    assert len(_entries(run.folder)) == 1
    tacenda(*words, "--signing-key", keys[0], output=run.folder)
    assert len(_entries(run.folder)) == 1


def test_a_later_run_and_a_release_continue_the_chain(
    signed: Any,
    keys: tuple[str, str],
    tacenda: Tacenda,
    source: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = signed.folder
    words = ["anonymize", "--input", source, "--detector", "rules", "--overwrite", "--keep", "x"]
    assert tacenda(*words, "--signing-key", keys[0], output=folder).code == 0
    sample = tmp_path / "sample.jsonl"
    drawn = ["review", "sample", folder, "--output", sample]
    assert cli_main(cli.run, [str(word) for word in drawn]) == 0
    sample.write_text(sample.read_text().replace('"reviewed_by":""', '"reviewed_by":"Pam"'))
    release = ["release", str(folder), "--review", str(sample)]
    assert cli_main(cli.run, release) == 2
    assert "has a signed history" in capsys.readouterr().err
    assert cli_main(cli.run, [*release, "--signing-key", keys[0]]) == 0
    assert [entry["state"] for entry in _entries(folder)] == ["unreviewed", "unreviewed", "released"]
    assert _verify(folder, capsys, "--public-key", keys[1])[0] == 0


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("key.pem", "must be the location of a secret"),
        ("env:TACENDA_NO_SUCH_KEY", "variable is not set; make one with: openssl genpkey -algorithm ed25519"),
        ("env:TACENDA_TEST_WORDS", "is no Ed25519 key in PEM"),
    ],
)
def test_a_key_that_cannot_be_used_stops_the_run_before_its_work(
    tacenda: Tacenda, source: Path, monkeypatch: pytest.MonkeyPatch, key: str, told: str
) -> None:
    monkeypatch.setenv("TACENDA_TEST_WORDS", "correct horse battery staple")
    run = tacenda("anonymize", "--input", source, "--detector", "rules", "--signing-key", key)
    assert run.code == 2
    assert told in run.err
    assert "horse" not in run.err
    assert run.err.count("\n") == 1
    assert not run.folder.exists()


def test_an_overwriting_run_without_the_key_is_refused(signed: Any, tacenda: Tacenda, source: Path) -> None:
    words = ["anonymize", "--input", source, "--detector", "rules", "--overwrite", "--keep", "x"]
    refused = tacenda(*words, output=signed.folder)
    assert refused.code == 2
    assert "--signing-key" in refused.err
    assert (signed.folder / "_UNREVIEWED").exists()
