"""How the mentions of a conversation are looked for again, and which of its people stay readable."""

from dataclasses import dataclass
from typing import Any, Literal

Reconcile = Literal["none", "paper", "conservative"]
"""Whether clusters are reconciled by the rules of PSILENCE, and how readily they leave somebody readable."""

RECONCILE = "reconcile"
"""The name of the rules in the laboratory."""

PUBLIC_ROLE = "public_role"
"""Why a finding stays readable: reconciliation took its cluster for somebody whose role is public."""


@dataclass(frozen=True, slots=True)
class LinkingSettings:
    """``propagate``: what was found once is looked for in the rest of its conversation. ``roles``: labels of
    speakers, as ``speakers.folded_label`` gives them, that are no names.
    """

    propagate: bool = True
    reconcile: Reconcile = "none"
    roles: frozenset[str] = frozenset()

    def to_dict(self) -> dict[str, Any]:
        """The entry in manifest and report, and in the config's hash."""
        return {"propagate": self.propagate, "reconcile": self.reconcile}
