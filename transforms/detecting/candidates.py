"""Candidates: positions matched by patterns; and how those that rules accept become findings."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat

import numpy as np
import numpy.typing as npt

from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import TOKEN, may_have_tokens

Places = npt.NDArray[np.int64]
"""A column with one number per candidate; several columns of equal length describe the positions."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Positions as columns: candidate ``i`` is ``starts[i]:ends[i]`` (code points) of cell ``cells[i]``."""

    cells: Places
    starts: Places
    ends: Places
    likelihoods: Places

    def __len__(self) -> int:
        return len(self.cells)

    def filter(self, chosen: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> "Candidates":
        """Select candidates by a mask or by indexes."""
        return Candidates(
            self.cells[chosen], self.starts[chosen], self.ends[chosen], self.likelihoods[chosen]
        )

    def surest(self) -> "Candidates":
        """Each position once, with its highest likelihood, sorted by position."""
        if len(self) < 2:
            return self
        order = np.lexsort((-self.likelihoods, self.ends, self.starts, self.cells))
        ordered = self.filter(order)
        steps = np.diff([ordered.cells, ordered.starts, ordered.ends])
        return ordered.filter(np.append(True, steps.any(axis=0)))


NOWHERE = np.zeros(0, dtype=np.int64)
"""No place."""

NONE = Candidates(NOWHERE, NOWHERE, NOWHERE, NOWHERE)
"""No candidates: the result of most patterns in most batches."""


def candidates(rows: Sequence[tuple[int, int, int, int]]) -> Candidates:
    """Candidates from rows of cell, start, end, likelihood."""
    return Candidates(*np.asarray(rows, dtype=np.int64).reshape(-1, 4).T)


def united(several: Sequence[Candidates]) -> Candidates:
    """Concatenate the candidates of several searches."""
    several = [some for some in several if len(some)]
    if len(several) < 2:
        return several[0] if several else NONE
    columns = zip(*((c.cells, c.starts, c.ends, c.likelihoods) for c in several), strict=True)
    return Candidates(*map(np.concatenate, columns))


_finding: Callable[[Iterable[object]], Finding] = partial(tuple.__new__, Finding)
"""``Finding._make`` in C, since there are many findings."""

_LIKELIHOODS = dict(enumerate(Likelihood, Likelihood.VERY_UNLIKELY))


def append_findings(
    found: Sequence[list[Finding]],
    candidates: Candidates,
    least: Likelihood,
    info_type: str,
    detector: str,
    unsure: Sequence[list[Finding]] | None = None,
) -> None:
    """Append the candidates that are likely enough to their cells' findings, the others to ``unsure``."""
    sure = candidates.likelihoods >= least
    _append(found, candidates.filter(sure), info_type, detector)
    if unsure is not None:
        _append(unsure, candidates.filter(~sure), info_type, detector)


def _append(found: Sequence[list[Finding]], candidates: Candidates, info_type: str, detector: str) -> None:
    likelihoods = map(_LIKELIHOODS.__getitem__, candidates.likelihoods.tolist())
    places = candidates.starts.tolist(), candidates.ends.tolist()
    rows = zip(*places, repeat(info_type), likelihoods, repeat(detector))
    for cell, finding in zip(candidates.cells.tolist(), map(_finding, rows), strict=True):
        found[cell].append(finding)


def outside_tokens(text: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """Cut tokens such as ``[PERSON_NAME_1]`` out of findings; rests without a letter or digit are dropped."""
    spans = [match.span() for match in TOKEN.finditer(text)] if may_have_tokens(text) else []
    ends = [end for _, end in spans]
    for finding in findings:
        start = finding.start
        for i in range(bisect_right(ends, start), len(spans)):
            first, last = spans[i]
            if first >= finding.end:
                break
            if _speaks(text[start:first]):
                yield finding._replace(start=start, end=first)
            start = last
        if start == finding.start or _speaks(text[start : finding.end]):
            yield finding._replace(start=start)


def _speaks(piece: str) -> bool:
    return any(map(str.isalnum, piece))
