"""``tacenda preview``: show conversations before and after, side by side; for people with access to both."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, add_detecting, add_looking, add_risk, positive


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda preview", description=__doc__)
    add_looking(parser)
    parser.add_argument(
        "-n",
        "--conversations",
        type=positive,
        default=20,
        metavar="N",
        help="number of conversations, from the start (%(default)s)",
    )
    parser.add_argument(
        "--html", metavar="FILE", help="write one HTML page instead, readable only by its owner"
    )
    add_detecting(parser)
    add_risk(parser)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    from tacenda.pipelines.interactive.before_and_after import preview

    return preview(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("preview")
