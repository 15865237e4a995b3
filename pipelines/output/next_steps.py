"""What to do after a run, as sentences that name the commands."""

from tacenda.pipelines.config.job_settings import Command
from tacenda.transforms.releasing.verdict import State


def next_steps(state: State, command: Command, least: int, problems: bool = False) -> list[str]:
    """The next steps; none for a released corpus. OUT stands for the output folder.

    Args:
        state: of the corpus.
        command: that was run.
        least: the number of conversations of a context that a review must have.
        problems: whether it is held for reasons other than its scores, which no review can resolve.
    """
    if command != "anonymize" or state is State.RELEASED:
        return []
    review = [
        f"tacenda review sample OUT --seed N --per-context {least} --output FILE "
        "draws conversations for people to read and mark",
        "tacenda release OUT --review FILE releases or holds the corpus by their marks",
    ]
    if state is State.UNREVIEWED:
        return review
    return [
        "extend the config to find the remaining data (dictionaries, infoTypes, rules), then run again with "
        "--overwrite; the scores of all conversations are in OUT/risk",
        "the same command with --drop-over N --overwrite reads the input again, leaves out the conversations "
        "that score N or more, lists them, and judges the rest",
        # A self-check may have many false positives: people who read a sample know better.
        *([] if problems else review),
        "nothing in OUT/held is released; do not train on it",
    ]
