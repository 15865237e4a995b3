"""``replace_config``: one fixed value in the place of everything."""

from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.transformation import Telling, Transform


@dataclass(frozen=True, slots=True)
class ReplacementValue:
    """The value, as it is written."""

    value: str

    def build(self) -> Transform:
        """The function."""
        value = self.value
        return lambda _mention: value

    def keys(self) -> tuple[Key, ...]:
        """None."""
        return ()

    def telling(self) -> Telling:
        """What it means."""
        return Telling("a fixed value")
