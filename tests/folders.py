"""The contents of a run's output folder."""

import json
from pathlib import Path
from typing import Any


def files_in(folder: Path) -> dict[str, bytes]:
    """Each file below a folder, by its relative path."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def copied(files: dict[str, bytes], folder: Path) -> Path:
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder


def read_json(folder: Path, name: str = "manifest.json") -> Any:
    return json.loads((folder / name).read_text("utf-8"))


def read_lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
