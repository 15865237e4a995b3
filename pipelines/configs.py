"""``tacenda config``: begin a config, check it, and look up what it may say."""

from tacenda.pipelines.command_line.arguments import Parser, add_detecting, add_json, add_risk, positive
from tacenda.pipelines.command_line.commands import Use
from tacenda.pipelines.command_line.terminal import TERMINAL


def _init(parser: Parser) -> None:
    parser.add_argument(
        "file",
        nargs="?",
        metavar="FILE",
        help="file to write (tacenda.yaml); - for the terminal",
    )
    parser.add_argument(
        "--from",
        dest="data",
        metavar="DATA",
        help="write a mapping (mapping.yaml) for this file instead, and say what it could not place",
    )
    parser.add_argument(
        "--context-form",
        action="store_true",
        help="write the form for --context of anonymize and score instead (context.yaml)",
    )


def _check(parser: Parser) -> None:
    parser.add_argument("config", metavar="CONFIG", help="YAML or JSON, as for --config")
    add_detecting(parser)
    add_risk(parser)
    add_json(parser, "the same")


def _infotypes(parser: Parser) -> None:
    parser.add_argument("names", nargs="*", metavar="NAME", help="show the details of these infoTypes")
    parser.add_argument("--config", metavar="FILE", help="YAML or JSON; its risk section changes the scores")
    add_risk(parser)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--json", action="store_true", help="print a JSON array instead of a table")
    what.add_argument(
        "--export-inspect-template",
        nargs="?",
        const=TERMINAL,
        metavar="FILE",
        help="write the config as an InspectTemplate of Cloud DLP; default: to the terminal",
    )


def _sample(parser: Parser) -> None:
    parser.add_argument(
        "--conversations", type=positive, default=500, metavar="N", help="number of conversations (500)"
    )
    parser.add_argument("--output", required=True, metavar="URL", help="an empty or new folder")
    parser.add_argument("--seed", type=int, default=1, help="seed of the corpus (1)")
    parser.add_argument("--format", choices=("jsonl", "parquet"), default="jsonl", help="default: jsonl")
    parser.add_argument("--workers", type=positive, metavar="N", help="processes; default by size")


USES = {
    "init": Use(
        "Write a commented config to start from.", "pipelines.reference.starter:write_starter", _init
    ),
    "check": Use(
        "Validate a config and show what it looks for and what it does not.",
        "pipelines.reference.config_in_words:check",
        _check,
    ),
    "infotypes": Use(
        "List the built-in infoTypes, or export them as a cloud template.",
        "pipelines.reference.info_types:list_info_types",
        _infotypes,
    ),
    "sample": Use(
        "Write sample conversations with gold spans, and matching dictionaries.",
        "pipelines.corpora.sample_corpus:write_sample",
        _sample,
    ),
}


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("config")
