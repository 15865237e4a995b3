"""The direction of imports, and that the test of each file is where its name says."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_imports_point_down_and_only_thin_files_know_beam():
    subprocess.run(["make", "build/tree"], cwd=ROOT, capture_output=True, check=True)
    linter = [Path(sys.executable).parent / "lint-imports", "--no-cache", "--config", ROOT / "pyproject.toml"]
    tree = ROOT / "build" / "tree"
    result = subprocess.run(linter, cwd=tree, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout


def test_beam_stays_out_of_the_pure_chain():
    for room in ("config", "chain", "work", "output"):
        for file in (ROOT / "pipelines" / room).glob("*.py"):
            assert "apache_beam" not in file.read_text(encoding="utf-8"), file


def test_package_files_contain_a_docstring_only():
    for init in [ROOT / "models" / "__init__.py", *(ROOT / "transforms").glob("*/__init__.py")]:
        lines = init.read_text(encoding="utf-8").strip().splitlines()
        assert lines[0].startswith('"""'), init
        assert not any(line.startswith(("import", "from")) for line in lines), init
