"""``tacenda verify``: check that files, counts, statistics, verdict and report of an output folder agree."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, add_json


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda verify", description=__doc__)
    parser.add_argument("output", metavar="OUT", help="the output folder of a run, on any storage")
    parser.add_argument(
        "--public-key",
        metavar="KEY",
        help="the key that must have signed it: env:NAME or file:PATH of an Ed25519 public key as PEM",
    )
    add_json(parser, "the same")
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code: 0 if everything is consistent, otherwise 3."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help does not wait for the report renderer.
    from tacenda.pipelines.output.verification_in_words import show_verification

    return show_verification(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("verify")
