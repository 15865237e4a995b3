"""What to do after a run, as sentences that name the commands."""

from collections.abc import Sequence

from tacenda.pipelines.config.job_settings import Command
from tacenda.transforms.releasing.verdict import Judgement, State


def is_held_by_scores(held_by: Sequence[str], problems: Sequence[str]) -> bool:
    """Whether a corpus is held for its scores, besides or instead of problems that no review can resolve."""
    return not set(held_by) <= set(problems)


def next_steps(judgement: Judgement, command: Command, least: int) -> list[str]:
    """The next steps; none for a released corpus. OUT stands for the output folder.

    Args:
        judgement: of the corpus.
        command: that was run.
        least: the number of conversations of a context that a review must have.
    """
    if command != "anonymize" or judgement.state is State.RELEASED:
        return []
    review = [
        f"tacenda review sample OUT --seed N --per-context {least} --output FILE "
        "draws conversations for people to read and mark",
        "tacenda release OUT --review FILE releases or holds the corpus by their marks",
    ]
    if judgement.state is State.UNREVIEWED:
        return review
    nothing = "nothing in OUT/held is released; do not train on it"
    if not is_held_by_scores(judgement.held_by, judgement.problems):
        return ["correct what the corpus is held by, then run again with --overwrite", nothing]
    return [
        "extend the config to find the remaining data (dictionaries, infoTypes, rules), then run again with "
        "--overwrite; the scores of all conversations are in OUT/risk",
        "the same command with --drop-over N --overwrite reads the input again, leaves out the conversations "
        "that score N or more, lists them, and judges the rest",
        # A self-check may have many false positives: people who read a sample know better.
        *([] if judgement.problems else review),
        nothing,
    ]
