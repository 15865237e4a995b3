"""``tacenda review``: samples for people to read and mark, what they return, and the verdict by their marks."""

from argparse import ArgumentTypeError

from tacenda.pipelines.command_line.arguments import (
    Parser,
    add_folder,
    add_json,
    add_reading,
    add_releasing,
    add_running,
    add_signing,
    positive,
)
from tacenda.pipelines.command_line.commands import Use

_BRIEF = (
    "input", "output", "config", "shape", "field", "spans", "reviewed", "reviewer", "workers", "limit",
    "overwrite", "dry_run", "json", "quiet",
)  # fmt: skip


def _sample(parser: Parser) -> None:
    add_folder(parser)
    parser.add_argument(
        "--read",
        type=positive,
        metavar="N",
        help="conversations over the corpus, with those of earlier samples; default: the fewest that release",
    )
    parser.add_argument(
        "--last",
        action="store_true",
        help="spend all that is left of the error on this sample, so that it can show most; no other follows",
    )
    parser.add_argument(
        "--catch-trials",
        type=positive,
        metavar="N",
        help="also plant a leak in each of N other conversations, to measure how many of them readers mark",
    )
    parser.add_argument(
        "--over",
        type=positive,
        metavar="SCORE",
        help="instead of a sample, every conversation with this score or more; it does not release",
    )
    parser.add_argument(
        "--predictions",
        action="store_true",
        help="show readers the score of each conversation, which may influence them; not in JSON lines",
    )
    parser.add_argument(
        "--output",
        metavar="FILE",
        help="new file: .html, a page to mark in a browser; .jsonl, lines to mark in an editor; .json, tasks "
        "of Label Studio; without it, what samples of some sizes can show",
    )


def _import(parser: Parser) -> None:
    add_folder(parser)
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="exports of pages or of Label Studio (.json)"
    )
    parser.add_argument(
        "--adjudicated",
        nargs="+",
        default=[],
        metavar="FILE",
        help="exports of a person who decided where readers differed; they replace the others' marks",
    )
    parser.add_argument(
        "--reader",
        action="append",
        default=[],
        type=_named,
        metavar="NUMBER=NAME",
        help="the name of an annotator of Label Studio, by number or e-mail address; repeatable",
    )
    parser.add_argument("--output", required=True, metavar="FILE", help="the review to write (.jsonl)")
    parser.add_argument(
        "--disputed",
        metavar="FILE",
        help="also write a page of the conversations where readers differ (.html)",
    )
    add_json(parser, "agreement")


def _redteam(parser: Parser) -> None:
    add_folder(parser)
    parser.add_argument("--seed", type=int, metavar="S", help="seed of the sample")
    parser.add_argument(
        "--conversations",
        type=positive,
        default=200,
        metavar="N",
        help="number of conversations (%(default)s)",
    )
    parser.add_argument(
        "--output", metavar="FOLDER", help="write page and sheet there, instead of taking one back"
    )
    parser.add_argument("--sheet", metavar="FILE", help="the sheet that the red team filled in (.csv)")
    add_json(parser)
    add_signing(parser)


def _release(parser: Parser) -> None:
    add_folder(parser)
    by = parser.add_mutually_exclusive_group(required=True)
    by.add_argument(
        "--review",
        nargs="+",
        metavar="FILE",
        help="the sample of 'tacenda review sample' with the reviewers' marks",
    )
    by.add_argument(
        "--gold",
        nargs="+",
        metavar="FILE",
        help="that sample, or all conversations of OUT, with all remaining personal data as turns[].spans",
    )
    parser.add_argument(
        "--spans",
        nargs="+",
        default=[],
        metavar="URL",
        help="spans files with further marks of reviewers",
    )
    parser.add_argument(
        "--because", metavar="REASON", help="why settings that weaken the gate are justified (risk.because)"
    )
    add_signing(parser)


def _score(parser: Parser) -> None:
    add_reading(parser)
    add_running(parser)
    parser.add_argument("--spans", nargs="+", metavar="URL", help="spans files with the marks of reviewers")
    parser.add_argument(
        "--reviewed",
        action="store_true",
        help="every conversation of the input was reviewed: without marks it scores 0, unless its "
        "'reviewed_by' is empty",
    )
    parser.add_argument(
        "--reviewer",
        metavar="NAME",
        help="reader of conversations that name none (reviewed_by), for manifest and report",
    )
    add_releasing(parser)
    # The text is not searched, and manifest and report must not claim that it was.
    parser.set_defaults(job="score", detector=())


def _named(value: str) -> tuple[str, str]:
    known, separator, name = value.partition("=")
    if not (known and separator and name.strip()):
        raise ArgumentTypeError("write NUMBER=NAME")
    return known, name


USES = {
    "sample": Use("Draw conversations to read and mark.", "pipelines.reviews.sampling:sample", _sample),
    "import": Use(
        "Take readers' marks back, compare readers, and write one review for score and release.",
        "pipelines.reviews.importing:import_reviews",
        _import,
    ),
    "redteam": Use(
        "Draw conversations for a red team to identify people in, or take its sheet back.",
        "pipelines.reviews.red_team:red_team",
        _redteam,
    ),
    "release": Use(
        "Judge an anonymised corpus by reviewers' marks or gold; release or hold it.",
        "pipelines.reviews.releasing:release",
        _release,
    ),
    "score": Use(
        "Compute the residual risk of reviewed conversations or of a gold corpus.",
        "pipelines.startup.launch:launch",
        _score,
        passes=True,
        brief=_BRIEF,
    ),
}


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("review")
