"""Replacement settings as sent to workers: with references to keys, never their bytes."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from tacenda.transforms.replacing.keys import Key, KeyReference
from tacenda.transforms.replacing.policies import OnError, Policy, transformations
from tacenda.transforms.replacing.surrogates.context import SurrogateSettings

TOKENS, SURROGATES, HIDDEN = "tokens", "surrogates", "hidden_in_plain_sight"
MASKED_LM, RANDOM = "masked_lm", "random"
DRAWN = frozenset({SURROGATES, HIDDEN, MASKED_LM, RANDOM})
"""Replacers whose values are drawn with a secret."""
OF_LABORATORY = DRAWN - {SURROGATES}
"""Those that the laboratory adds."""

Scope = Literal["conversation", "corpus"]
"""The extent in which a token has one meaning."""

KEPT = "keep"
"""Reason for a finding to stay readable: its infoType is kept."""


@dataclass(frozen=True, slots=True)
class ListFile:
    """A list of human decisions, and the hash that its bytes must have wherever it is read.

    ``lines`` are those where its entries begin.
    """

    url: str
    sha256: str
    lines: tuple[int, ...] = ()


Variant = Literal["sequence", "per_value"]


@dataclass(frozen=True, slots=True)
class HidingSettings:
    """Hiding names among surrogates.

    ``variant``: one chain over all tokens of a conversation, or one per original value. ``p`` is the
    probability that a surrogate is repeated, ``t`` the maximum number of its uses.
    """

    variant: Variant = "sequence"
    p: float = 0.5
    t: int = 4


@dataclass(frozen=True, slots=True)
class FillMaskSettings:
    """A masked language model, and how many of its nearest guesses a word is drawn from."""

    path: str
    fingerprint: str
    nearest: int = 20


@dataclass(frozen=True, slots=True)
class ReplacementSettings:
    """How replacement values are chosen.

    ``policies`` come first; ``on_error`` applies to values that they cannot take. ``info_types`` names the
    replacer of individual infoTypes, ``default`` that of all others. ``kept`` has the infoTypes that stay
    readable, each with the reason; ``lists`` do the same for words, or list words that are always replaced;
    ``eponyms`` keeps diseases named after a person. ``secret`` is the input of keyed replacers;
    ``surrogates``, ``hiding`` and ``masked_lm`` configure those three; the last is None unless it is used.
    ``scope`` is the extent in which an entity has one token: the corpus only with a secret.
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
    masked_lm: FillMaskSettings | None = None

    @property
    def drawn(self) -> tuple[str, ...]:
        """The replacers in use whose values are drawn with a secret."""
        used = {self.default, *(name for _, name in self.info_types)}
        return tuple(sorted(used & DRAWN))

    def is_pseudonymous(self) -> bool:
        """Whether the holder of a key can re-identify people: by law, the output is then still personal data.

        This includes drawn values: with the secret, anyone can draw the value of a guessed name and compare.
        """
        return (
            self.scope == "corpus"
            or bool(self.drawn)
            or any(one.pseudonymised for one in transformations(self.policies))
        )

    def keys(self) -> Iterator[Key]:
        """All keys that the replacers read, possibly with repetitions."""
        if self.secret is not None:
            yield self.secret
        yield from (one.key for one in transformations(self.policies) if one.key is not None)
