"""Texts that no detector can search are not passed on as clean."""

import base64
import doctest

import pytest

from tacenda.transforms.shapes import strange_text
from tacenda.transforms.shapes.strange_text import ENCODED, FOREIGN_TOKEN, error_of

SAID = "Dear all, the garden is open on Monday and Ruth will be there with the keys.\n" * 4


def _names(words: str) -> bool:
    return words in ("Ruth Hale", "Missed Ruth Hale")


def test_examples() -> None:
    assert not doctest.testmod(strange_text).failed


@pytest.mark.parametrize(
    "text",
    [
        "Ruth=20Hale=2C=20078=2D05=2D1120",
        "We met in the garden=2C and=\r\n then Ruth Hale=E9 came=20",
        base64.encodebytes(SAID.encode()).decode(),
        "Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(SAID.encode()).decode(),
        "see data:text/plain;base64," + base64.b64encode(SAID.encode()).decode(),
    ],
)
def test_mail_in_a_transfer_encoding_cannot_be_searched(text: str) -> None:
    assert error_of(text, _names) == ENCODED


@pytest.mark.parametrize(
    "text",
    [
        "a=20 and b=30, so c=0A2F",
        "level=info status=200 bytes=20\nlevel=info status=201 bytes=2048\n",
        "https://example.com/?a=20&b=3D4&c=2C",
        "data:image/png;base64," + base64.b64encode(bytes(range(256)) * 4).decode(),
        base64.encodebytes(bytes(range(256)) * 4).decode(),
        "x = 1\ny = 2\nz == 3\n" * 20,
        "[PERSON_NAME_1] met [FIGURE_12] and [NAME_3]",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855\n" * 4,
    ],
)
def test_ordinary_text_stays(text: str) -> None:
    assert error_of(text, _names) is None


@pytest.mark.parametrize("token", ["[RUTH_HALE_1987]", "[MISSED-RUTH-HALE_415]", "[CASE_4155550123]"])
def test_what_only_looks_like_a_token_is_not_taken_for_one(token: str) -> None:
    assert error_of(f"ask {token} about it", _names) == FOREIGN_TOKEN
