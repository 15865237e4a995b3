"""The examples of the documentation run unchanged and have the described results."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cases import cases

FOLDER = Path(__file__).parents[2] / "docs" / "examples"

CALLS = [
    {"conversation_id": "a", "turns": [{"speaker": "caller", "text": "Write to sam@example.com"}]},
    {"conversation_id": "b", "turns": [{"speaker": "caller", "text": None}]},
]

EXPECTED = cases(__file__, "said")


def test_every_example_is_run():
    assert {path.name for path in FOLDER.glob("*.py")} == set(EXPECTED)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * ("beam" in name)) for name in EXPECTED]
)
def test_the_example_gives_the_result_it_shows(name, tmp_path):
    calls = tmp_path / "calls.jsonl"
    calls.write_text("".join(json.dumps(call) + "\n" for call in CALLS), "utf-8")
    words = [str(calls), "anonymized"] if name == "beam_pipeline.py" else []
    with calls.open() as source:
        done = subprocess.run(
            [sys.executable, FOLDER / name, *words],
            stdin=source,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr[-2000:]
    said = done.stdout + done.stderr
    assert [line for line in EXPECTED[name] if line not in said] == [], said[-2000:]
    assert "example.com" not in done.stdout
    assert name != "beam_pipeline.py" or list((tmp_path / "anonymized").iterdir())
