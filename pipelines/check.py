"""``tacenda check``: validate a config and show what it looks for and what it does not."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, add_detecting, add_json, add_risk


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda check", description=__doc__)
    parser.add_argument("config", metavar="CONFIG", help="YAML or JSON, as for --config")
    add_detecting(parser)
    add_risk(parser)
    add_json(parser, "the same")
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    from tacenda.pipelines.reference.config_in_words import check

    return check(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("check")
