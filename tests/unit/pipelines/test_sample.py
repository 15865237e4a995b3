from pathlib import Path

import pytest

from tacenda.pipelines import cli
from tacenda.transforms.schema.errors import UserError


def _write(output: Path) -> None:
    cli.run(["config", "sample", "--conversations", "1", "--output", str(output)])


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    _write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"conversations", "config.yaml", "dictionaries"}


@pytest.mark.parametrize(
    "name", ["config.yaml", "dictionaries/person_name.txt", "conversations/a.jsonl", "x"]
)
def test_a_folder_that_holds_anything_is_refused(tmp_path: Path, name: str) -> None:
    theirs = tmp_path / "out" / name
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs")
    with pytest.raises(UserError, match=rf"is not empty \({name.partition('/')[0]} is there\)"):
        _write(tmp_path / "out")
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == [theirs]
    assert theirs.read_text() == "theirs"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("theirs")
    with pytest.raises(UserError, match="is a file; choose a folder"):
        _write(tmp_path / "a")
