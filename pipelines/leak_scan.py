"""``tacenda leak-scan``: personal data in the outputs of a model that was trained on a corpus."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import (
    Parser,
    add_json,
    add_local_detectors,
    add_looking,
    add_measuring,
    share,
)


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda leak-scan", description=__doc__)
    add_looking(parser)
    add_local_detectors(parser)
    parser.add_argument(
        "--task",
        metavar="FIELD",
        help="a field that names the task of each output; figures are by task as well",
    )
    parser.add_argument(
        "--generated",
        action="append",
        metavar="SPEAKER",
        help="search only the turns of this speaker or role, such as assistant; repeatable; default: all turns",
    )
    parser.add_argument(
        "--at-most",
        type=share,
        metavar="SHARE",
        help="end with 3 if the share of outputs with findings may be above this, with 95 %% confidence",
    )
    parser.add_argument(
        "--output", metavar="FILE", help="write every figure there, and the ids of outputs with findings"
    )
    add_json(parser)
    add_measuring(parser)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    from tacenda.pipelines.measurement.leaks import scan

    return scan(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("leak-scan")
