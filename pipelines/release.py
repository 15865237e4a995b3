"""``tacenda release``: judge an anonymised corpus by reviewers' marks or gold; release or hold it."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, add_folder, add_signing


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda release", description=__doc__)
    add_folder(parser)
    by = parser.add_mutually_exclusive_group(required=True)
    by.add_argument(
        "--review",
        nargs="+",
        metavar="FILE",
        help="the sample of 'tacenda review sample' with the reviewers' marks",
    )
    by.add_argument(
        "--gold",
        nargs="+",
        metavar="FILE",
        help="that sample, or all conversations of OUT, with all remaining personal data as turns[].spans",
    )
    parser.add_argument(
        "--spans",
        nargs="+",
        default=[],
        metavar="URL",
        help="spans files with further marks of reviewers",
    )
    parser.add_argument(
        "--because", metavar="REASON", help="why settings that weaken the gate are justified (risk.because)"
    )
    add_signing(parser)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help does not wait for the report renderer.
    from tacenda.pipelines.reviews.releasing import release

    return release(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("release")
