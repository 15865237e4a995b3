"""``tacenda inspect``: write findings only; the text is neither changed nor written."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, add_detecting, add_reading, add_running


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda inspect", description=__doc__)
    add_reading(parser)
    add_running(parser)
    add_detecting(parser)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments, extra = parser().parse_known_args(argv)
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    from tacenda.pipelines.startup.launch import launch

    return launch("inspect", arguments, extra)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("inspect")
