"""Decide in which cells of a column each pattern has to be searched for."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tacenda.transforms.detecting.candidates import Places, distinct
from tacenda.transforms.detecting.patterns.prefilter.excerpts import Excerpts
from tacenda.transforms.detecting.patterns.prefilter.needles import haystack, needles
from tacenda.transforms.detecting.patterns.prefilter.superset import FOLDING_TO_ASCII
from tacenda.transforms.storage.machine_cache import contents, fingerprint, get_or_build_anyway, is_kept
from tacenda.transforms.storage.process_cache import built_once_for
from tacenda.transforms.text.utf8 import Utf8Column, class_mask

WORTH_BYTES: int | None = 5 << 20
"""Bytes of text above which building the automata pays off: RE2 alone has then taken as much longer.

Measured with the rules and lists on sample calls, in CPU seconds: building takes 11; without automata, 0.63
MB of text take 1.6 longer and 1.9 MB 3.9, about 2 per megabyte.

None: never use automata, not even those already on the machine.
"""

LITTLE_BYTES = 32 << 10
"""Up to this much text, patterns are only compiled if their needles occur. Searching this much text for all
needles takes as long as compiling all patterns, which a long-running process does once."""

_DIGITS_AT_ONCE = 32
"""Digit patterns are much alike: one database of them all takes long to build, and few cells have digits."""

_DIGIT = class_mask(("digit",))

_CELL_BITS = 32

_FOLDING = [character.encode() for character in FOLDING_TO_ASCII]

_NOWHERE = np.zeros(0, dtype=np.int64)


class Automaton(Protocol):
    """The interface of an engine; see ``hyperscan.Automaton``."""

    patterns: tuple[str | None, ...]

    def fires(self, data: bytes) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None: ...


class Filter:
    """The automata of some patterns; built once per machine, and only for enough text.

    With little text, patterns whose needles do not occur are skipped. Otherwise, without an automaton
    library, RE2 searches for each pattern in all cells with the character classes it needs. The findings are
    the same.

    Args:
        needs: for each pattern, the mask of the character classes without which it cannot match.
    """

    def __init__(self, needs: Mapping[str, int]) -> None:
        self._with_digits = tuple(sorted(p for p, mask in needs.items() if mask & _DIGIT))
        self._others = tuple(sorted(p for p, mask in needs.items() if not mask & _DIGIT))
        self._seen_bytes = 0

    def of(self, column: Utf8Column) -> "Filtered":
        """Run the automata over a column."""
        self._seen_bytes += len(column.data)
        much = WORTH_BYTES is not None and self._seen_bytes >= WORTH_BYTES
        filtered = Filtered()
        if not much and self._seen_bytes <= LITTLE_BYTES and not _holds_folding(column.data):
            # Even existing automata are not used: loading the library takes longer than compiling the rest.
            filtered.leave_out(self._without_needles(column.data))
        elif much or (WORTH_BYTES is not None and self._are_there):
            self._add_automata(filtered, column)
        return filtered

    def _add_automata(self, filtered: "Filtered", column: Utf8Column) -> None:
        always = [cell for cell in column.beyond_ascii.tolist() if _holds_folding(column.encoded[cell])]
        around_figures, with_figures, others = _automata(self._with_digits, self._others)
        digits = column.needing(_DIGIT)
        if around_figures is not None:
            excerpts = Excerpts(digits)
            filtered.add(excerpts.data, excerpts.cells_of, around_figures, always)
        filtered.add(digits.data, digits.cells_of, with_figures, always)
        filtered.add(column.data, column.everything.cells_of, others, always)

    def _without_needles(self, data: bytes) -> Iterator[str]:
        text = haystack(data)
        for pattern, sets in _needles((*self._with_digits, *self._others)).items():
            if not all(any(map(text.__contains__, some)) for some in sets):
                yield pattern

    @cached_property
    def _are_there(self) -> bool:
        """Whether an earlier process on this machine has built them; looked up once."""
        name = _name(self._with_digits, self._others)
        return name is not None and is_kept(name)


class Filtered:
    """The cells in which each pattern may match, for patterns that an automaton has."""

    def __init__(self) -> None:
        self._cells: dict[str, npt.NDArray[np.int64]] = {}
        self.is_of_little = False
        """Whether there are too few patterns left to compile all of them as one."""

    def cells(self, pattern: str) -> npt.NDArray[np.int64] | None:
        """Ascending; None if unknown."""
        return self._cells.get(pattern)

    def add(
        self,
        data: bytes,
        cells_of: Callable[[Places], Places],
        automaton: Automaton | None,
        always: Sequence[int] = (),
    ) -> None:
        """Run an automaton on some bytes; ``always`` are cells that count as matched by all its patterns."""
        fired = automaton.fires(data) if automaton is not None else None
        if automaton is None or fired is None:
            return
        patterns, ends = fired
        # A match may include the separator after its cell as the edge, so its last byte identifies the cell.
        keys = distinct(patterns << _CELL_BITS | cells_of(ends - 1))
        cells = keys & ((1 << _CELL_BITS) - 1)
        bounds = np.searchsorted(keys, np.arange(len(automaton.patterns) + 1) << _CELL_BITS).tolist()
        for i, pattern in enumerate(automaton.patterns):
            if pattern is not None:
                chosen = cells[bounds[i] : bounds[i + 1]]
                self._cells[pattern] = np.union1d(chosen, always).astype(np.int64) if len(always) else chosen

    def leave_out(self, patterns: Iterable[str]) -> None:
        """Mark patterns as matching in no cell."""
        self.is_of_little = True
        self._cells.update(dict.fromkeys(patterns, _NOWHERE))


def _holds_folding(data: bytes) -> bool:
    return any(map(data.__contains__, _FOLDING))


@built_once_for(16)
def _needles(patterns: tuple[str, ...]) -> dict[str, tuple[tuple[bytes, ...], ...]]:
    name = f"needles-{fingerprint(contents(__package__), *patterns)}"
    return get_or_build_anyway(name, lambda: {pattern: needles(pattern) for pattern in patterns})


@built_once_for(16)
def _automata(with_digits: tuple[str, ...], others: tuple[str, ...]) -> tuple[Automaton | None, ...]:
    """For patterns of digits, for others that need a digit somewhere in the cell, and for all others."""
    name = _name(with_digits, others)
    return (
        (None, None, None)
        if name is None
        else get_or_build_anyway(name, partial(_built, with_digits, others))
    )


def _built(with_digits: tuple[str, ...], others: tuple[str, ...]) -> tuple[Automaton | None, ...]:
    from tacenda.transforms.detecting.patterns.prefilter import hyperscan

    of_figures = list(filter(hyperscan.is_of_figures, (*with_digits, *others)))
    parts = (
        (of_figures, _DIGITS_AT_ONCE),
        ([pattern for pattern in with_digits if pattern not in of_figures], _DIGITS_AT_ONCE),
        ([pattern for pattern in others if pattern not in of_figures], len(others)),
    )
    return tuple(hyperscan.Automaton(patterns, at_once) if patterns else None for patterns, at_once in parts)


@built_once_for(16)
def _name(with_digits: tuple[str, ...], others: tuple[str, ...]) -> str | None:
    """The name under which automata are kept; None without an automaton library."""
    try:
        from tacenda.transforms.detecting.patterns.prefilter import hyperscan
    except ImportError:
        return None
    patterns = (str(len(with_digits)), *with_digits, *others)
    return f"automata-{fingerprint(contents(__package__), *hyperscan.made_for(), *patterns)}"
