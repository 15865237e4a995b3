"""``tacenda verify``: check that files, counts, statistics, verdict and report of an output folder agree."""

import json
from collections.abc import Sequence
from importlib.metadata import version

from tacenda.pipelines.command_line.arguments import Parser
from tacenda.pipelines.command_line.exit_codes import ExitCode
from tacenda.pipelines.command_line.terminal import answer, say
from tacenda.transforms.storage.files import absolute


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda verify", description=__doc__, allow_abbrev=False)
    parser.add_argument("output", metavar="OUT", help="the output folder of a run, on any storage")
    parser.add_argument(
        "--public-key",
        metavar="KEY",
        help="the key that must have signed it: env:NAME or file:PATH of an Ed25519 public key as PEM",
    )
    parser.add_argument("--json", action="store_true", help="print the same as one JSON object on stdout")
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code: 0 if everything is consistent, otherwise 3."""
    arguments = parser().parse_args(argv)
    # Imported after parsing, so that --help does not wait for the report renderer.
    from tacenda.pipelines.output.signing import trusted_key
    from tacenda.pipelines.output.verification import verify

    trusted = trusted_key(arguments.public_key)
    checks = verify(absolute(arguments.output).rstrip("/"), version("tacenda"), trusted)
    true = not any(check.wrong for check in checks)
    if arguments.json:
        told = {
            "true": true,
            "checks": [{"check": check.what, "wrong": check.wrong, "seen": check.seen} for check in checks],
        }
        answer(json.dumps(told, ensure_ascii=False))
    else:
        for check in checks:
            lines = [f"NOT TRUE: {sentence}" for sentence in check.wrong] or [check.seen]
            say("\n".join(f"{check.what if not i else '':<15}{line}" for i, line in enumerate(lines)))
        say(f"{'result':<15}{'true' if true else 'NOT TRUE'}")
    return ExitCode.DONE if true else ExitCode.HELD


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("verify")
