"""``tacenda sample``: write sample conversations with gold spans, and matching dictionaries."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, positive


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda sample", description=__doc__)
    parser.add_argument(
        "--conversations", type=positive, default=500, metavar="N", help="number of conversations (500)"
    )
    parser.add_argument("--output", required=True, metavar="URL", help="an empty or new folder")
    parser.add_argument("--seed", type=int, default=1, help="seed of the corpus (1)")
    parser.add_argument("--format", choices=("jsonl", "parquet"), default="jsonl", help="default: jsonl")
    parser.add_argument("--workers", type=positive, metavar="N", help="processes; default by size")
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help does not wait.
    from tacenda.pipelines.corpora.sample_corpus import write_sample

    return write_sample(arguments)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("sample")
