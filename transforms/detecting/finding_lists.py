"""Turn accepted candidates into the findings of their cells."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import repeat

from tacenda.transforms.detecting.candidates import Candidates
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood

_finding: Callable[[Iterable[object]], Finding] = partial(tuple.__new__, Finding)
"""``Finding._make`` in C, since there are many findings."""

_LIKELIHOODS = dict(enumerate(Likelihood, Likelihood.VERY_UNLIKELY))


def append_findings(
    found: Sequence[list[Finding]], candidates: Candidates, least: Likelihood, info_type: str, detector: str
) -> list[int]:
    """Append the candidates that are likely enough to their cells' findings; returns these cells in order."""
    return _note(found, candidates.filter(candidates.likelihoods >= least), info_type, detector)


def append_unsure(
    unsure: Sequence[list[Finding]], candidates: Candidates, least: Likelihood, info_type: str, detector: str
) -> list[int]:
    """Append the candidates that :func:`append_findings` leaves out, for the second look."""
    return _note(unsure, candidates.filter(candidates.likelihoods < least), info_type, detector)


def _note(found: Sequence[list[Finding]], candidates: Candidates, info_type: str, detector: str) -> list[int]:
    cells: list[int] = candidates.cells.tolist()
    likelihoods = map(_LIKELIHOODS.__getitem__, candidates.likelihoods.tolist())
    places = candidates.starts.tolist(), candidates.ends.tolist()
    rows = zip(*places, repeat(info_type), likelihoods, repeat(detector))
    for cell, finding in zip(cells, map(_finding, rows), strict=True):
        found[cell].append(finding)
    return cells
