"""Nothing in the job logs what it reads: only the command line speaks, and only of counts and paths."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
SPEAKERS = {"cli.py", "launch.py", "outcome.py", "sample.py"}


def _calls(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute))
    ]


def test_only_the_command_line_prints() -> None:
    for folder in ("pipelines", "models", "transforms"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.parent.name == "pipelines" and path.name in SPEAKERS:
                continue
            assert "print" not in _calls(path), path


def test_rooms_do_not_log() -> None:
    for folder in ("models", "transforms"):
        for path in (ROOT / folder).rglob("*.py"):
            assert "getLogger" not in _calls(path), path


def test_record_errors_are_constants() -> None:
    """An error class that is put together at run time could carry text into the quarantine."""
    for folder in ("pipelines", "models", "transforms"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id == "RecordError"
                ):
                    assert not any(isinstance(arg, (ast.JoinedStr, ast.BinOp)) for arg in node.args), path
