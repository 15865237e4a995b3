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
    parser.add_argument(
        "--add",
        action="store_true",
        help="read only the files that the corpus in OUT does not have, and add them; begin it if OUT is empty",
    )
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments, extra = parser().parse_known_args(argv)
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    if arguments.add:
        from tacenda.pipelines.startup.adding import launch_addition

        return launch_addition(arguments, extra)
    from tacenda.pipelines.startup.launch import launch

    return launch("anonymize", arguments, extra)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("anonymize")
