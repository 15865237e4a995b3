"""``tacenda release``: judge an anonymised corpus by reviewers' marks or gold; release or hold it."""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser, add_signing
from tacenda.pipelines.command_line.exit_codes import ExitCode
from tacenda.pipelines.command_line.terminal import say
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.url_redaction import redact_url
from tacenda.transforms.storage.files import absolute


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda release", description=__doc__, allow_abbrev=False)
    parser.add_argument("folder", metavar="OUT", help="the output folder of 'tacenda anonymize'")
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
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    arguments = parser().parse_args(argv)
    if arguments.because is not None and not arguments.because.strip():
        raise UserError("--because: give the reason in words; it is written to the manifest")
    if arguments.gold and arguments.spans:
        raise UserError("--spans: only applies to --review")
    # Imported after parsing, so that --help does not wait for the report renderer.
    from tacenda.pipelines.output.anonymized_folder import open_folder
    from tacenda.pipelines.output.review_binding import bind
    from tacenda.pipelines.output.signing import sign, signing_key
    from tacenda.transforms.releasing.verdict import State

    folder = open_folder(absolute(arguments.folder).rstrip("/"))
    key = signing_key(arguments.signing_key, folder.output)
    judgement = bind(
        folder,
        "gold" if arguments.gold else "human",
        [absolute(url) for url in arguments.gold or arguments.review],
        [absolute(url) for url in arguments.spans],
        arguments.because,
    )
    sign(folder.output, key)
    released = judgement.state is State.RELEASED
    lines = [
        f"verdict        {'released' if released else 'HELD'}; criterion: {judgement.criterion_in_words}"
    ]
    lines += [f"               {reason}" for reason in judgement.held_by]
    lines.append(f"output         {redact_url(folder.output)}")
    say("\n".join(lines))
    return ExitCode.DONE if released else ExitCode.HELD


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("release")
