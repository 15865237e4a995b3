"""The types of the public API, as a type checker of a user sees them."""

from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_calls_have_exact_types(tmp_path, monkeypatch):
    tree = tmp_path / "tacenda"
    tree.mkdir()
    for place in [
        *(ROOT / "tacenda").iterdir(),
        *(ROOT / name for name in ("pipelines", "models", "transforms")),
    ]:
        (tree / place.name).symlink_to(place)
    monkeypatch.setenv("MYPYPATH", str(tmp_path))
    settings = tmp_path / "mypy.ini"
    settings.write_text("[mypy]\nstrict = true\nfollow_imports = silent\nignore_missing_imports = true\n")
    said, wrong, status = api.run(
        [
            "--config-file",
            str(settings),
            "--cache-dir",
            str(tmp_path / "cache"),
            str(Path(__file__).with_name("typed_calls.py")),
        ]
    )
    assert (status, wrong) == (0, ""), said
