"""``tacenda review``: samples for people to read and mark, what they return, red teams, what stands out."""

from argparse import ArgumentTypeError
from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, add_folder, add_json, add_signing, positive


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda review", description=__doc__)
    verbs = parser.add_subparsers(dest="what", metavar="WHAT", required=True, help="one of:")
    sample = verbs.add_parser(
        "sample",
        help="draw conversations to read and mark",
        description="Draw conversations to read and mark, and say what reading them can show.",
    )
    add_folder(sample)
    sample.add_argument(
        "--read",
        type=positive,
        metavar="N",
        help="conversations over the corpus, with those of earlier samples; default: the fewest that release",
    )
    sample.add_argument(
        "--last",
        action="store_true",
        help="spend all that is left of the error on this sample, so that it can show most; no other follows",
    )
    sample.add_argument(
        "--catch-trials",
        type=positive,
        metavar="N",
        help="also plant a leak in each of N other conversations, to measure how many of them readers mark",
    )
    sample.add_argument(
        "--over",
        type=positive,
        metavar="SCORE",
        help="instead of a sample, every conversation with this score or more; it does not release",
    )
    sample.add_argument(
        "--predictions",
        action="store_true",
        help="show readers the score of each conversation, which may influence them; not in JSON lines",
    )
    sample.add_argument(
        "--output",
        metavar="FILE",
        help="new file: .html, a page to mark in a browser; .jsonl, lines to mark in an editor; .json, tasks "
        "of Label Studio; without it, what samples of some sizes can show",
    )
    returned = verbs.add_parser(
        "import",
        help="take marks back, compare readers, write one review",
        description="Take readers' marks back, compare readers, and write one review for score and release.",
    )
    add_folder(returned)
    returned.add_argument(
        "files", nargs="+", metavar="FILE", help="exports of pages or of Label Studio (.json)"
    )
    returned.add_argument(
        "--adjudicated",
        nargs="+",
        default=[],
        metavar="FILE",
        help="exports of a person who decided where readers differed; they replace the others' marks",
    )
    returned.add_argument(
        "--reader",
        action="append",
        default=[],
        type=_named,
        metavar="NUMBER=NAME",
        help="the name of an annotator of Label Studio, by number or e-mail address; repeatable",
    )
    returned.add_argument("--output", required=True, metavar="FILE", help="the review to write (.jsonl)")
    returned.add_argument(
        "--disputed",
        metavar="FILE",
        help="also write a page of the conversations where readers differ (.html)",
    )
    add_json(returned, "agreement")
    red = verbs.add_parser(
        "redteam",
        help="draw conversations for a red team, or take its sheet back",
        description="Draw conversations for a red team to identify people in, or take its sheet back.",
    )
    add_folder(red)
    red.add_argument("--seed", type=int, metavar="S", help="seed of the sample")
    red.add_argument(
        "--conversations",
        type=positive,
        default=200,
        metavar="N",
        help="number of conversations (%(default)s)",
    )
    red.add_argument(
        "--output", metavar="FOLDER", help="write page and sheet there, instead of taking one back"
    )
    red.add_argument("--sheet", metavar="FILE", help="the sheet that the red team filled in (.csv)")
    add_json(red)
    add_signing(red)
    unusual = verbs.add_parser(
        "uniqueness",
        help="grade conversations by unusual words around replaced data",
        description="Grade conversations by how unusual the words around their replaced data are.",
    )
    add_folder(unusual)
    unusual.add_argument("--seed", type=int, default=1, metavar="S", help="seed of the sample (%(default)s)")
    unusual.add_argument(
        "--conversations",
        type=positive,
        default=500,
        metavar="N",
        help="number of conversations, which are compared with each other (%(default)s)",
    )
    unusual.add_argument(
        "--mode",
        choices=("unique", "pairs", "all_pairs"),
        default="unique",
        help="what counts: contexts unlike all of other conversations, or pairs (%(default)s)",
    )
    unusual.add_argument(
        "--of",
        choices=("own", "all", "counted"),
        default="own",
        help="what percentages are shares of: the conversation's contexts, those of all, or all that counts "
        "(%(default)s)",
    )
    unusual.add_argument("--output", metavar="FILE", help="write the figures of every conversation there")
    add_json(unusual)
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help and usage errors do not wait for what the commands need.
    if arguments.what == "sample":
        from tacenda.pipelines.reviews.sampling import sample

        return sample(arguments)
    if arguments.what == "import":
        from tacenda.pipelines.reviews.importing import import_reviews

        return import_reviews(arguments)
    if arguments.what == "uniqueness":
        from tacenda.pipelines.reviews.uniqueness import uniqueness

        return uniqueness(arguments)
    from tacenda.pipelines.reviews.red_team import red_team

    return red_team(arguments)


def _named(value: str) -> tuple[str, str]:
    known, separator, name = value.partition("=")
    if not (known and separator and name.strip()):
        raise ArgumentTypeError("write NUMBER=NAME")
    return known, name


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("review")
