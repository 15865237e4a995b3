from typing import Any

from tacenda.transforms.replacing.transformations.transformation import Redaction


def test_nothing_is_left(said: Any) -> None:
    assert said(Redaction(), "Ann") == ""
    assert Redaction().describe().weakness is None
