"""User settings for hiding names among surrogates."""

from dataclasses import dataclass
from typing import Any, Literal

Variant = Literal["sequence", "per_value"]


@dataclass(frozen=True, slots=True)
class HidingSettings:
    """``variant``: one chain over all tokens of a conversation, or one per original value.

    ``p`` is the probability that a surrogate is repeated, ``t`` the maximum number of its uses.
    """

    variant: Variant = "sequence"
    p: float = 0.5
    t: int = 4

    def to_dict(self) -> dict[str, Any]:
        """The settings as manifest and report show them."""
        return {"variant": self.variant, "p": self.p, "t": self.t}
