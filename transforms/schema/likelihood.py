"""Likelihood: the five steps of Google Sensitive Data Protection, with its numbers."""

from enum import IntEnum


class Likelihood(IntEnum):
    """A detector's confidence in a finding; comparable, with the names of the DLP API."""

    VERY_UNLIKELY = 1
    UNLIKELY = 2
    POSSIBLE = 3
    LIKELY = 4
    VERY_LIKELY = 5

    def shifted(self, steps: int) -> "Likelihood":
        """Move by a number of steps, limited to the scale like DLP's relative adjustments."""
        return Likelihood(min(max(self.value + steps, 1), 5))
