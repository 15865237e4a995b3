"""The contents of a run's output folder."""

from pathlib import Path


def files_in(folder: Path) -> dict[str, bytes]:
    """Each file below a folder, by its relative path."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
