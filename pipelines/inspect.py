"""``tacenda inspect``: findings only, text untouched."""

from tacenda.pipelines.anonymize import ANONYMIZE, fill_inspect
from tacenda.pipelines.command_line.arguments import Parser
from tacenda.pipelines.command_line.commands import ONLY, command_parser

USES = {ONLY: ANONYMIZE._replace(what="Findings only, text untouched.", fill=fill_inspect)}


def parser() -> Parser:
    """The parser of the command."""
    return command_parser("inspect", "", USES)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("inspect")
