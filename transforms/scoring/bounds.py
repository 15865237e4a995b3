"""What reading some conversations says of a corpus: the share with a finding, at most, with 95 % confidence."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from tacenda.transforms.scoring.intervals import upper_bound, upper_count

ERROR = 0.05  # the chance that a share is larger than its bound says


class Share(NamedTuple):
    """Conversations with something in common: ``found`` of those read, and at most which share of the
    corpus.
    """

    found: int
    at_most: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What people or gold read of a corpus, as a random sample of it or as a whole.

    Of a ``population``, ``drawn`` conversations were drawn at random and read; in ``direct`` of these a
    direct identifier is readable, in ``named`` anybody's name. Conversations read beside these, for their
    context, have ``extra_direct`` and ``extra_named``, and can only raise a bound. ``read`` were read in all;
    ``left`` is the size of the corpus now, if some were erased since. ``error`` is the share of ``ERROR``
    that this look spends. Of ``planted`` leaks, which measure the readers, they marked ``caught``.
    """

    source: Literal["human", "gold"]
    population: int
    drawn: int
    direct: int
    named: int
    extra_direct: int = 0
    extra_named: int = 0
    read: int = 0
    left: int | None = None
    error: float = ERROR
    planted: int = 0
    caught: int = 0

    @property
    def is_whole(self) -> bool:
        return self.drawn >= self.population

    @property
    def sensitivity(self) -> float:
        """The share of readable leaks that readers mark, at least; half of the error goes to it."""
        if not self.planted:
            return 1.0
        return 1 - upper_bound(self.planted - self.caught, self.planted, 1 - self.error / 2)

    def share_direct(self) -> Share:
        """Conversations with a readable direct identifier."""
        return self._share(self.direct, self.extra_direct)

    def share_named(self) -> Share:
        """Conversations that name anybody, in whole or in part."""
        return self._share(self.named, self.extra_named)

    def _share(self, found: int, extra: int) -> Share:
        error = self.error / 2 if self.planted else self.error
        most = found if self.is_whole else upper_count(found, self.drawn, self.population, error)
        of = self.population if self.left is None else self.left
        sensitivity = self.sensitivity
        is_certain = of and sensitivity
        share = min(1.0, max(most, found + extra) / of / sensitivity) if is_certain else 1.0
        return Share(found + extra, share)

    def to_json(self) -> dict[str, Any]:
        direct, named = self.share_direct(), self.share_named()
        return {
            "source": self.source,
            "conversations": self.population if self.left is None else self.left,
            "read": self.read or self.drawn,
            "drawn": self.drawn,
            "whole": self.is_whole,
            "direct_identifiers": direct._asdict(),
            "naming_somebody": named._asdict(),
            "error": self.error,
            **({"planted": self.planted, "caught": self.caught} if self.planted else {}),
        }


def judged_groups(populations: Mapping[str, int], drawn: int, least: int) -> dict[str, str]:
    """The group in which each context is judged: itself, or all small ones together, under "".

    A context is small if a draw of this size over the corpus has fewer than ``least`` of it on average, so
    that a field with many values asks nobody to read more than the corpus as a whole does.
    """
    everything = sum(populations.values())
    return {
        context: context if drawn * count >= least * everything else ""
        for context, count in populations.items()
    }
