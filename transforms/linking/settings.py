"""How the mentions of a conversation are looked for again, and which of its people stay readable."""

from dataclasses import dataclass
from typing import Any, Literal

Reconcile = Literal["none", "paper", "conservative"]
"""Whether clusters are reconciled by the rules of PSILENCE, and how readily they leave somebody readable."""

RECONCILE = "reconcile"
"""The name of the rules in the laboratory."""

PUBLIC_ROLE = "public_role"
"""Why a finding stays readable: reconciliation took its cluster for somebody whose role is public."""

PUBLIC_KNOWLEDGE = "public_knowledge"
"""Why a finding stays readable: everybody knows it, and no turn ties it to anybody."""


@dataclass(frozen=True, slots=True)
class LinkingSettings:
    """``propagate``: what was found once is looked for in the rest of its conversation. ``roles``: labels of
    speakers, as ``speakers.folded_label`` gives them, that are no names.
    ``public_knowledge``: what everybody knows stays readable (``linking.public_knowledge``).
    """

    propagate: bool = True
    reconcile: Reconcile = "none"
    roles: frozenset[str] = frozenset()
    public_knowledge: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The entry in manifest and report, and in the config's hash."""
        told = {"propagate": self.propagate, "reconcile": self.reconcile}
        return {**told, "public_knowledge": True} if self.public_knowledge else told
