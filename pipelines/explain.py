"""``tacenda explain``: explain each span, each number and each point of the score of one conversation."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, add_detecting, add_json, add_looking, add_risk
from tacenda.transforms.schema.errors import UserError


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda explain", description=__doc__)
    parser.add_argument("id", nargs="?", metavar="ID", help="id of the conversation, as in the input")
    add_looking(parser)
    add_detecting(parser)
    add_risk(parser)
    add_json(parser, "the same")
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    if arguments.id is None:
        # --input takes several files, so the parser has included the ID after them.
        *arguments.input, arguments.id = arguments.input
    if not arguments.input:
        raise UserError("name the ID of a conversation and its files, as in tacenda explain ID --input FILE")
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    from tacenda.pipelines.interactive.explanation import explain

    return explain(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("explain")
