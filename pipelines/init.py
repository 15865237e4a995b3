"""``tacenda init``: write a commented config to start from."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser

DEFAULT = "tacenda.yaml"


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda init", description=__doc__)
    parser.add_argument(
        "file",
        nargs="?",
        default=DEFAULT,
        metavar="FILE",
        help="file to write (%(default)s); - for the terminal",
    )
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help does not wait.
    from tacenda.pipelines.reference.starter import write_starter

    return write_starter(arguments.file)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("init")
