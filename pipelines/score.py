"""``tacenda score``: compute the residual risk of reviewed conversations or of a gold corpus."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, add_reading, add_releasing, add_running


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda score", description=__doc__)
    add_reading(parser)
    add_running(parser)
    parser.add_argument("--spans", nargs="+", metavar="URL", help="spans files with the marks of reviewers")
    parser.add_argument(
        "--reviewed",
        action="store_true",
        help="every conversation of the input was reviewed: without marks it scores 0, unless its "
        "'reviewed_by' is empty",
    )
    parser.add_argument(
        "--reviewer",
        metavar="NAME",
        help="reader of conversations that name none (reviewed_by), for manifest and report",
    )
    add_releasing(parser)
    # The text is not searched, and manifest and report must not claim that it was.
    parser.set_defaults(detector=())
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments, extra = parser().parse_known_args(argv)
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    from tacenda.pipelines.startup.launch import launch

    return launch("score", arguments, extra)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("score")
