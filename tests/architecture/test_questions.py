"""The newcomer's questions in CONTRIBUTING lead to files that answer them."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
ROWS = re.findall(r"(?m)^\| [^|]+ \| `([^`]+)` \| `?([^`|]+?)`? \|$", PAGE)


def test_there_are_ten_questions():
    assert len(ROWS) == len({file for file, _ in ROWS}) == 10


@pytest.mark.parametrize(("file", "term"), ROWS)
def test_each_file_contains_the_promised_words(file, term):
    text = (ROOT / file).read_text("utf-8")
    head = ast.get_docstring(ast.parse(text)) or "" if file.endswith(".py") else text.splitlines()[0]
    assert term in head
