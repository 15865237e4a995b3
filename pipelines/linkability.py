"""``tacenda linkability``: whether style joins conversations of one person, in a corpus as it is released.

Without --person, it is asked whether the halves of one conversation find each other.
"""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import (
    Parser,
    add_figures,
    add_looking,
    add_signing,
    positive,
)


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda linkability", description=__doc__)
    add_looking(parser)
    parser.add_argument(
        "--person",
        metavar="FIELD",
        help="a field that is the same for all conversations of a person, such as a customer's number",
    )
    parser.add_argument(
        "--speaker",
        action="append",
        metavar="NAME",
        help="compare only the turns of this speaker or role, such as user; repeatable; default: all turns",
    )
    parser.add_argument(
        "--people",
        type=positive,
        default=2000,
        metavar="N",
        help="compare a sample of so many people, or conversations without --person (%(default)s)",
    )
    add_figures(parser)
    parser.add_argument(
        "--into",
        metavar="OUT",
        help="enter the figures into manifest and report of this output folder, whose corpus is the input",
    )
    add_signing(parser)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help and usage errors do not wait.
    from tacenda.pipelines.measurement.styles import compare_styles

    return compare_styles(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("linkability")
