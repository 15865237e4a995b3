"""``replace_config``: replace every value by one fixed value."""

from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.transformation import Telling, Transform


@dataclass(frozen=True, slots=True)
class ReplacementValue:
    """The value, as text."""

    value: str

    def build(self) -> Transform:
        """Build the function."""
        value = self.value
        return lambda _mention: value

    def keys(self) -> tuple[Key, ...]:
        """There are none."""
        return ()

    def telling(self) -> Telling:
        """Description for manifest and report."""
        return Telling("a fixed value")
