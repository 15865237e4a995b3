"""``tacenda preview``: what a run would do, on a few conversations; for people with access to the originals."""

from tacenda.pipelines.command_line.arguments import (
    Parser,
    add_detecting,
    add_json,
    add_looking,
    add_risk,
    positive,
)
from tacenda.pipelines.command_line.commands import ONLY, Use


def _preview(parser: Parser) -> None:
    add_looking(parser, required=False)
    parser.add_argument(
        "-n",
        "--conversations",
        type=positive,
        default=20,
        metavar="N",
        help="number of conversations, from the start (%(default)s)",
    )
    parser.add_argument(
        "--html", metavar="FILE", help="write one HTML page instead, readable only by its owner"
    )
    add_detecting(parser)
    add_risk(parser)
    parser.add_argument(
        "--why", metavar="ID", help="explain one conversation: why each span, number and point of its score"
    )
    parser.add_argument("--text", metavar="FILE", help="anonymise a text instead: a file, or - for stdin")
    add_json(parser, "with --why and --text: the same")


_BRIEF = (
    "input", "config", "shape", "field", "conversations", "html", "why", "text", "json", "detector", "model",
    "quiet",
)  # fmt: skip

USES = {
    ONLY: Use(
        "Show conversations before and after, side by side; for people with access to both.",
        "pipelines.interactive.showing:show",
        _preview,
        brief=_BRIEF,
    )
}


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("preview")
