"""``tacenda uniqueness``: who would be unique in a population by what is left in a corpus."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import (
    Parser,
    add_figures,
    add_local_detectors,
    add_looking,
    positive,
)


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda uniqueness", description=__doc__)
    add_looking(parser)
    add_local_detectors(parser)
    parser.add_argument(
        "--population",
        required=True,
        metavar="FILE",
        help="a table with info_type, value, share: of the people whose conversations they may be",
    )
    parser.add_argument(
        "--people", required=True, type=positive, metavar="N", help="how many people the population has"
    )
    add_figures(parser)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    from tacenda.pipelines.measurement.population import measure

    return measure(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("uniqueness")
