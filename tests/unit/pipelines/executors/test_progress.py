import io
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import orjson
import pytest

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors import run as progress
from tacenda.pipelines.executors.run import Counts, ProgressLine
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.receipts import clear_runs, staged_url
from tacenda.pipelines.work.unit_job import process_unit
from tacenda.transforms.releasing.merging import receipt_to_json
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.work_unit import Block
from tacenda.transforms.writing.staging import UnitWriter
from tests.waiting import wait_until


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def run(prepared: Callable[..., tuple[Plan, JobSettings]], tmp_path: Path) -> tuple[Plan, JobSettings]:
    source = tmp_path / "in.jsonl"
    record = json.dumps({"conversation_id": "a", "turns": []})
    source.write_text(f"{record}\n" * 20)
    return prepared("inspect", source, "--unit-bytes", str(source.stat().st_size // 2))


def _stage(run: tuple[Plan, JobSettings], name: str, conversations: int) -> None:
    plan, job = run
    receipt = Receipt(
        name, conversations=conversations, characters=1_000_000, text_bytes=plan.text_bytes // 2
    )
    with UnitWriter(name, str, "jsonl.gz") as writer:
        writer.stage(staged_url(job, name), receipt_to_json(receipt))


def test_the_line_follows_what_is_staged(run: tuple[Plan, JobSettings]) -> None:
    line = ProgressLine(*run)
    line._look()
    assert line.line(0) == "starting"
    _stage(run, "00000.00000", 1234)
    line._look()
    assert line.line(1) == "50%  1,234 conversations  1.00 MB/s  0:00:01 left"
    assert line.line(4000).endswith("1:06:40 left")
    _stage(run, "00000.00001", 1)
    line._look()
    assert line.line(2) == "99%  1,235 conversations  1.00 MB/s  0:00:00 left"


@pytest.mark.slow
def test_conversations_are_counted_inside_a_unit(run: tuple[Plan, JobSettings]) -> None:
    plan, job = run
    line = ProgressLine(plan, job)
    seen: list[str] = []

    def follow(conversations: int, characters: int, text_bytes: int, resumed: bool = False) -> None:
        line.counts(conversations, characters, text_bytes, resumed)
        seen.append(line.line(1))

    records = [
        {"conversation_id": f"c{i}", "turns": [{"speaker": "a", "text": "x" * 300_000}]} for i in range(3)
    ]
    data = b"\n".join(map(orjson.dumps, records))
    line._text_bytes = len(data)
    unit = next(plan.units())
    process_unit(
        replace(unit, ranges=unit.ranges[:1], block=Block(0, len(data), data, ())), job, follow=follow
    )
    assert seen[0] == "starting"
    shares = [int(one.partition("%")[0]) for one in seen[1:]]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[1] < shares[2]
    assert [one.split("  ")[1] for one in seen[1:]] == [f"{n} conversations" for n in (1, 2, 3, 3)]


def test_what_was_done_before_counts_for_the_share_and_not_for_the_rate(
    run: tuple[Plan, JobSettings],
) -> None:
    line = ProgressLine(*run)
    _stage(run, "00000.00000", 5)
    line._look()
    assert line.line(1) == "50%  5 conversations  0.00 MB/s"
    _stage(run, "00000.00001", 5)
    line._look()
    assert line.line(2) == "99%  10 conversations  0.50 MB/s  0:00:00 left"


def _add(counts: Counts) -> None:
    counts(1, 2, 3)


def test_processes_add_to_the_same_counts() -> None:
    counts = Counts(shared=True)
    _add(counts)
    other = get_context("spawn").Process(target=_add, args=(counts,))
    other.start()
    other.join()
    assert counts.sums() == [2, 4, 6, 0]


def test_no_progress_line_without_a_terminal(run: tuple[Plan, JobSettings]) -> None:
    stream = io.StringIO()
    with ProgressLine(*run, stream=stream):
        time.sleep(0.02)
    assert stream.getvalue() == ""


def test_the_progress_line_is_erased_at_the_end(
    run: tuple[Plan, JobSettings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_LOCAL_PERIOD_S", 0.005)
    stream = Terminal()
    _stage(run, "00000.00000", 7)
    with ProgressLine(*run, stream=stream):
        wait_until(lambda: "50%  7 conversations" in stream.getvalue())
    assert stream.getvalue().endswith("\r\x1b[K")


def test_units_removed_while_listing_do_not_stop_the_progress(
    run: tuple[Plan, JobSettings], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "_LOCAL_PERIOD_S", 0.005)
    failures = iter([UserError("no such file"), OSError("hiccup"), ValueError("half a line")])
    real = progress.finished_units

    def looked(job: JobSettings) -> Iterator[tuple[str, str]]:
        for failure in failures:
            raise failure
        return real(job)

    monkeypatch.setattr(progress, "finished_units", looked)
    stream = Terminal()
    _stage(run, "00000.00000", 7)
    with ProgressLine(*run, stream=stream):
        wait_until(lambda: "7 conversations" in stream.getvalue())
        clear_runs(run[1].output)
