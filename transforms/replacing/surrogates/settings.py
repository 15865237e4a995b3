"""User settings for surrogates."""

from dataclasses import dataclass
from typing import Any, Literal

Checksums = Literal["as_written", "right", "wrong"]


@dataclass(frozen=True, slots=True)
class SurrogateSettings:
    """``checksums``: whether check digits of invented numbers are valid, invalid, or as in the original.

    Ages over ``oldest_age`` years are written as ``oldest_age`` plus one; None sets no limit. ``tagged``: each
    surrogate stands between tags with its infoType, so that readers see what was invented.
    """

    checksums: Checksums = "as_written"
    oldest_age: int | None = None
    tagged: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The settings as manifest and report show them."""
        return {"checksums": self.checksums, "oldest_age": self.oldest_age, "tagged": self.tagged}
