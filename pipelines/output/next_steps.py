"""What to do after a run, as sentences that name the commands."""

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.transforms.releasing.verdict import State


def next_steps(state: State, job: JobSettings, problems: bool = False) -> list[str]:
    """The next steps; none for a released corpus. OUT stands for the output folder.

    ``problems``: the run is held for reasons other than its scores, which no review can resolve.
    """
    if job.command != "anonymize" or state is State.RELEASED:
        return []
    review = [
        f"tacenda review sample OUT --seed N --per-context {job.risk.least_conversations} --output FILE "
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
