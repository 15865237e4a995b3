"""Repeating a finished run: nothing is processed twice, and the exit code is the same."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tacenda.pipelines.output import conclusion

CALLS = [
    {"conversation_id": f"c{i}", "turns": [{"speaker": "Pam", "text": f"mail ann{i}@example.com"}]}
    for i in range(20)
]
MARKED = {"conversation_id": "a", "turns": [{"speaker": "a", "text": "(Pam Lee)[MISSED_PERSON_NAME]"}]}


def _times(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "records", "code"), [("anonymize", CALLS, 0), ("inspect", CALLS, 0), ("score", [MARKED], 3)]
)
def test_running_a_finished_run_again_changes_nothing(
    tacenda: Callable[..., Any], lines: Callable[..., Path], command: str, records: list[object], code: int
) -> None:
    words = [command, "--input", lines(*records), "--unit-bytes", "500"]
    words += [] if command == "score" else ["--detector", "rules"]
    first = tacenda(*words)
    assert first.code == code, first.err
    before = _times(first.folder)
    again = tacenda(*words, output=first.folder)
    assert again.code == code
    assert again.out.startswith("already done")
    assert again.out.endswith(first.out)
    assert _times(first.folder) == before
    over = tacenda(*words, "--overwrite", output=first.folder)
    assert over.code == code
    assert over.out == first.out
    assert not set(_times(first.folder).values()) & set(before.values())


@pytest.mark.slow
@pytest.mark.parametrize("damage", ["gone", "cut", "no report", "no marker", "two markers"])
def test_incomplete_output_is_written_again(
    tacenda: Callable[..., Any], lines: Callable[..., Path], damage: str
) -> None:
    words = ["anonymize", "--input", lines(*CALLS), "--detector", "rules", "--unit-bytes", "500"]
    first = tacenda(*words)
    files = first.files()
    part = next((first.folder / "corpus").iterdir())
    if damage == "gone":
        part.unlink()
    elif damage == "cut":
        part.write_bytes(part.read_bytes()[:-1])
    elif damage == "no report":
        (first.folder / "report.html").unlink()
    elif damage == "no marker":
        (first.folder / "_UNREVIEWED").unlink()
    else:
        (first.folder / "_HELD").touch()
    again = tacenda(*words, output=first.folder)
    assert again.code == 0, again.err
    assert again.out == first.out
    assert again.files() == files


def test_input_modified_during_a_run_is_read_again(
    tacenda: Callable[..., Any], lines: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    source = lines(*CALLS)
    words = ["anonymize", "--input", source, "--detector", "rules"]
    with monkeypatch.context() as patch:
        patch.setattr(conclusion, "changed", lambda *_: [source])
        first = tacenda(*words)
    assert first.code == 3
    assert "run again" in json.dumps(first.json("_HELD"))
    again = tacenda(*words, output=first.folder)
    assert again.code == 0
    assert "already done" not in again.out


def test_modified_input_is_a_new_run(tacenda: Callable[..., Any], lines: Callable[..., Path]) -> None:
    source = lines(*CALLS)
    words = ["anonymize", "--input", source, "--detector", "rules"]
    first = tacenda(*words)
    later = (first.folder / "manifest.json").stat().st_mtime + 5
    os.utime(source, (later, later))
    again = tacenda(*words, output=first.folder)
    assert again.code == 2
    assert "before it was modified" in again.err
