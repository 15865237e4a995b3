"""The ``tacenda`` command: one subcommand a job."""

import difflib
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version

from tacenda.pipelines.command_line.exit_codes import MEANINGS, ExitCode
from tacenda.pipelines.command_line.outcome import cli_main, leave
from tacenda.pipelines.commands import COMMANDS
from tacenda.transforms.schema.errors import UserError

_USAGE = "\n".join(
    [
        "usage: tacenda COMMAND [options]",
        "",
        *(f"  {name:<12} {command.what}" for name, command in COMMANDS.items()),
        "",
        "'tacenda COMMAND --help' lists the options; Apache Beam's own pass through.",
        "'tacenda --version' prints the version.",
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
    command = COMMANDS.get(argv[0])
    if command is None:
        raise UserError(_no_command(argv[0]))
    return command.run(argv[1:])


def _no_command(word: str) -> str:
    if word.startswith("-"):
        return f"no command before {word}; write tacenda COMMAND {word}; see 'tacenda --help'"
    near = difflib.get_close_matches(word.lower(), COMMANDS, n=1)
    if near:
        return f"no command '{word}'; did you mean '{near[0]}'?"
    return f"no command '{word}'; choose one of {', '.join(COMMANDS)}"


_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
"""Read by numpy when it is first imported, here and in processes that we start."""


def main(*words: str) -> None:
    """Entry point of the console script and, with a command's name, of ``python -m pipelines.COMMAND``."""
    for name in _THREADS:
        # One process a core does the work; threads of a numeric library would only wait beside it.
        os.environ.setdefault(name, "1")
    leave(cli_main(run, [*words, *sys.argv[1:]]))


if __name__ == "__main__":
    main()
