import pytest

from tacenda.transforms.gazetteers.word_list import genders


def test_every_name_has_one_of_three_genders_and_is_written_plainly():
    assert set(genders().values()) == {"f", "m", "n"}
    assert all(name.isalpha() and name == name.lower() for name in genders())


@pytest.mark.parametrize(("name", "gender"), [("signe", "f"), ("lars", "m"), ("kim", "n"), ("table", None)])
def test_genders(name, gender):
    assert genders().get(name) == gender
