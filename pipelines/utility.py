"""``tacenda utility``: what does anonymisation cost a model that is trained on the corpus?"""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, add_bootstrap, add_figures, positive
from tacenda.transforms.schema.errors import UserError


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda utility", description=__doc__)
    parser.add_argument(
        "--original", nargs="+", required=True, metavar="URL", help="the corpus before anonymisation"
    )
    parser.add_argument(
        "--anonymized",
        action="append",
        required=True,
        metavar="NAME=URL",
        help="the same conversations after it, such as tokens=clean/corpus; repeatable",
    )
    parser.add_argument(
        "--held-out",
        nargs="+",
        required=True,
        metavar="URL",
        help="other conversations, not anonymised, to judge by",
    )
    parser.add_argument(
        "--task",
        metavar="FIELD",
        help="a field with the class of a conversation: can it still be learnt? When anonymising, keep it with "
        "--keep and --opaque",
    )
    parser.add_argument(
        "--records",
        type=positive,
        default=5000,
        metavar="N",
        help="conversations of each to use (%(default)s)",
    )
    parser.add_argument(
        "--network",
        action="store_true",
        help="also train a small network on each, for minutes; needs pip install '.[train]'",
    )
    parser.add_argument("--seeds", type=positive, default=3, help="networks for each version (%(default)s)")
    add_bootstrap(parser)
    add_figures(parser)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments, extra = parser().parse_known_args(argv)
    for named in arguments.anonymized:
        name, equals, url = named.partition("=")
        if not (name and equals and url) or "/" in name:
            raise UserError("--anonymized: write NAME=URL, as in tokens=clean/corpus")
    # Imported after parsing, so that --help does not wait.
    from tacenda.pipelines.measurement.utility import utility

    return utility(arguments, extra)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("utility")
