"""The verdict of a run: released, met but read by nobody, or held; and what it rests on.

It is never stronger than its evidence. Scores that meet the criterion release a corpus only where somebody
stands behind them: a review that was drawn from it, complete gold, a config that says in words that the
self-check is enough, or a person who gives a reason.
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
"""What a release rests on; ``by_hand`` is the reason that a person gave."""

IN_WORDS: Mapping[CriterionName, str] = {
    "paper": "mean + std < {} everywhere (the paper's criterion)",
    "upper_bound": "upper bound of mean + std < {} everywhere (95 % interval)",
}


class State(str, Enum):
    """How a run ended."""

    RELEASED = "released"
    UNREVIEWED = "unreviewed"
    HELD = "held"


class Ground(NamedTuple):
    """Something that a verdict rests on, in a sentence; ``weakens``: without it, less would be released."""

    what: str
    weakens: bool = False


@dataclass(frozen=True, slots=True)
class Gate:
    """What a corpus has to meet.

    ``least_conversations`` of every context have to be scored for a release: of as few as 18 without a score of
    5 or more, chance alone would hide that 16 % have one, which is what the paper's criterion lets pass (its
    footnote 10). More than ``largest_quarantined_share`` of the rows in quarantine are too many for a
    release, and more than half for any verdict but held. ``because`` is why settings that weaken the gate are
    right here; ``release_anyway`` why the corpus is released against the criterion.
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
    """A verdict with its grounds, each in a sentence.

    ``held_by`` says why it is held; ``lacks`` what it needs before it is released. ``evidence`` is what the
    release rests on, None where there is none. ``problems`` are those of ``held_by`` that no review mends.
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
        """What the scores have to meet."""
        return IN_WORDS[self.gate.criterion].format(f"{self.gate.threshold:g}")

    def to_json(self) -> dict[str, Any]:
        """The marker's content, and what the manifest says."""
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
