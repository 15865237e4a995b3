"""The criterion: whether the scores allow a release.

Gardiner et al., "Data Anonymization for Privacy-Preserving Large Language Model Fine-Tuning on Call
Transcripts" (CALD-pseudo 2024), section 4.3, equation 2: the mean of the residual risk scores plus one
standard deviation is less than 5. Here every context must meet it, and all contexts together. If the
conversations are considered a sample, the upper bound of that sum's confidence interval can be required to be
less as well.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from tacenda.transforms.releasing.verdict import CriterionName
from tacenda.transforms.scoring.statistics import DEFAULT_THRESHOLD, GroupStatistics, Statistics


class Failure(NamedTuple):
    """A place where the criterion is not met; ``context`` is None for all contexts of a source together."""

    source: str
    context: str | None
    reason: str

    def __str__(self) -> str:
        place = "all contexts" if self.context is None else f"context {self.context or '(none)'}"
        return f"{self.source}, {place}: {self.reason}"


class Decision(NamedTuple):
    """``met`` if and only if there is no failure; ``reasons`` are the failures in words."""

    met: bool
    failures: tuple[Failure, ...]

    @property
    def reasons(self) -> list[str]:
        return [str(failure) for failure in self.failures]


def decide(
    statistics: Statistics,
    threshold: int | float | Fraction = DEFAULT_THRESHOLD,
    sources: Sequence[str] | None = None,
    criterion: CriterionName = "paper",
) -> Decision:
    """Apply the criterion to the statistics, exactly: mean + std equal to the threshold fails.

    ``sources`` are those that decide; each must have scored conversations in every context it has. By default
    they are all sources with scored conversations; without any, the criterion is not met, since nothing is
    known about the corpus.
    """
    if sources is None:
        sources = [source for source, figures in statistics.sources.items() if figures.total.count]
    failures = tuple(_failures(statistics, Fraction(threshold), sources, criterion))
    return Decision(not failures, failures)


def _failures(
    statistics: Statistics, threshold: Fraction, sources: Sequence[str], criterion: CriterionName
) -> Iterable[Failure]:
    if not sources:
        yield Failure("no source", None, "no conversation was scored")
    for source in sources:
        figures = statistics.sources.get(source)
        if figures is None:
            yield Failure(source, None, "no conversation was scored")
            continue
        for context, group in figures.contexts.items():
            yield from _failure(source, context, group, threshold, criterion)
        yield from _failure(source, None, figures.total, threshold, criterion)


def _failure(
    source: str,
    context: str | None,
    group: GroupStatistics,
    threshold: Fraction,
    criterion: CriterionName,
) -> Iterable[Failure]:
    if group.count == 0:
        yield Failure(source, context, "no conversation was scored")
    elif group.mu_plus_sigma is None:
        yield Failure(
            source, context, f"too few scored conversations ({group.count}) for a standard deviation"
        )
    elif not group.passes(threshold):
        figure = f"mean + std is {group.mu_plus_sigma:.4g}, not less than {float(threshold):g}"
        yield Failure(source, context, figure)
    elif criterion == "upper_bound" and not group.upper_bound_passes(threshold):
        assert group.mu_plus_sigma_interval is not None
        figure = (
            f"the upper bound of mean + std is {group.mu_plus_sigma_interval[1]:.4g}, not less than "
            f"{float(threshold):g} ({group.count} conversations)"
        )
        yield Failure(source, context, figure)
