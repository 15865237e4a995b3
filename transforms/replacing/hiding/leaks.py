"""Whether a missed name stands out among surrogates: measured with gold, and suspected without.

Simancek and Vydiswaran give two different rules. By the *token rule*, a true name leaks if it occurs more
often than the strategy lets a surrogate occur. By the *mode rule*, that of Table 3, a document leaks if its
most frequent name is a true one: in a clinical note, the patient's name is the most frequent.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple

Tie = Literal["leak", "no_leak"]


class LeakRate(NamedTuple):
    """The number of documents that leak, out of those with names."""

    leaking: int
    documents: int

    @property
    def rate(self) -> float:
        """The share; 0 if no document has a name."""
        return self.leaking / self.documents if self.documents else 0.0


def leaks_by_token(names: Sequence[str], true_names: Collection[str], t: int) -> frozenset[str]:
    """The true names that occur more than ``t`` times among the names of a document after replacement.

    ``t`` is 1 for the baseline of random tokens. Names are compared case-insensitively.
    """
    true = _folded(true_names)
    return frozenset(name for name, count in _counted(names).items() if count > t and name in true)


def leaks_by_mode(names: Sequence[str], true_names: Collection[str], tie: Tie = "leak") -> bool:
    """Whether the most frequent name of a document after replacement is a true one.

    If no name is repeated, none is the most frequent. The paper does not define ties: with ``leak``, one true
    name among the most frequent is enough; with ``no_leak``, all of them must be true.
    """
    modes = _modes(_counted(names))
    true = _folded(true_names)
    if tie == "leak":
        return not modes.isdisjoint(true)
    return bool(modes) and modes <= true


def leak_rate(documents: Iterable[bool | None]) -> LeakRate:
    """Aggregate over documents: leaks or not, or None for one without names, which is not counted."""
    counted = [leaks for leaks in documents if leaks is not None]
    return LeakRate(sum(counted), len(counted))


def suspects(names: Sequence[str], inserted: Collection[str], t: int) -> frozenset[str]:
    """Without gold: names that were not inserted and occur more than ``t`` times or most often.

    ``names`` are all words of a document, after replacement, that are in a list of names. Documents with
    suspects need human review.
    """
    counted = _counted(names)
    ours = _folded(inserted)
    most = _modes(counted)
    return frozenset(
        name for name, count in counted.items() if name not in ours and (count > t or name in most)
    )


def mode_count(names: Sequence[str]) -> int:
    """The number of occurrences of a document's most frequent name; 0 without names."""
    return max(_counted(names).values(), default=0)


def _counted(names: Iterable[str]) -> Counter[str]:
    return Counter(name.casefold() for name in names)


def _folded(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.casefold() for name in names)


def _modes(counted: Counter[str]) -> frozenset[str]:
    most = max(counted.values(), default=0)
    return frozenset(name for name, count in counted.items() if count == most > 1)
