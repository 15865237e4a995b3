"""tests/unit mirrors the tree: each module with functions has a test file there, or is listed."""

import ast
from functools import cache
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
FOLDERS = ("tacenda", "pipelines", "models", "transforms")
UNIT = ROOT / "tests" / "unit"
LISTED = yaml.safe_load((Path(__file__).parent / "tested_elsewhere.yaml").read_text(encoding="utf-8"))

WITHOUT_MODULE = {
    "test_growth.py": "tests/growth.py, which tests measure with",
    "detecting/rules/test_forms.py": "what stands in forms.yaml beside it",
    "detecting/rules/test_introductions.py": "what stands in introductions.yaml beside it",
    "detecting/rules/test_info_types.py": "the examples in the files of infoTypes",
    "detecting/rules/test_secrets.py": "what stands in secrets.yaml beside it",
    "detecting/rules/test_info_types_vectors.py": "the numbers in tests/golden/vectors",
    "models/token_classifier/test_filtered_detector.py": "the detector with a turn filter before it",
    "pipelines/test_ptransforms.py": "the package of this name, whose transforms are used together",
}
"""Test files of tests/unit that test something else than one module, and what."""


def unit_test_of(module: Path) -> Path:
    """The location of a module's unit test; rooms of ``transforms`` have no folder of that name."""
    parts = module.relative_to(ROOT).parts
    folders = parts[1:-1] if parts[0] == "transforms" else parts[:-1]
    return UNIT.joinpath(*folders, f"test_{parts[-1]}")


def modules() -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def has_functions(path: Path) -> bool:
    return any(isinstance(node, ast.FunctionDef) for node in ast.walk(parsed(path)))


def without_own_test() -> set[str]:
    return {name_of(path) for path in modules() if has_functions(path) and not unit_test_of(path).exists()}


def test_each_module_with_functions_has_its_test_or_says_where() -> None:
    listed = {module for entry in LISTED for module in entry["modules"]}
    missing = sorted(without_own_test() - listed)
    assert not missing, "write tests/unit/…/test_NAME.py, or list in tested_elsewhere.yaml: " + ", ".join(
        missing
    )


def test_no_entry_is_stale_or_duplicate() -> None:
    listed = [module for entry in LISTED for module in entry["modules"]]
    assert sorted(listed) == sorted(set(listed))
    assert sorted(set(listed) - without_own_test()) == []
    assert all(entry["because"] for entry in LISTED)


def test_each_unit_test_has_its_module() -> None:
    expected = {unit_test_of(path) for path in modules()}
    orphans = {path.relative_to(UNIT).as_posix() for path in UNIT.rglob("test_*.py") if path not in expected}
    assert orphans == set(WITHOUT_MODULE)


@cache
def imported(path: Path) -> set[Path]:
    """Our own modules that a file imports, anywhere in it."""
    found: set[Path] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        elif isinstance(node, ast.Constant) and str(node.value).startswith("tacenda."):
            names = [str(node.value)]  # what is imported by name, as by python -m
        else:
            continue
        for name in names:
            if name.split(".")[0] in ("tacenda", "tests"):
                found |= _files_of(name)
    return found


def _files_of(name: str) -> set[Path]:
    parts = name.split(".")
    inside = parts[1:] if parts[0] == "tacenda" and len(parts) > 1 and parts[1] in FOLDERS else parts
    base = ROOT.joinpath(*inside)
    candidates = (base.with_suffix(".py"), base / "__init__.py", base / "__main__.py")
    return {path for path in candidates if path.exists()}


@cache
def reached(path: Path) -> frozenset[Path]:
    """All modules that a test may run: its imports, theirs, and its conftest files."""
    seen: set[Path] = set()
    left = [
        path,
        *(folder / "conftest.py" for folder in path.parents if folder.is_relative_to(ROOT / "tests")),
    ]
    while left:
        one = left.pop()
        if one.exists() and one not in seen:
            seen.add(one)
            left.extend(imported(one))
            if name_of(one) == "pipelines/commands.py":  # it imports by name what it runs
                left.extend((ROOT / "pipelines").glob("*.py"))
    return frozenset(seen)


def test_each_named_test_reaches_the_modules_that_it_holds() -> None:
    for entry in LISTED:
        path = ROOT / entry["tested_by"]
        assert path.exists(), path
        unreached = [module for module in entry["modules"] if ROOT / module not in reached(path)]
        assert not unreached, (entry["tested_by"], unreached)
