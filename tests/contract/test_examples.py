"""The examples of the documentation run unchanged and have the described results."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "docs" / "examples"

CALLS = [
    {"conversation_id": "a", "turns": [{"speaker": "caller", "text": "Write to sam@example.com"}]},
    {"conversation_id": "b", "turns": [{"speaker": "caller", "text": None}]},
]

EXPECTED = {
    "chat_messages.py": [
        "user: Hi, this is [PERSON_NAME_1]. Write to [EMAIL_ADDRESS_1], please.",
        "CREDIT_CARD_NUMBER from 11 to 30: VERY_LIKELY",
    ],
    "masked_loss.py": [
        "all: a name after 'am' 0.50, 'here' 0.50",
        "masked: a name after 'am' 0.00, 'here' 0.99",
    ],
    "parquet_table.py": ["2 came through; 2 findings; scores [0, 0]", "row 2: MissingField"],
    "shop.py": ["It is order [ORDER_NUMBER_1] of two shirts."],
    "stream.py": ["Write to [EMAIL_ADDRESS_1]", "conversation 1 left out: NullText"],
    "beam_pipeline.py": ["1 conversations, mean 0.00", "left out: 1 for NullText"],
    "beam_records.py": ["I am [PERSON_NAME_1], [EMAIL_ADDRESS_1]", "b: NullText"],
}


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
    assert name != "beam_pipeline.py" or list((tmp_path / "anonymized" / "corpus").iterdir())
