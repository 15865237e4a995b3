"""The job never logs what it reads: only the command line prints, and only counts and paths."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
SPEAKERS = {"pipelines/cli.py", "pipelines/command_line/terminal.py"}


def _calls(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [
        node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, (ast.Name, ast.Attribute))
    ]


def test_only_the_command_line_prints():
    for folder in ("pipelines", "models", "transforms"):
        for path in (ROOT / folder).rglob("*.py"):
            if path.relative_to(ROOT).as_posix() in SPEAKERS:
                continue
            assert "print" not in _calls(path), path


def test_rooms_do_not_log():
    for folder in ("models", "transforms"):
        for path in (ROOT / folder).rglob("*.py"):
            assert "getLogger" not in _calls(path), path


def test_record_errors_are_constants():
    """An error class composed at run time could carry text into the quarantine."""
    for folder in ("pipelines", "models", "transforms"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in ("RecordError", "refuse")
                ):
                    said = node.args[1:] if node.func.id == "refuse" else node.args
                    assert not any(isinstance(arg, (ast.JoinedStr, ast.BinOp)) for arg in said), path


OWN_ERRORS = {
    "UserError",
    "StorageError",
    "UnitFailedError",
    "RunFailedError",
    "DetectorUnavailableError",
    "RecordError",
}
SAFE = {"errno", "strerror", "filename", "lineno", "msg"}
"""What may be told of a foreign error: no value. ``msg`` is what is wrong with a piece of JSON."""


def _foreign(handler):
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return not all(isinstance(kind, ast.Name) and kind.id in OWN_ERRORS for kind in caught)


def test_no_message_quotes_the_error_of_a_library():
    """A library's error may quote text; neither its message nor the error may be part of our messages."""
    quoting = []
    for folder in ("pipelines", "models", "transforms"):
        for path in (ROOT / folder).rglob("*.py"):
            for handler in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(handler, ast.ExceptHandler) and handler.name and _foreign(handler):
                    quoting += [f"{path}:{line}" for line in _quoted(handler)]
    assert not quoting, "\n".join(quoting)


def _quoted(handler):
    lines = []
    for node in ast.walk(handler):
        if isinstance(node, ast.FormattedValue):
            value = node.value
            if isinstance(value, ast.Attribute) and value.attr not in SAFE:
                value = value.value
            if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
                value = value.args[0] if value.func.id in ("str", "repr") and value.args else value
            if isinstance(value, ast.Name) and value.id == handler.name:
                lines.append(node.lineno)
        elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.cause is not None:
            of_user = isinstance(node.exc.func, ast.Name) and node.exc.func.id == "UserError"
            if of_user and isinstance(node.cause, ast.Name) and node.cause.id == handler.name:
                lines.append(node.lineno)
    return lines
