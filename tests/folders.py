"""What a run left in its output folder."""

from pathlib import Path


def files_in(folder: Path) -> dict[str, bytes]:
    """Each file below a folder, by its path in it."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
