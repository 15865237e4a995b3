"""Handmade mentions, and keys in the environment."""

import base64
from collections.abc import Callable

import pytest

from tacenda.transforms.replacing.keys import KeyReference
from tacenda.transforms.replacing.transformations.transformation import Mention

Said = Callable[..., str]


@pytest.fixture
def said():
    """``said(transformation, text, conversation="c1", entity=1)``: the replacement of a text."""

    def said_(transformation, text, conversation="c1", entity=1):
        replacement = transformation.build()(Mention(text, conversation, entity))
        assert replacement is not None
        return replacement

    return said_


@pytest.fixture
def key(monkeypatch):
    """A key of 32 bytes."""
    monkeypatch.setenv("A_KEY", base64.b64encode(bytes(range(32))).decode())
    return KeyReference("env:A_KEY")


@pytest.fixture
def other_key(monkeypatch):
    monkeypatch.setenv("B_KEY", base64.b64encode(bytes(range(1, 33))).decode())
    return KeyReference("env:B_KEY")
