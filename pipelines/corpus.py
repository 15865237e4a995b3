"""``tacenda corpus``: verify an anonymised corpus, add to it, erase from it, put originals back."""

from tacenda.pipelines.anonymize import ADD
from tacenda.pipelines.command_line.arguments import Parser, add_folder, add_json, add_signing
from tacenda.pipelines.command_line.commands import Use


def _verify(parser: Parser) -> None:
    parser.add_argument("output", metavar="OUT", help="the output folder of a run, on any storage")
    parser.add_argument(
        "--public-key",
        metavar="KEY",
        help="the key that must have signed it: env:NAME or file:PATH of an Ed25519 public key as PEM",
    )
    add_json(parser, "the same")


def _erase(parser: Parser) -> None:
    add_folder(parser)
    parser.add_argument(
        "--conversations",
        required=True,
        metavar="FILE",
        help="a file with one id per line, or - for stdin; never on the command line, which others can see",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="the config of the run, if it hashes ids with a key: the given ids are then those of the input",
    )
    parser.add_argument(
        "--digest-key",
        metavar="KEY",
        help="note in the manifest a digest of each erased id by this secret: env:NAME, file:PATH or a URL",
    )
    add_json(parser, "the same")
    add_signing(parser)


def _reidentify(parser: Parser) -> None:
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


USES = {
    "verify": Use(
        "Check that files, counts, statistics, verdict and report of an output folder agree.",
        "pipelines.output.verification_in_words:show_verification",
        _verify,
    ),
    "add": ADD,
    "erase": Use(
        "Take conversations out of an anonymised corpus, with everything that is kept of them.",
        "pipelines.output.erasing_in_words:erase_and_tell",
        _erase,
    ),
    "reidentify": Use(
        "Restore the originals of values that the config's keys can decrypt.",
        "pipelines.corpora.reidentification:reidentify",
        _reidentify,
    ),
}


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("corpus")
