"""``tacenda lab uniqueness`` as a user runs it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command import call

TABLE = "info_type,value,share\nAGE,34,0.01\nAGE,91,0.0001\nEMAIL_ADDRESS,ann@example.com,0.000001\n"


def _call(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    return call(capsys, "lab", "uniqueness", *words, "--detector", "rules")


@pytest.fixture
def files(lines: Callable[..., Path], tmp_path: Path) -> tuple[Path, Path]:
    texts = ["Hello.", "I am 34 years old.", "I am 91 years old. Write to ann@example.com."]
    corpus = lines(*({"id": f"c{i}", "text": text} for i, text in enumerate(texts)), name="corpus.jsonl")
    table = tmp_path / "shares.csv"
    table.write_text(TABLE, "utf-8")
    return corpus, table


def test_what_few_people_share_is_counted(
    files: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    corpus, table = files
    words = ["--input", corpus, "--population", table, "--people", 1_000_001]
    code, out, _ = _call(capsys, *words, "--json", "--output", tmp_path / "figures.json")
    figures = json.loads(out)
    assert code == 0
    assert (figures["conversations"], figures["with_values"]) == (3, 2)
    assert figures["info_types"] == {"AGE": 2, "EMAIL_ADDRESS": 1}
    # One of 10,000, and one whom nobody is like.
    assert figures["unique"] == 1.0
    assert figures["average_risk"] == pytest.approx(1.0001 / 3, abs=1e-4)
    assert figures["small"] == 1
    assert json.loads((tmp_path / "figures.json").read_text()) == figures
    assert json.loads(_call(capsys, *words, "--json", "--workers", 2, "--unit-bytes", 20)[1]) == figures
    out = _call(capsys, *words)[1]
    assert "assumed: values are independent" in out
    assert "ann@" not in out


@pytest.mark.parametrize(
    ("table", "what"),
    [
        ("info_type,value,share\nAGE,34,2\n", "row 1: share must be above 0 and at most 1"),
        ("info_type,value\nAGE,34\n", "needs info_type, value, share"),
        ("info_type,value,share\n", "has no rows"),
        ("info_type,value,share\nAGE,34,x\n", "a share is not a number"),
        ("info_type,value,share\nAGE,,0.1\n", "row 1: its value is empty"),
        ("info_type,value,share\nAGES,34,0.1\n", "nothing looks for AGES; spell it as"),
        ("info_type,value,share\nAGE,34,0.1\nMEDICAL_TERM,x,0.1\n", "nothing looks for MEDICAL_TERM"),
    ],
)
def test_a_wrong_table_is_one_line(
    files: tuple[Path, Path], table: str, what: str, capsys: pytest.CaptureFixture[str]
):
    corpus, path = files
    path.write_text(table, "utf-8")
    code, _, err = _call(capsys, "--input", corpus, "--population", path, "--people", 10)
    assert (code, len(err.strip().splitlines())) == (2, 1)
    assert what in err


def test_unreadable_records_are_counted(
    lines: Callable[..., Path], files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
):
    corpus = lines({"id": "c0", "text": "I am 34."}, b"{oops", {"id": "c1", "text": "Hi."}, name="in.jsonl")
    words = ["--input", corpus, "--population", files[1], "--people", 100]
    figures = json.loads(_call(capsys, *words, "--json")[1])
    assert (figures["conversations"], figures["unreadable"]) == (2, 1)
    assert "unreadable     1 record, not searched" in _call(capsys, *words)[1]
