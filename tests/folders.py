"""The contents of a run's output folder."""

from pathlib import Path


def files_in(folder: Path) -> dict[str, bytes]:
    """Each file below a folder, by its relative path."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def copied(files: dict[str, bytes], folder: Path) -> Path:
    """A folder with these files."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return folder
