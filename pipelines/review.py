"""``tacenda review``: samples for people to read and mark, what they return, and the verdict by their marks."""

from tacenda.pipelines.command_line.arguments import READING, RELEASING, RUNNING
from tacenda.pipelines.command_line.commands import Use

_BRIEF = (
    "input", "output", "config", "shape", "field", "spans", "reviewed", "reviewer", "workers", "limit",
    "overwrite", "dry_run", "json", "quiet",
)  # fmt: skip

USES = {
    "sample": Use(
        "Draw conversations to read and mark.",
        "pipelines.reviews.sampling:sample",
        "folder read last catch-trials over predictions sample.output",
    ),
    "import": Use(
        "Take readers' marks back, compare readers, and write one review for score and release.",
        "pipelines.reviews.importing:import_reviews",
        "folder files adjudicated reader import.output disputed json",
    ),
    "redteam": Use(
        "Draw conversations for a red team to identify people in, or take its sheet back.",
        "pipelines.reviews.red_team:red_team",
        "folder redteam.seed redteam.conversations redteam.output sheet json signing-key",
    ),
    "release": Use(
        "Judge an anonymised corpus by reviewers' marks or gold; release or hold it.",
        "pipelines.output.review_binding:release",
        "folder review release.gold release.spans because signing-key",
    ),
    "score": Use(
        "Compute the residual risk of reviewed conversations or of a gold corpus.",
        "pipelines.startup.launch:launch",
        f"{READING} {RUNNING} spans reviewed reviewer {RELEASING}",
        passes=True,
        brief=_BRIEF,
        # The text is not searched, and manifest and report must not claim that it was.
        defaults={"job": "score", "detector": ()},
    ),
}


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("review")
