"""What replaces which infoType, as it travels to workers: with the names of keys and never their bytes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from tacenda.transforms.replacing.hiding.settings import HidingSettings
from tacenda.transforms.replacing.keys import Key, KeyReference
from tacenda.transforms.replacing.policies import OnError, Policy
from tacenda.transforms.replacing.surrogates.settings import SurrogateSettings

TOKENS, SURROGATES, HIDDEN = "tokens", "surrogates", "hidden_in_plain_sight"
DRAWN = frozenset({SURROGATES, HIDDEN})
"""Replacers whose values a secret determines."""

Scope = Literal["conversation", "corpus"]
"""Where a token has one meaning."""

KEPT = "keep"
"""Why a finding stays readable: its infoType is to be kept."""


@dataclass(frozen=True, slots=True)
class ListFile:
    """A list of what people decided, and what its bytes have to hash to wherever it is read."""

    url: str
    sha256: str


@dataclass(frozen=True, slots=True)
class ReplacementSettings:
    """How values are chosen.

    ``policies`` are asked first, and ``on_error`` says what becomes of a value that they cannot take.
    ``default`` names the replacer of all infoTypes that nothing else speaks of, ``info_types`` that of single
    ones. ``kept`` are infoTypes that stay readable, each with the reason; ``lists`` say the same of words, or
    what is always replaced, and ``eponyms`` that diseases named after somebody stay. ``secret`` is what keyed
    replacers depend on, ``surrogates`` and ``hiding`` how those are made. ``scope`` is where one entity has one
    token: beyond a conversation only with a secret.
    """

    default: str = TOKENS
    info_types: tuple[tuple[str, str], ...] = ()
    kept: tuple[tuple[str, str], ...] = ()
    secret: KeyReference | None = None
    lists: tuple[ListFile, ...] = ()
    eponyms: bool = False
    policies: tuple[Policy, ...] = ()
    on_error: OnError = "quarantine"
    surrogates: SurrogateSettings = field(default_factory=SurrogateSettings)
    scope: Scope = "conversation"
    hiding: HidingSettings = field(default_factory=HidingSettings)

    @property
    def drawn(self) -> tuple[str, ...]:
        """The replacers in use whose values a secret determines."""
        used = {self.default, *(name for _, name in self.info_types)}
        return tuple(sorted(used & DRAWN))

    def list_hashes(self) -> list[str]:
        """What tells the lists of a run from those of another; no manifest has them."""
        return [file.sha256 for file in self.lists]

    def is_pseudonymous(self) -> bool:
        """Whether who has a key can find out whom values mean: in law, they are personal data still.

        So it is with values that are drawn: with the secret, anybody can draw for a name that he guesses.
        """
        return (
            self.scope == "corpus"
            or bool(self.drawn)
            or any(
                policy.transformation is not None and policy.transformation.telling().pseudonymised
                for policy in self.policies
            )
        )

    def keys(self) -> Iterator[Key]:
        """All keys that the replacers read, the same one perhaps several times."""
        if self.secret is not None:
            yield self.secret
        for policy in self.policies:
            if policy.transformation is not None:
                yield from policy.transformation.keys()
