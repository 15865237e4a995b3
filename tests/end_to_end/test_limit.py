"""``--limit N``: the first conversations, equal on every executor, with all other rows counted."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CALLS = [
    {
        "conversation_id": f"c{i}",
        "turns": [{"speaker": "a", "text": f"write to u{i}@example.com {'x ' * 400}"}],
    }
    for i in range(60)
]
TURNS = [
    {"conversation_id": f"c{i % 20}", "turn_index": i // 20, "speaker": "a", "text": f"u{i}@example.com"}
    for i in range(80)
]


@pytest.mark.parametrize(
    "more",
    [
        ["--workers", "1"],
        ["--workers", "1", "--unit-bytes", "3000"],
        ["--workers", "2", "--unit-bytes", "5000"],
        pytest.param(["--runner=FnApiRunner"], marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize(("records", "quarantined"), [(CALLS, 1), (TURNS, 0)])
def test_the_first_conversations_come_out_and_the_rest_is_counted(
    tacenda: Callable[..., Any],
    lines: Callable[..., Path],
    records: list[dict[str, Any]],
    quarantined: int,
    more: list[str],
) -> None:
    bad = [b"{oops"] * quarantined
    sources = [lines(records[0], *bad, *records[1:30]), lines(*records[30:])]
    words = ["--input", *sources, "--detector", "rules", *more]
    run = tacenda("anonymize", *words, "--limit", 7)
    assert run.code == 0, run.err
    ids = [record["conversation_id"] for record in run.corpus()]
    first = 7 - quarantined
    assert sorted(set(ids)) == [f"c{i}" for i in range(first)]
    assert len(ids) == (first if records is CALLS else 4 * first)
    total = len(records) + quarantined
    assert run.rows() == {
        "in": total,
        "out": len(ids),
        "quarantined": quarantined,
        "dropped": 0,
        "not_read": total - len(ids) - quarantined,
        "balanced": True,
    }
    assert f"{total - len(ids) - quarantined} not read by request" in run.out
    assert "not read by request" in (run.folder / "report.html").read_text(encoding="utf-8")
    assert not any("NotRead" in json.dumps(entry) for entry in run.quarantine())


def test_another_limit_is_another_run(tacenda: Callable[..., Any], lines: Callable[..., Path]) -> None:
    words = ["--input", lines(*CALLS[:5]), "--detector", "rules"]
    run = tacenda("inspect", *words, "--limit", 2)
    assert run.rows()["not_read"] == 3
    refused = tacenda("inspect", *words, "--limit", 3, output=run.folder)
    assert refused.code == 2
    assert "a different run" in refused.err
    everything = tacenda("inspect", *words, "--limit", 50)
    assert everything.rows()["not_read"] == 0
    assert "not read" not in everything.out
