"""Verbalised data has the value of the data."""

import pytest

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample import verbalize


@pytest.mark.parametrize("seed", range(50))
def test_digits_read_back(seed):
    value = Draw("value", seed).digits(10)
    back = {word: str(n) for n, word in enumerate(verbalize.DIGITS)} | {"oh": "0"}
    read = ""
    times = 1
    for word in verbalize.digits(Draw(seed), value).split():
        if word in ("double", "triple"):
            times = 2 if word == "double" else 3
            continue
        read += back[word] * times
        times = 1
    assert read == value


@pytest.mark.parametrize("seed", range(50))
def test_spelling_keeps_the_letters(seed):
    said = verbalize.spelled(Draw(seed), "O'Neil-7")
    letters = "".join(part for part in said.replace("-", " ").replace(".", " ").split() if len(part) == 1)
    assert letters == "ONEIL7"


def test_mishearing_needs_slips():
    heard = {verbalize.digits(Draw(seed), "2486", 1.0) for seed in range(60)}
    assert heard == {"to for ate sicks", "too for ate sicks"}


def test_addresses_and_codes():
    assert (
        verbalize.url("https://www.fable.example.com/help")
        == "w w w dot fable dot example dot com slash help"
    )
    spoken = {verbalize.email(Draw(seed), "jo.li@example.com") for seed in range(40)}
    assert spoken == {"jo dot li at example dot com", "J-O dot L-I at example dot com"}
    codes = {verbalize.code(Draw(seed), "B231-C4") for seed in range(60)}
    assert "B two three one C four" in codes
    assert "B. 231 C. four" in codes
