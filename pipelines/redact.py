"""``tacenda redact``: anonymise a text from stdin and write it to stdout."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, add_detecting, add_risk


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda redact", description=__doc__)
    parser.add_argument("--config", metavar="FILE", help="YAML or JSON; without it, the defaults")
    add_detecting(parser)
    add_risk(parser)
    parser.add_argument(
        "--json", action="store_true", help="print text, findings, entities and risk as one JSON object"
    )
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    from tacenda.pipelines.interactive.redaction import redact

    return redact(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("redact")
