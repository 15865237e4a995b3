"""``tacenda anonymize``: conversations in, anonymised corpus and its risk out."""

from tacenda.pipelines.command_line.arguments import (
    Parser,
    add_detecting,
    add_reading,
    add_releasing,
    add_running,
    add_writing,
)
from tacenda.pipelines.command_line.commands import ONLY, Use, command_parser

_BRIEF = (
    "input", "output", "config", "shape", "field", "keep", "workers", "limit", "overwrite", "dry_run", "json",
    "quiet", "detector", "model",
)  # fmt: skip
"""What most runs need; a config has the rest."""


def _anonymize(parser: Parser) -> None:
    add_reading(parser)
    add_running(parser)
    add_detecting(parser)
    add_releasing(parser)
    add_writing(parser)
    parser.set_defaults(job="anonymize")


def fill_inspect(parser: Parser) -> None:
    """Add the arguments of ``tacenda inspect``."""
    add_reading(parser)
    add_running(parser)
    add_detecting(parser)
    parser.set_defaults(job="inspect")


ANONYMIZE = Use(
    "Conversations in, anonymised corpus and residual-risk statistics out.",
    "pipelines.startup.launch:launch",
    _anonymize,
    passes=True,
    brief=_BRIEF,
)
ADD = ANONYMIZE._replace(
    what="Read the files that a corpus does not have yet, and add them; begin it if OUT is empty.",
    run="pipelines.startup.adding:launch_addition",
)
USES = {ONLY: ANONYMIZE}


def parser() -> Parser:
    """The parser of the command."""
    return command_parser("anonymize", "", USES)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("anonymize")
