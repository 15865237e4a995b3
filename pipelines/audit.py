"""``tacenda audit``: does a synthetic corpus copy its source, and is it like it?

compare     copies, diversity and frequencies; ends with 3 if the synthetic corpus has copies
questions   draw records of both, in random order, for people to answer four questions about
answers     agreement of two people, by question and origin
"""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import (
    Parser,
    add_json,
    add_measuring,
    parser_of_uses,
    positive,
    require,
    share,
)

NEEDS = {
    "compare": ("source", "synthetic", "output"),
    "questions": ("source", "synthetic", "output"),
    "answers": ("key", "sheets"),
}
"""The options that each of the three needs."""


def parser() -> Parser:
    """Arguments of the command."""
    parser = parser_of_uses("tacenda audit", __doc__, NEEDS)
    parser.add_argument("--source", nargs="+", metavar="URL", help="the corpus that the other was made from")
    parser.add_argument("--synthetic", nargs="+", metavar="URL", help="the synthetic corpus")
    parser.add_argument("--output", metavar="URL", help="an empty or new folder")
    parser.add_argument(
        "--threshold",
        type=share,
        default=0.9,
        metavar="COSINE",
        help="compare: above it, records are near copies (%(default)s)",
    )
    parser.add_argument(
        "--samples",
        type=positive,
        default=5,
        metavar="N",
        help="compare: samples of the source (%(default)s)",
    )
    parser.add_argument(
        "--events",
        metavar="GROUP,EVENT",
        help="compare: two fields of the records, such as drug,effect, whose frequencies are compared",
    )
    parser.add_argument(
        "--tags",
        metavar="FIELD",
        help="compare: a field of the records with parts of speech, from a tagger of yours: a list, or a text "
        "with spaces between them",
    )
    parser.add_argument(
        "--tagger",
        metavar="PATH",
        help="compare: a folder with a spaCy pipeline that tags parts of speech, instead of --tags",
    )
    parser.add_argument(
        "--count", type=positive, default=100, help="questions: records of each (%(default)s)"
    )
    parser.add_argument("--key", metavar="FILE", help="answers: key.json, which 'questions' wrote")
    parser.add_argument("--sheets", nargs=2, metavar="FILE", help="answers: the sheets of two people")
    parser.add_argument("--seed", type=int, default=1, help="of samples and questions (1)")
    add_json(parser)
    add_measuring(parser)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments, extra = parser().parse_known_args(argv)
    require(arguments, NEEDS, "audit")
    # Imported after parsing, so that --help does not wait.
    from tacenda.pipelines.measurement.audit_report import audit

    return audit(arguments, extra)


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("audit")
