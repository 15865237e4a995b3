"""``tacenda anonymize``: conversations in, anonymised corpus and its risk out."""

from tacenda.pipelines.command_line.arguments import DETECTING, READING, RELEASING, RUNNING, WRITING, Parser
from tacenda.pipelines.command_line.commands import ONLY, Use, command_parser

_BRIEF = (
    "input", "output", "config", "shape", "field", "keep", "keep_ids", "workers", "limit", "overwrite",
    "dry_run", "json", "quiet", "detector", "model",
)  # fmt: skip
"""What most runs need; a config has the rest."""

ANONYMIZE = Use(
    "Conversations in, anonymised corpus and residual-risk statistics out.",
    "pipelines.startup.launch:launch",
    f"{READING} {RUNNING} {DETECTING} {RELEASING} {WRITING}",
    passes=True,
    brief=_BRIEF,
    defaults={"job": "anonymize"},
)
USES = {ONLY: ANONYMIZE}


def parser() -> Parser:
    """The parser of the command."""
    return command_parser("anonymize", "", USES)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("anonymize")
