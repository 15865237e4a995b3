"""``tacenda reidentify``: restore the originals of values that the config's keys can decrypt."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda reidentify", description=__doc__)
    parser.add_argument(
        "--input", nargs="+", required=True, metavar="URL", help="files or folders of an anonymised corpus"
    )
    parser.add_argument(
        "--output",
        required=True,
        metavar="FOLDER",
        help="empty; it will contain personal data: restrict access",
    )
    parser.add_argument(
        "--config",
        required=True,
        metavar="FILE",
        help="the config of the run, with the locations of its keys",
    )
    parser.add_argument(
        "--field", metavar="NAME", help="the data's name for conversation_id, if keys depend on it"
    )
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help does not wait for the config reader.
    from tacenda.pipelines.corpora.reidentification import reidentify

    return reidentify(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("reidentify")
