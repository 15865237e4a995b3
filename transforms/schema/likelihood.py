"""Likelihood: the five steps of Google Sensitive Data Protection, with its numbers."""

from enum import IntEnum


class Likelihood(IntEnum):
    """How sure a detector is of a finding; comparable, and named as the DLP API names it."""

    VERY_UNLIKELY = 1
    UNLIKELY = 2
    POSSIBLE = 3
    LIKELY = 4
    VERY_LIKELY = 5

    def shifted(self, steps: int) -> "Likelihood":
        """Move by whole steps, clamped at both ends as DLP clamps a relative adjustment."""
        return Likelihood(min(max(self.value + steps, 1), 5))
