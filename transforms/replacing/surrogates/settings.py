"""How surrogates are made, as a user may ask for it."""

from dataclasses import dataclass
from typing import Any, Literal

Checksums = Literal["as_written", "right", "wrong"]


@dataclass(frozen=True, slots=True)
class SurrogateSettings:
    """``checksums``: whether check digits of invented numbers are right, wrong, or as those of the original.

    Ages over ``oldest_age`` years are written as one more than that; None leaves them as old as they are.
    """

    checksums: Checksums = "as_written"
    oldest_age: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """What manifest and report say of them."""
        return {"checksums": self.checksums, "oldest_age": self.oldest_age}
