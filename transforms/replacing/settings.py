"""What replaces which infoType, as it travels to workers: with the names of keys and never their bytes."""

from collections.abc import Iterator
from dataclasses import dataclass

from tacenda.transforms.replacing.keys import Key, KeyReference

TOKENS = "tokens"


@dataclass(frozen=True, slots=True)
class ReplacementSettings:
    """How values are chosen.

    ``default`` names the replacer of all infoTypes that nothing else speaks of, ``info_types`` that of single
    ones. ``kept`` are infoTypes that stay readable, each with the reason. ``secret`` is what keyed replacers
    depend on.
    """

    default: str = TOKENS
    info_types: tuple[tuple[str, str], ...] = ()
    kept: tuple[tuple[str, str], ...] = ()
    secret: KeyReference | None = None

    def keys(self) -> Iterator[Key]:
        """All keys that the replacers read, the same one perhaps several times."""
        if self.secret is not None:
            yield self.secret
