"""How names are hidden among surrogates, as a user may ask for it."""

from dataclasses import dataclass
from typing import Any, Literal

Variant = Literal["sequence", "per_value"]


@dataclass(frozen=True, slots=True)
class HidingSettings:
    """``variant``: a chain over all tokens of a conversation, or one along each original.

    ``p`` is the probability that a surrogate is used once more, ``t`` how often one is used at most.
    """

    variant: Variant = "sequence"
    p: float = 0.5
    t: int = 4

    def to_dict(self) -> dict[str, Any]:
        """What manifest and report say of them."""
        return {"variant": self.variant, "p": self.p, "t": self.t}
