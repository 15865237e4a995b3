"""``tacenda preview``: conversations before and after, side by side; for restricted eyes."""

from collections.abc import Sequence

from tacenda.pipelines.arguments import Parser, add_detecting, add_looking, add_risk, positive


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda preview", description=__doc__, allow_abbrev=False)
    add_looking(parser)
    parser.add_argument(
        "-n",
        "--conversations",
        type=positive,
        default=20,
        metavar="N",
        help="how many, from the first (%(default)s)",
    )
    parser.add_argument(
        "--html", metavar="FILE", help="write one HTML page there instead, which its owner alone may read"
    )
    add_detecting(parser)
    add_risk(parser)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Behind the arguments: who asks for help, or made a mistake in them, need not wait for all detectors.
    from tacenda.pipelines.previewing import preview

    return preview(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("preview")
