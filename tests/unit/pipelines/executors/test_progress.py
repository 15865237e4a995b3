import io
import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pipelines.executors import progress
from pipelines.executors.progress import ProgressLine
from pipelines.plan import Plan
from pipelines.receipts import clear_receipts, save_receipt
from pipelines.settings import JobSettings
from transforms.schema.errors import UserError
from transforms.schema.receipt import Receipt


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def run(prepared: Callable[..., tuple[Plan, JobSettings]], tmp_path: Path) -> tuple[Plan, JobSettings]:
    source = tmp_path / "in.jsonl"
    record = json.dumps({"conversation_id": "a", "turns": []})
    source.write_text(f"{record}\n" * 20)
    return prepared("inspect", source, "--unit-bytes", str(source.stat().st_size // 2))


def _until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_the_line_follows_receipts(run: tuple[Plan, JobSettings]) -> None:
    plan, job = run
    assert len(plan.units) == 2
    line = ProgressLine(plan, job)
    assert line.line(0) == "0/2 units  0 conversations  0.0 MB/s"
    save_receipt(job, Receipt("00000", conversations=1234))
    line._look()
    rate = plan.units[0].size_bytes
    assert line.line(1) == f"1/2 units  1,234 conversations  {rate / 1e6:.1f} MB/s  0:00:01 left"
    assert line.line(4000).endswith("1:06:40 left")
    save_receipt(job, Receipt("00001", conversations=1))
    line._look()
    assert line.line(1) == f"2/2 units  1,235 conversations  {plan.size_bytes / 1e6:.1f} MB/s"


def test_quiet_where_nobody_looks(run: tuple[Plan, JobSettings]) -> None:
    stream = io.StringIO()
    with ProgressLine(*run, stream=stream):
        time.sleep(0.02)
    assert stream.getvalue() == ""


def test_a_terminal_is_left_clean(run: tuple[Plan, JobSettings], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_LOCAL_PERIOD_S", 0.005)
    stream = Terminal()
    save_receipt(run[1], Receipt("00000", conversations=7))
    with ProgressLine(*run, stream=stream):
        _until(lambda: "1/2 units  7 conversations" in stream.getvalue())
    assert stream.getvalue().endswith("\r\x1b[K")


def test_receipts_that_go_while_it_looks_do_not_end_it(
    run: tuple[Plan, JobSettings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_LOCAL_PERIOD_S", 0.005)
    failures = iter([UserError("no such file"), OSError("hiccup"), ValueError("half a line")])
    real = progress.finished_receipts

    def looked(job: JobSettings) -> dict[str, str]:
        for failure in failures:
            raise failure
        return real(job)

    monkeypatch.setattr(progress, "finished_receipts", looked)
    stream = Terminal()
    save_receipt(run[1], Receipt("00000", conversations=7))
    with ProgressLine(*run, stream=stream):
        _until(lambda: "7 conversations" in stream.getvalue())
        clear_receipts(run[1].output)
