"""Where the original text lies: nowhere but in the input, during a run and after it."""

import gzip
import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tests.halting import UNITS, halted_in_the_middle
from tests.halting import tacenda as command_line
from tests.waiting import PATIENCE_S

SECRET = "zyxwvutsrq@example.com"
"""Stands in every conversation, and is always found."""


def _conversations(count: int) -> list[dict[str, Any]]:
    turns = [{"speaker": "agent", "text": f"write to {SECRET} today"} for _ in range(8)]
    return [{"conversation_id": f"c{i}", "turns": turns} for i in range(count)]


def _contents(*folders: Path) -> Iterator[tuple[Path, bytes]]:
    """Every file, as it is and decompressed."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file():
                data = path.read_bytes()
                yield path, data
                for decompress in (gzip.decompress, _from_zstd):
                    try:
                        yield path, decompress(data)
                    except (OSError, EOFError, pa.ArrowException):
                        continue


def _from_zstd(data: bytes) -> bytes:
    with pa.CompressedInputStream(pa.BufferReader(data), "zstd") as stream:
        return bytes(stream.read())


def _with_secret(*folders: Path) -> list[str]:
    return sorted({str(path) for path, data in _contents(*folders) if SECRET.encode() in data})


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """An output folder, and the folder for everything temporary."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    return tmp_path / "out", temporary


def test_the_search_for_original_text_reads_compressed_files(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(SECRET.encode()))
    (tmp_path / "b.zst").write_bytes(pa.compress(SECRET.encode(), "zstd", asbytes=True))
    assert len(_with_secret(tmp_path)) == 2


@pytest.mark.parametrize("more", [[], ["--drop-over", "1"], ["--release-anyway", "a drill"]])
def test_a_finished_run_leaves_no_original_text(
    tacenda: Callable[..., Any],
    lines: Callable[..., Path],
    places: tuple[Path, Path],
    more: list[str],
) -> None:
    output, temporary = places
    run = tacenda(
        "anonymize", "--input", lines(*_conversations(30)), "--detector", "rules", *more, output=output
    )
    assert run.code in (0, 3), run.err
    assert (output / "manifest.json").exists()
    assert _with_secret(output, temporary) == []


def test_regrouping_turn_rows_leaves_no_original_text(
    tacenda: Callable[..., Any], lines: Callable[..., Path], places: tuple[Path, Path]
) -> None:
    output, temporary = places
    rows = [
        {"conversation_id": f"c{i % 9}", "turn_index": i, "speaker": "a", "text": f"write to {SECRET}"}
        for i in range(90)
    ]
    run = tacenda("anonymize", "--input", lines(*rows), "--detector", "rules", output=output)
    assert run.code in (0, 3), run.err
    assert _with_secret(output, temporary) == []


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_killed_run_leaves_no_original_text(tmp_path: Path, workers: int) -> None:
    source, output, temporary = tmp_path / "in.jsonl", tmp_path / "out", tmp_path / "tmp"
    temporary.mkdir()
    source.write_text("".join(json.dumps(one) + "\n" for one in _conversations(3_000)))
    words = ["--workers", workers, "--detector", "rules", "--unit-bytes", source.stat().st_size // UNITS]
    command = command_line("anonymize", "--input", source, "--output", output, *words)
    process = halted_in_the_middle(command, output, {"TMPDIR": str(temporary)})
    try:
        assert _with_secret(output, temporary) == []
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=PATIENCE_S)
    assert list(output.rglob("*"))
    assert _with_secret(output, temporary) == []
