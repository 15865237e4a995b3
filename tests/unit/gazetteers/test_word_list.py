from importlib.resources import files

import pytest

from tacenda.transforms.gazetteers.word_list import (
    GENDERS,
    NAMES,
    ORGANIZATIONS,
    PLACES,
    WORDS,
    genders,
    read,
    rows,
)

COLUMNS = {NAMES: 2, PLACES: 2, ORGANIZATIONS: 1, WORDS: 2}


def test_every_list_has_its_source_named():
    data = files("tacenda.transforms.gazetteers") / "data"
    notice = (data / "NOTICE.md").read_text("utf-8")
    lists = {file.name for file in data.iterdir() if file.name.endswith(".xz")}
    assert lists == {*COLUMNS, GENDERS}
    assert all(f"`{name}`" in notice for name in lists)


@pytest.mark.parametrize("name", sorted(COLUMNS))
def test_each_line_has_the_columns_of_its_list(name):
    lines = list(rows(name))
    assert len(lines) == read(name).count(b"\n") > 10_000
    assert {len(line) for line in lines} == {COLUMNS[name]}


def test_every_name_has_one_of_three_genders_and_is_written_plainly():
    assert set(genders().values()) == {"f", "m", "n"}
    assert all(name.isalpha() and name == name.lower() for name in genders())


@pytest.mark.parametrize(("name", "gender"), [("signe", "f"), ("lars", "m"), ("kim", "n"), ("table", None)])
def test_genders(name, gender):
    assert genders().get(name) == gender
