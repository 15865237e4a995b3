"""``tacenda score``: the short form of ``tacenda review score``."""

from tacenda.pipelines.command_line.arguments import Parser
from tacenda.pipelines.command_line.commands import ONLY, command_parser
from tacenda.pipelines.review import USES as _OF_REVIEW

USES = {ONLY: _OF_REVIEW["score"]}


def parser() -> Parser:
    """The parser of the command."""
    return command_parser("score", "", USES)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("score")
