"""Candidates that stand become findings of their cells: the one place where columns end and objects begin."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import repeat

from transforms.detecting.candidate import Candidates
from transforms.schema.finding import Finding
from transforms.schema.likelihood import Likelihood

_finding: Callable[[Iterable[object]], Finding] = partial(tuple.__new__, Finding)
"""``Finding._make`` without a step of Python: there are many."""

_LIKELIHOODS = dict(enumerate(Likelihood, Likelihood.VERY_UNLIKELY))


def note(
    found: Sequence[list[Finding]], candidates: Candidates, least: Likelihood, info_type: str, detector: str
) -> list[int]:
    """Add the candidates that are likely enough to the findings of each cell; returns their cells, in order."""
    sure = candidates.those(candidates.likelihoods >= least)
    cells: list[int] = sure.cells.tolist()
    likelihoods = map(_LIKELIHOODS.__getitem__, sure.likelihoods.tolist())
    rows = zip(sure.starts.tolist(), sure.ends.tolist(), repeat(info_type), likelihoods, repeat(detector))
    for cell, finding in zip(cells, map(_finding, rows), strict=True):
        found[cell].append(finding)
    return cells
