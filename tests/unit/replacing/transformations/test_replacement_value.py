from typing import Any

from tacenda.transforms.replacing.transformations.transformation import ReplacementValue


def test_one_value_for_all(said: Any) -> None:
    assert said(ReplacementValue("[gone]"), "Ann") == said(ReplacementValue("[gone]"), "Bo") == "[gone]"
    assert ReplacementValue("x").describe().weakness is None
