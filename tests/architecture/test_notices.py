"""Every list that was made from others' data names its sources and licences in the notice beside it."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
