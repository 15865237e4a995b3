"""Tokens that are the same in the whole corpus: only with a secret, and reported with the corpus."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_SECRET = "a secret of more than sixteen bytes"
_TALK = [
    {"conversation_id": "a", "turns": [{"speaker": "agent", "text": "Hello, my name is Sarah Whitaker."}]},
    {
        "conversation_id": "b",
        "turns": [{"speaker": "agent", "text": "I spoke to Sarah Whitaker, not to Sarah Long."}],
    },
]


def _config(folder: Path, **sections: Any) -> Path:
    path = folder / "config.json"
    path.write_text(json.dumps(sections))
    return path


def test_a_person_has_the_same_token_in_all_conversations(
    tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THE_SECRET", _SECRET)
    config = _config(tmp_path, entities={"scope": "corpus"}, replacement={"secret": "env:THE_SECRET"})
    run = tacenda("anonymize", "--input", lines(*_TALK), "--config", config)
    (first,), (second,) = ([t["text"] for t in record["turns"]] for record in run.corpus())
    token = first.removeprefix("Hello, my name is ").removesuffix(".")
    assert token.startswith("[PERSON_NAME_")
    assert second.startswith(f"I spoke to {token}, not to [PERSON_NAME_")
    assert second.count(token) == 1
    manifest = run.json("manifest.json")
    assert manifest["pseudonymised"] is True
    assert manifest["config"]["replacement"]["scope"] == "corpus"
    assert "pseudonymised, not anonymised" in (run.folder / "report.html").read_text()
    assert not [path for path, data in run.files().items() if _SECRET.encode() in data]


def test_by_default_tokens_do_not_link_conversations(
    tacenda: Callable[..., Any], lines: Callable[..., Path]
) -> None:
    run = tacenda("anonymize", "--input", lines(*_TALK))
    assert "[PERSON_NAME_1], not to [PERSON_NAME_2]" in run.corpus()[1]["turns"][0]["text"]
    assert run.json("manifest.json")["pseudonymised"] is False


def test_corpus_scope_needs_a_secret(
    tacenda: Callable[..., Any], lines: Callable[..., Path], tmp_path: Path
) -> None:
    run = tacenda(
        "anonymize", "--input", lines(*_TALK), "--config", _config(tmp_path, entities={"scope": "corpus"})
    )
    assert run.code == 2
    assert "entities.scope" in run.err
    assert "replacement.secret" in run.err
