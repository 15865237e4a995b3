"""``tacenda train-filter``: train the filter of turns that can skip a package's network; needs no gold."""

from collections.abc import Sequence
from pathlib import Path

from tacenda.pipelines.command_line.arguments import Parser, positive


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda train-filter", description=__doc__)
    parser.add_argument(
        "--model",
        type=Path,
        metavar="FOLDER",
        help="folder of the package to add it to; default: the embedded one",
    )
    parser.add_argument(
        "--text",
        nargs="+",
        required=True,
        type=Path,
        metavar="FILE",
        help="conversations as for 'tacenda train --gold', whose spans are ignored; the first word of a file's "
        "name is its maker",
    )
    parser.add_argument(
        "--characters",
        type=positive,
        default=600_000,
        metavar="N",
        help="approximate number of characters to read from each file (%(default)s)",
    )
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help does not wait for the models.
    from tacenda.pipelines.training.filter_training import train_filter

    return train_filter(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("train-filter")
