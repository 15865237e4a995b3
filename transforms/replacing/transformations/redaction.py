"""``redact_config``: remove the value."""

from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key
from tacenda.transforms.replacing.transformations.transformation import Telling, Transform


@dataclass(frozen=True, slots=True)
class Redaction:
    """Removes the value; the surrounding text and its spaces are unchanged."""

    def build(self) -> Transform:
        """Build the function."""
        return lambda _mention: ""

    def keys(self) -> tuple[Key, ...]:
        """There are none."""
        return ()

    def telling(self) -> Telling:
        """Description for manifest and report."""
        return Telling("removed")
