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

Anonymize = Callable[..., Any]
Lines = Callable[..., Path]


def _keys(folder: Path, seed: int) -> tuple[str, str]:
    key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    private, public = folder / f"{seed}.pem", folder / f"{seed}.pub"
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return f"file:{private}", f"file:{public}"


@pytest.fixture
def keys(tmp_path: Path) -> tuple[str, str]:
    return _keys(tmp_path, 1)


@pytest.fixture
def anonymize(tacenda: Callable[..., Any], lines: Lines) -> Anonymize:
    turn = {"speaker": "agent", "text": "write to pam@example.com"}
    source = lines(*({"conversation_id": f"c{i}", "turns": [turn]} for i in range(30)))

    def run(*more: object, source: Path = source, output: Path | None = None) -> Any:
        return tacenda("anonymize", "--input", source, "--detector", "rules", *more, output=output)

    return run


@pytest.fixture
def signed(anonymize: Anonymize, keys: tuple[str, str]) -> Any:
    run = anonymize("--signing-key", keys[0])
    assert run.code == 0, run.err
    return run


@pytest.fixture
def verify(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def call(folder: Path, public: str | None = None) -> tuple[int, str]:
        capsys.readouterr()
        code = cli_main(cli.run, ["verify", str(folder), *(["--public-key", public] if public else [])])
        told = capsys.readouterr()
        return code, told.out + told.err

    return call


def _states(folder: Path) -> list[str]:
    return [json.loads(line)["state"] for line in (folder / "history.jsonl").read_text().splitlines()]


def test_a_signed_run_verifies_with_its_key_and_is_else_the_same(
    signed: Any, anonymize: Anonymize, keys: tuple[str, str], verify: Any
) -> None:
    code, told = verify(signed.folder, keys[1])
    assert code == verify(signed.folder)[0] == 0
    assert "history        1 entry, chained and signed by the given key" in told
    files = signed.files()
    assert files.pop("history.jsonl")
    assert files == anonymize().files()


def test_a_forgery_and_a_signature_by_somebody_else_or_none_are_noticed(
    signed: Any, anonymize: Anonymize, keys: tuple[str, str], lines: Lines, tmp_path: Path, verify: Any
) -> None:
    other = lines({"conversation_id": "z", "turns": [{"speaker": "a", "text": "nothing"}]})
    forged = anonymize(source=other).folder
    assert verify(forged)[0] == 0
    # Another whole run under the old signature: everything in it agrees, but for the signature.
    shutil.copy(signed.folder / "history.jsonl", forged)
    theirs = _keys(tmp_path, 2)[1]
    for folder, public, wrong in (
        (forged, keys[1], "history        WRONG: its last entry is for another manifest"),
        (signed.folder, theirs, "signed with another key"),
        (anonymize().folder, theirs, "nobody signed this folder"),
    ):
        code, told = verify(folder, public)
        assert (code, wrong in told) == (3, True)


def test_a_finished_run_is_signed_when_the_command_is_given_again(
    anonymize: Anonymize, keys: tuple[str, str]
) -> None:
    run = anonymize()
    for _ in range(2):
        assert "already done" in anonymize("--signing-key", keys[0], output=run.folder).out
        assert _states(run.folder) == ["unreviewed"]


def test_a_later_run_and_a_release_continue_the_chain(
    signed: Any, anonymize: Anonymize, keys: tuple[str, str], tmp_path: Path, call: Any, verify: Any
) -> None:
    folder, words = signed.folder, ["--overwrite", "--keep", "x"]
    refused = anonymize(*words, output=folder)
    assert refused.code == 2
    assert "--signing-key" in refused.err
    assert (folder / "_UNREVIEWED").exists()
    assert anonymize(*words, "--signing-key", keys[0], output=folder).code == 0
    sample = tmp_path / "sample.jsonl"
    assert call("review", "sample", folder, "--output", sample) == 0
    sample.write_text(sample.read_text().replace('"reviewed_by":""', '"reviewed_by":"Pam"'))
    assert call("release", folder, "--review", sample) == 2
    assert call("release", folder, "--review", sample, "--signing-key", keys[0]) == 0
    assert _states(folder) == ["unreviewed", "unreviewed", "released"]
    assert verify(folder, keys[1])[0] == 0


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("key.pem", "must be the location of a secret"),
        ("env:TACENDA_NO_SUCH_KEY", "variable is not set; make one with: openssl genpkey -algorithm ed25519"),
        ("env:TACENDA_TEST_WORDS", "is no Ed25519 key in PEM"),
    ],
)
def test_a_key_that_cannot_be_used_stops_the_run_before_its_work(
    anonymize: Anonymize, monkeypatch: pytest.MonkeyPatch, key: str, told: str
) -> None:
    monkeypatch.setenv("TACENDA_TEST_WORDS", "correct horse battery staple")
    run = anonymize("--signing-key", key)
    assert (run.code, run.err.count("\n")) == (2, 1)
    assert told in run.err
    assert "horse" not in run.err
    assert not run.folder.exists()
