"""The verdict of a run: released, criterion met without a review, or held; and its grounds.

It is never stronger than its evidence. Scores that meet the criterion release a corpus only with evidence: a
review of a sample drawn from it, complete gold, a config that explicitly accepts the self-check, or a person
who gives a reason.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, NamedTuple

CriterionName = Literal["paper", "upper_bound"]
"""``paper``: mean + std < threshold (Gardiner et al. 2024, equation 2). ``upper_bound``: also the upper end of
its 95 % interval."""

ReleaseOn = Literal["review", "self_check"]
Evidence = Literal["human", "gold", "self_check", "by_hand"]
"""The evidence of a release; ``by_hand`` is a reason given by a person."""

IN_WORDS: Mapping[CriterionName, str] = {
    "paper": "mean + std < {} everywhere (the paper's criterion)",
    "upper_bound": "upper bound of mean + std < {} everywhere (95 % interval)",
}


class State(str, Enum):
    """The outcome of a run; an inspection judges nothing, so it is held or ``INSPECTED``."""

    RELEASED = "released"
    UNREVIEWED = "unreviewed"
    HELD = "held"
    INSPECTED = "inspected"


class Ground(NamedTuple):
    """A ground of the verdict, as a sentence; ``weakens``: the release would not be as likely without it."""

    what: str
    weakens: bool = False


@dataclass(frozen=True, slots=True)
class Gate:
    """The requirements for a release.

    At least ``least_conversations`` of every context must be scored: with as few as 18, none with a score of
    5 or more, chance alone could hide that 16 % have one, which is the share that the paper's criterion lets
    pass (its footnote 10). If more than ``largest_quarantined_share`` of the rows are in quarantine, there is
    no release; if more than half are, the run is held. ``because`` is the reason for settings that weaken the
    gate; ``release_anyway`` is the reason for a release against the criterion.
    """

    threshold: float = 5
    criterion: CriterionName = "paper"
    release_on: ReleaseOn = "review"
    least_conversations: int = 20
    largest_quarantined_share: float = 0.05
    because: str | None = None
    release_anyway: str | None = None


DEFAULT_GATE = Gate()


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its grounds, each as a sentence.

    ``held_by`` has the reasons why it is held; ``lacks`` is what it needs for a release. ``evidence`` is that
    of the release, None without any. ``problems`` are the reasons in ``held_by`` that no review can mend.
    """

    state: State
    gate: Gate
    evidence: Evidence | None
    held_by: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    rests_on: tuple[Ground, ...] = ()
    next_steps: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def criterion_in_words(self) -> str:
        """The requirements on the scores, in words."""
        return IN_WORDS[self.gate.criterion].format(f"{self.gate.threshold:g}")

    def to_json(self) -> dict[str, Any]:
        """The marker's content, also part of the manifest."""
        told: dict[str, Any] = {
            "state": self.state.value,
            "released": self.state is State.RELEASED,
            "criterion": self.gate.criterion,
            "threshold": self.gate.threshold,
            "evidence": self.evidence,
            "held_by": list(self.held_by),
            "problems": list(self.problems),
            "lacks": list(self.lacks),
            "rests_on": [ground._asdict() for ground in self.rests_on],
            "next": list(self.next_steps),
        }
        if self.gate.because is not None:
            told["because"] = self.gate.because
        if self.evidence == "by_hand":
            told["released_anyway"] = self.gate.release_anyway
        return told
