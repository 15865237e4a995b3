"""``redact_config``: nothing in the place of something."""

from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.transformation import Telling, Transform


@dataclass(frozen=True, slots=True)
class Redaction:
    """Takes the value out; the text around it stays as it is, with its spaces."""

    def build(self) -> Transform:
        """The function."""
        return lambda _mention: ""

    def keys(self) -> tuple[Key, ...]:
        """None."""
        return ()

    def telling(self) -> Telling:
        """What it means."""
        return Telling("removed")
