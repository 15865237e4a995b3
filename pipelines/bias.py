"""``tacenda bias``: does a model treat people differently by their names?

variants   write each gold conversation with one name in it again, with names of other groups
detector   try our own detectors on such variants, without writing them
report     recall by group and gender from the predictions of your model on the variants
"""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import (
    Parser,
    add_bootstrap,
    add_local_detectors,
    add_measuring,
    parser_of_uses,
    require,
)
from tacenda.pipelines.command_line.terminal import TERMINAL

NEEDS = {"variants": ("input", "output"), "detector": ("input",), "report": ("predictions",)}
"""The options that each of the three needs."""


def parser() -> Parser:
    """Arguments of the command."""
    parser = parser_of_uses("tacenda bias", __doc__, NEEDS)
    parser.add_argument(
        "--input", nargs="+", metavar="GOLD", help="variants, detector: conversations with turns[].spans"
    )
    parser.add_argument("--output", metavar="URL", help="variants: an empty or new folder; restrict access")
    parser.add_argument(
        "--keep",
        action="append",
        default=[],
        metavar="FIELD",
        help="variants: a field to write unchanged, such as the class to predict; repeatable",
    )
    parser.add_argument(
        "--predictions",
        nargs="+",
        metavar="FILE",
        help="report: JSON lines, CSV or Parquet with variant_of, group, gender, gold and prediction",
    )
    parser.add_argument(
        "--names",
        metavar="FILE",
        help="lists of names by group, or 'origins' for nineteen built-in ones; default: four built-in groups",
    )
    parser.add_argument("--config", metavar="FILE", help="detector: YAML or JSON; without it, the defaults")
    add_local_detectors(parser)
    parser.add_argument(
        "--gold-complete",
        action="store_true",
        help="the gold of a record without the field 'gold' is complete",
    )
    add_bootstrap(parser)
    parser.add_argument(
        "--json", nargs="?", const=TERMINAL, metavar="FILE", help="write all figures there, or to stdout"
    )
    add_measuring(parser)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments, extra = parser().parse_known_args(argv)
    require(arguments, NEEDS, "bias")
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    from tacenda.pipelines.measurement.bias_report import judge

    return judge(arguments, extra)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("bias")
