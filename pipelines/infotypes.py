"""``tacenda infotypes``: list the built-in infoTypes with their scores, or export a template for the cloud."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, add_risk
from tacenda.pipelines.command_line.terminal import TERMINAL


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda infotypes", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="show the details of these infoTypes")
    parser.add_argument("--config", metavar="FILE", help="YAML or JSON; its risk section changes the scores")
    add_risk(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--json", action="store_true", help="print a JSON array instead of a table")
    what.add_argument(
        "--export-inspect-template",
        nargs="?",
        const=TERMINAL,
        metavar="FILE",
        help="write the config as an InspectTemplate of Cloud DLP; default: to the terminal",
    )
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help does not wait for the infoTypes.
    from tacenda.pipelines.reference.info_types import list_info_types

    return list_info_types(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("infotypes")
