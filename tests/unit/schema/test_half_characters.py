"""A lone surrogate is replaced in place; nothing else changes, and offsets stay valid."""

import pytest

from tacenda.transforms.schema.errors import made_whole


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Ann", "Ann"),
        ("Zoë 😀", "Zoë 😀"),
        ("a\ud83d Zoë", "a\ufffd Zoë"),
        ("\udc00\ud800", "\ufffd\ufffd"),
    ],
)
def test_lone_surrogates_are_replaced(text: str, whole: str) -> None:
    assert made_whole(text) == whole
    assert len(whole.encode().decode()) == len(text)
