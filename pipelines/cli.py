"""The ``tacenda`` command: one subcommand a job."""

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import version

from tacenda.pipelines.exit_codes import MEANINGS, ExitCode
from tacenda.pipelines.outcome import guarded, leave
from tacenda.transforms.schema.errors import UserError

COMMANDS = {
    "anonymize": "conversations in, anonymised corpus and residual-risk statistics out",
    "inspect": "findings only, text untouched",
    "score": "residual risk of reviewed or gold conversations",
    "evaluate": "recall, precision, F-beta and leak rates on gold conversations",
    "train": "a detector of your own from gold conversations",
    "train-filter": "which turns need not go through a package's network",
    "infotypes": "list what is found, or write it as an inspect template for the cloud",
    "sample": "write sample conversations with gold spans",
}

_USAGE = "\n".join(
    [
        "usage: tacenda COMMAND [options]",
        "",
        *(f"  {name:<12} {what}" for name, what in COMMANDS.items()),
        "",
        "'tacenda COMMAND --help' lists the options; Apache Beam's own options pass through.",
        "",
        "Exit codes:",
        *(f"  {code:<11d} {what}" for code, what in MEANINGS.items()),
    ]
)


def run(argv: Sequence[str]) -> int:
    """Run the named subcommand; returns its exit code."""
    if not argv or argv[0] in ("-h", "--help"):
        print(_USAGE)
        return ExitCode.DONE if argv else ExitCode.USER_ERROR
    if argv[0] == "--version":
        print(f"tacenda {version('tacenda')}")
        return ExitCode.DONE
    if argv[0] not in COMMANDS:
        raise UserError(f"no command '{argv[0]}'; choose one of {', '.join(COMMANDS)}")
    command: Callable[[Sequence[str]], int] = import_module(
        f"tacenda.pipelines.{argv[0].replace('-', '_')}"
    ).run
    return command(argv[1:])


def main(*words: str) -> None:
    """Entry of the console script and, with the name of its command, of ``python -m pipelines.COMMAND``."""
    leave(guarded(run, [*words, *sys.argv[1:]]))


if __name__ == "__main__":
    main()
