"""``tacenda evaluate``: recall, precision, F-beta and leak rates on gold conversations, with intervals."""

from tacenda.pipelines.command_line.arguments import Parser
from tacenda.pipelines.command_line.commands import ONLY, Use, command_parser

USES = {
    ONLY: Use(
        "Recall, precision, F-beta and leak rates on gold conversations, with intervals.",
        "pipelines.measurement.evaluation:evaluate",
        "gold.input config compare-config local.detector model beta slice per-label count gold-complete "
        "bootstrap seed evaluate.json errors workers unit-bytes",
    )
}


def parser() -> Parser:
    """The parser of the command."""
    return command_parser("evaluate", "", USES)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("evaluate")
