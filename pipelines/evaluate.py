"""``tacenda evaluate``: recall, precision, F-beta and leak rates on gold conversations, with intervals."""

import math
from argparse import ArgumentTypeError

from tacenda.pipelines.command_line.arguments import (
    Parser,
    add_bootstrap,
    add_local_detectors,
    add_measuring,
)
from tacenda.pipelines.command_line.commands import ONLY, Use, command_parser
from tacenda.pipelines.command_line.terminal import TERMINAL
from tacenda.transforms.evaluating.slices import SLICES


def _evaluate(parser: Parser) -> None:
    parser.add_argument(
        "--input", nargs="+", required=True, metavar="GOLD", help="conversations with turns[].spans"
    )
    parser.add_argument("--config", metavar="FILE", help="YAML or JSON; without it, the defaults")
    parser.add_argument("--compare-config", metavar="FILE", help="another config over the same gold")
    add_local_detectors(parser)
    parser.add_argument(
        "--beta",
        type=_beta,
        action="append",
        metavar="B",
        help="weight of recall relative to precision in F-beta; repeatable (1 and 2)",
    )
    parser.add_argument(
        "--slice",
        action="append",
        default=[],
        choices=SLICES,
        metavar="FIELD",
        help=f"figures by {', '.join(SLICES)}; repeatable",
    )
    parser.add_argument(
        "--per-label", action="store_true", help="tables by label for each file, and by infoType found"
    )
    parser.add_argument(
        "--count",
        nargs="+",
        default=[],
        metavar="LABEL",
        help="labels to count that otherwise do not, as TITLE; their infoTypes must be asked for",
    )
    parser.add_argument(
        "--gold-complete",
        action="store_true",
        help="treat the gold of records without the field 'gold' as complete, to measure precision on it",
    )
    add_bootstrap(parser)
    parser.add_argument(
        "--json",
        nargs="?",
        const=TERMINAL,
        metavar="FILE",
        help="write all figures to FILE; without FILE, to stdout instead of the tables",
    )
    parser.add_argument(
        "--errors",
        metavar="FILE",
        help="write the position of every error there, as JSON lines without text; restrict access",
    )
    add_measuring(parser)


def _beta(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < math.inf:
        raise ArgumentTypeError(f"'{text}' is not a number above 0")
    return value


USES = {
    ONLY: Use(
        "Recall, precision, F-beta and leak rates on gold conversations, with intervals.",
        "pipelines.measurement.evaluation:evaluate",
        _evaluate,
    )
}


def parser() -> Parser:
    """The parser of the command."""
    return command_parser("evaluate", "", USES)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("evaluate")
