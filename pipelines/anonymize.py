"""``tacenda anonymize``: conversations in, anonymised corpus and residual-risk statistics out."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import (
    Parser,
    add_detecting,
    add_reading,
    add_releasing,
    add_running,
    add_writing,
)


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda anonymize", description=__doc__)
    add_reading(parser)
    add_running(parser)
    add_detecting(parser)
    add_releasing(parser)
    add_writing(parser)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments, extra = parser().parse_known_args(argv)
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    from tacenda.pipelines.startup.launch import launch

    return launch("anonymize", arguments, extra)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("anonymize")
