"""The project has one name, and is only installed under it."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
FORMER = "tac" + "et"
MAY_SAY_IT = {"pipelines/output/output_folder.py", "tests/unit/pipelines/output/test_output_folder.py"}
"""The check that refuses what an older run left behind, and its test."""


def test_the_former_name_occurs_nowhere():
    # In what is written and in the names of files.
    found = subprocess.run(
        ["git", "grep", "-lIi", FORMER], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert {*found} - MAY_SAY_IT == set()
    assert FORMER not in listed.lower()


def test_code_imports_the_package_and_not_the_folders():
    pattern = r"(from|import) (pipelines|models|transforms)[. ]"
    grep = ["git", "grep", "-nE", pattern, "--", "*.py"]
    found = subprocess.run(grep, cwd=ROOT, capture_output=True, text=True, check=False).stdout.splitlines()
    assert [line for line in found if "tests/architecture/test_name.py" not in line] == []
