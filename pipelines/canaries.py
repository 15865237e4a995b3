"""``tacenda canaries``: does a model repeat what it was trained on?

plant        write a corpus again with invented sentences in some of its conversations, to train on
exposure     from the model's scores of these sentences: how far it memorised them, in bits
membership   from the model's losses on records: can they be told from records it was not trained on?
"""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import (
    Parser,
    add_json,
    add_measuring,
    parser_of_uses,
    positive,
    require,
    whole_number,
)

NEEDS = {"plant": ("input", "output"), "exposure": ("planted", "scores"), "membership": ("scores",)}
"""The options that each of the three needs."""


def parser() -> Parser:
    """Arguments of the command."""
    parser = parser_of_uses("tacenda canaries", __doc__, NEEDS)
    parser.add_argument("--input", nargs="+", metavar="URL", help="plant: the corpus to train on")
    parser.add_argument("--output", metavar="URL", help="plant: an empty or new folder")
    parser.add_argument(
        "--count", type=positive, default=20, metavar="N", help="plant: canaries (%(default)s)"
    )
    parser.add_argument(
        "--copies",
        type=positive,
        default=1,
        metavar="N",
        help="plant: conversations that each is planted in (%(default)s)",
    )
    parser.add_argument(
        "--candidates",
        type=positive,
        default=1000,
        metavar="N",
        help="plant: other sentences to score beside each canary (%(default)s)",
    )
    parser.add_argument("--seed", type=whole_number, default=1, help="plant: seed of the canaries (1)")
    parser.add_argument("--planted", metavar="FILE", help="exposure: canaries.json, which 'plant' wrote")
    parser.add_argument(
        "--scores",
        nargs="+",
        metavar="FILE",
        help="JSON lines, CSV or Parquet. exposure: canary, candidate and score, the loss; membership: member "
        "(true or false) and score",
    )
    add_json(parser)
    add_measuring(parser)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments, extra = parser().parse_known_args(argv)
    require(arguments, NEEDS, "canaries")
    # Imported after parsing, so that --help does not wait.
    from tacenda.pipelines.measurement.memorization import memorization

    return memorization(arguments, extra)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("canaries")
