"""``tacenda erase``: take conversations out of an anonymised corpus, with everything that is kept of them."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, add_signing


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda erase", description=__doc__, allow_abbrev=False)
    parser.add_argument("folder", metavar="OUT", help="the output folder of 'tacenda anonymize'")
    parser.add_argument(
        "--conversations",
        required=True,
        metavar="FILE",
        help="a file with one id per line, or - for stdin; never on the command line, which others can see",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="the config of the run, if it hashes ids with a key: the given ids are then those of the input",
    )
    parser.add_argument(
        "--digest-key",
        metavar="KEY",
        help="note in the manifest a digest of each erased id by this secret: env:NAME, file:PATH or a URL",
    )
    parser.add_argument("--json", action="store_true", help="print the same as one JSON object on stdout")
    add_signing(parser)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code: 3 if the corpus is held."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help does not wait for the report renderer.
    from tacenda.pipelines.output.erasing_in_words import erase_and_tell

    return erase_and_tell(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("erase")
