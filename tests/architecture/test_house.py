"""The house: its rooms, their sizes, imports and names, what none of them may do, and what it was made from."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
BUDGETS = yaml.safe_load(Path(__file__).with_name("budgets.yaml").read_text("utf-8"))


@cache
def _every_node():
    """What the code below is looked through for, with the place of each."""
    files = [path for room in ("pipelines", "models", "transforms") for path in (ROOT / room).rglob("*.py")]
    trees = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in files}
    kinds = (ast.Call, ast.ExceptHandler, ast.FunctionDef)
    nodes = ((path, node) for path, tree in trees.items() for node in ast.walk(tree))
    return [(f"{path}:{node.lineno}", node) for path, node in nodes if isinstance(node, kinds)]


def _nodes(kind):
    return ((place, node) for place, node in _every_node() if isinstance(node, kind))


def _name(called):
    named = called.func if isinstance(called, ast.Call) else called
    return named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")


@pytest.mark.parametrize("room", BUDGETS)
def test_a_room_is_within_its_budget(room):
    """More lines take a reason in the same commit, beside the number."""
    inner = [ROOT / other for other in BUDGETS if other.startswith(f"{room}/")]
    files = [
        file
        for file in (ROOT / room).rglob("*.py")
        if not any(file.is_relative_to(folder) for folder in inner)
    ]
    assert files, f"{room}: no such room"
    lines = sum(len(file.read_text("utf-8").splitlines()) for file in files)
    assert lines <= BUDGETS[room], f"{room}: {lines} lines; shorten it, or raise its budget with a reason"


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


ONE_THREAD = ("transforms/generating/", "models/training/")
"""Rooms of commands that run in one thread."""


def test_no_cached_function_without_arguments_is_left_unlocked():
    """Process-wide objects are built under a lock: threads that start together must not build two."""
    found = [
        place
        for place, node in _nodes(ast.FunctionDef)
        if not place.startswith(ONE_THREAD)
        and not (node.args.args or node.args.vararg)
        and {"cache", "lru_cache", "remembered"}.intersection(map(_name, node.decorator_list))
    ]
    assert found == [], "decorate them with storage.process_cache.built_once"


# The project has one name, and is only installed under it.

FORMER = "tac" + "et"
MAY_SAY_IT = {"pipelines/output/output_folder.py", "tests/unit/pipelines/output/test_output_folder.py"}
"""The check that refuses what an older run left behind, and its test."""


def _git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout


def test_the_former_name_occurs_nowhere():
    # In what is written and in the names of files.
    assert {*_git("grep", "-lIi", FORMER).split()} - MAY_SAY_IT == set()
    listed = _git("ls-files")
    assert listed
    assert FORMER not in listed.lower()


def test_code_imports_the_package_and_not_the_folders():
    pattern = r"(from|import) (pipelines|models|transforms)[. ]"
    found = _git("grep", "-nE", pattern, "--", "*.py").splitlines()
    assert [line for line in found if not line.startswith("tests/architecture/")] == []


# The job never logs what it reads: only the command line prints, and only counts and paths.


def test_only_the_command_line_prints_and_rooms_do_not_log():
    speakers = ("pipelines/cli.py", "pipelines/command_line/terminal.py")
    called = [(place, _name(node)) for place, node in _nodes(ast.Call)]
    assert [p for p, name in called if name == "print" and not p.startswith(speakers)] == []
    assert [p for p, name in called if name == "getLogger" and not p.startswith("pipelines/")] == []


def test_record_errors_are_constants():
    """An error class composed at run time could carry text into the quarantine."""
    for place, node in _nodes(ast.Call):
        if isinstance(node.func, ast.Name) and node.func.id in ("RecordError", "refuse"):
            said = node.args[1:] if node.func.id == "refuse" else node.args
            assert not any(isinstance(arg, (ast.JoinedStr, ast.BinOp)) for arg in said), place


OWN_ERRORS = {
    *("UserError", "StorageError", "UnitFailedError", "RunFailedError", "DetectorUnavailableError"),
    *("RecordError", "LeaseLostError"),
}
SAFE = {"errno", "strerror", "filename", "lineno", "msg"}
"""What may be told of a foreign error: no value. ``msg`` is what is wrong with a piece of JSON."""


def _foreign(handler):
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return not all(isinstance(kind, ast.Name) and kind.id in OWN_ERRORS for kind in caught)


def test_no_message_quotes_the_error_of_a_library():
    """A library's error may quote text; neither its message nor the error may be part of our messages."""
    handlers = [(place, one) for place, one in _nodes(ast.ExceptHandler) if one.name and _foreign(one)]
    assert [(place, line) for place, handler in handlers for line in _quoted(handler)] == []


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


# Every list that was made from others' data names its sources and licences in the notice beside it.

LISTS = sorted(path.relative_to(ROOT) for path in (ROOT / "transforms").rglob("*.xz"))
_ROW = re.compile(r"^\| (?!-|file|source)(.+?) \|(.*)\|$", re.MULTILINE)


def test_some_lists_exist():
    assert len(LISTS) >= 8


@pytest.mark.parametrize("path", LISTS, ids=str)
def test_a_list_is_in_the_notice_beside_it_with_its_licence(path):
    file = ROOT / path
    rows = dict(_ROW.findall((file.parent / "NOTICE.md").read_text("utf-8")))
    told = rows[f"`{file.name}`"]
    assert re.search(r"Apache-2\.0|CC BY|CC0|MIT", told), told


@pytest.mark.parametrize("folder", sorted({str(path.parent) for path in LISTS}))
def test_every_source_has_a_licence_and_every_file_is_there(folder):
    for name, told in _ROW.findall((ROOT / folder / "NOTICE.md").read_text("utf-8")):
        if name.startswith("`"):
            assert (ROOT / folder / name.strip("`")).exists()
        assert re.search(r"Apache-2\.0|CC BY|CC0|MIT|BSD|Unicode Licence|ODbL|LGPL|public domain", told), name


# The newcomer's questions in CONTRIBUTING lead to files that answer them.

PAGE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
QUESTIONS = re.findall(r"(?m)^\| [^|]+ \| `([^`]+)` \| `?([^`|]+?)`? \|$", PAGE)


def test_there_are_ten_questions():
    assert len(QUESTIONS) == len({file for file, _ in QUESTIONS}) == 10


@pytest.mark.parametrize(("file", "term"), QUESTIONS)
def test_each_file_contains_the_promised_words(file, term):
    text = (ROOT / file).read_text("utf-8")
    head = ast.get_docstring(ast.parse(text)) or "" if file.endswith(".py") else text.splitlines()[0]
    assert term in head
