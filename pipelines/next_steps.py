"""What to do when a run has ended, in sentences that name the commands."""

from tacenda.pipelines.settings import JobSettings
from tacenda.transforms.releasing.verdict import State


def next_steps(state: State, job: JobSettings, problems: bool = False) -> list[str]:
    """What leads on from here; nothing where a corpus is released. OUT is the output folder, wherever it is.

    ``problems``: what holds the run is no score, and no review mends it.
    """
    if job.command != "anonymize" or state is State.RELEASED:
        return []
    review = [
        f"tacenda review sample OUT --seed N --per-context {job.risk.least_conversations} --output FILE "
        "draws conversations for people to read and mark",
        "tacenda release OUT --review FILE releases the corpus by what they marked, or holds it",
    ]
    if state is State.UNREVIEWED:
        return review
    return [
        "let the config find what is left (dictionaries, infoTypes, rules), then run again with --overwrite; "
        "the conversations that score most stand in OUT/risk",
        "the same command with --drop-over N --overwrite reads the input again, leaves out the conversations "
        "that score N or more, lists them, and judges the rest",
        # A self-check may find much that is nothing: people who read a sample know better.
        *([] if problems else review),
        "nothing in OUT/held is released: nobody should train on it",
    ]
