from typing import Any

from tacenda.transforms.replacing.transformations.redaction import Redaction


def test_nothing_is_left(said: Any) -> None:
    assert said(Redaction(), "Ann") == ""
    assert Redaction().telling().weakness is None
