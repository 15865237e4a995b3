"""``tacenda init``: write a commented config to start from."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser

DEFAULT, CONTEXT_FORM = "tacenda.yaml", "context.yaml"


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda init", description=__doc__)
    parser.add_argument(
        "file",
        nargs="?",
        default=DEFAULT,
        metavar="FILE",
        help="file to write (%(default)s); - for the terminal",
    )
    parser.add_argument(
        "--context-form",
        action="store_true",
        help=f"write the form for --context of anonymize and score instead ({CONTEXT_FORM})",
    )
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help does not wait.
    from tacenda.pipelines.reference.starter import write_context_form, write_starter

    if arguments.context_form:
        return write_context_form(CONTEXT_FORM if arguments.file == DEFAULT else arguments.file)
    return write_starter(arguments.file)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("init")
