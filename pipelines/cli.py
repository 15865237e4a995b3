"""The ``tacenda`` command: nine commands, each with its uses."""

import difflib
import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from tacenda.pipelines import uses as table
from tacenda.pipelines.command_line.arguments import Parser
from tacenda.pipelines.command_line.outcome import MEANINGS, ExitCode, cli_main, leave
from tacenda.pipelines.uses import ONLY, Uses
from tacenda.pipelines.work.gc_pause import gc_paused
from tacenda.transforms.schema.errors import UserError

COMMANDS = {
    "anonymize": "conversations in, anonymised corpus and its risk out",
    "inspect": "findings only, text untouched",
    "preview": "conversations before and after; why (--why); a text (--text -)",
    "review": "samples for people to mark, what they return, score, release",
    "evaluate": "recall, precision, F-beta and leak rates on gold conversations",
    "corpus": "verify a corpus, add to it, erase from it, put originals back",
    "config": "begin and check a config, list infoTypes, write a sample",
    "train": "train a detector, and what is learnt beside it",
    "lab": "experiments on models and corpora: pip install 'tacenda[lab]'",
}
"""What each command does, in the order of ``tacenda --help``."""

SHORT = {
    "score": ("review", "score"),
    "release": ("review", "release"),
    "verify": ("corpus", "verify"),
    "sample": ("config", "sample"),
    "redact": ("preview", "--text", "-"),
}
"""Short forms: what stands for each."""

_LAB = ("bias", "leak-scan", "uniqueness", "linkability", "canaries", "utility", "audit")
_MOVED = {name: f"lab {name}" for name in _LAB} | {
    "explain": "preview --why ID",
    "erase": "corpus erase",
    "reidentify": "corpus reidentify",
    "init": "config init",
    "check": "config check",
    "infotypes": "config infotypes",
    "completion": "--print-completion bash",
}
"""Names of former releases, with those of today."""

_FILES = frozenset({"FILE", "URL", "FOLDER", "PATH", "CONFIG", "OUT", "GOLD", "MODEL"})
"""Placeholders of arguments that name files."""


def run(argv: Sequence[str]) -> int:
    """Run the named command; returns its exit code."""
    if not argv or argv[0] in ("-h", "--help"):
        print(_usage())
        return ExitCode.DONE if argv else ExitCode.USER_ERROR
    if argv[0] == "--version":
        from importlib.metadata import version

        print(f"tacenda {version('tacenda')}")
        return ExitCode.DONE
    if argv[0] == "--print-completion":
        print(_completion(argv[1] if len(argv) > 1 else ""))
        return ExitCode.DONE
    name, *words = *SHORT.get(argv[0], (argv[0],)), *argv[1:]
    if name not in COMMANDS:
        if name in _MOVED:
            raise UserError(f"'tacenda {name}' is now 'tacenda {_MOVED[name]}'")
        if name.startswith("-"):
            raise UserError(f"no command before {name}; write tacenda COMMAND {name}; see 'tacenda --help'")
        near = difflib.get_close_matches(name.lower(), [*COMMANDS, *SHORT], n=1)
        hint = f"did you mean '{near[0]}'?" if near else f"choose one of {', '.join(COMMANDS)}"
        raise UserError(f"no command '{name}'; {hint}")
    parser = parser_of(name)
    arguments, extra = parser.parse_known_args(words)
    use = uses_of(name)[arguments.use]
    if extra and not use.passes:
        raise UserError(f"unknown option {extra[0]}; see '{parser.prog} --help'")
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    module, _, function = use.run.partition(":")
    with gc_paused():
        run_use = getattr(import_module(f"tacenda.{module}"), function)
    code: int = run_use(arguments, extra) if use.passes else run_use(arguments)
    return code


def uses_of(name: str) -> Uses:
    """The uses of a command.

    Raises:
        UserError: it is the laboratory, and its extra is not installed.
    """
    if name == "lab":
        from tacenda.pipelines.config.laboratory import laboratory

        uses: Uses = laboratory("commands")
        return uses
    return table.uses_of(name)


def parser_of(name: str) -> Parser:
    """The parser of a command, or of a short form."""
    command, *use = SHORT.get(name, (name,))
    uses = uses_of(command)
    if len(use) == 1:
        uses = {ONLY: uses[use[0]]}
    only, what = uses.get(ONLY), COMMANDS[command]
    parser = Parser(
        f"tacenda {name}",
        description=only.what if only else f"{what[:1].upper()}{what[1:]}.",
        brief=only.brief if only else (),
    )
    _fill(parser, uses)
    return parser


def _fill(parser: Parser, uses: Uses) -> None:
    """Add the arguments of a command to its parser."""
    if ONLY in uses:
        uses[ONLY].fill(parser)
        parser.set_defaults(use=ONLY)
        return
    verbs = parser.add_subparsers(dest="use", metavar="USE", required=True, help="one of:")
    for verb, use in uses.items():
        use.fill(verbs.add_parser(verb, help=use.what, description=use.what, brief=use.brief))


def _usage() -> str:
    commands = "\n".join(f"  {name:<12}{what}" for name, what in COMMANDS.items())
    short = "\n".join(f"  {name:<12}{' '.join(words)}" for name, words in SHORT.items())
    codes = "\n".join(f"  {code:<11d} {what}" for code, what in MEANINGS.items())
    return f"""usage: tacenda COMMAND [options]

{commands}

Short forms:
{short}

'tacenda COMMAND --help' lists the options; Apache Beam's own pass through.
'tacenda --version' prints the version; 'tacenda --print-completion SHELL' a
completion script for bash, zsh or fish.

Exit codes:
{codes}"""


def _completion(shell: str) -> str:
    """A script that completes commands, options, values and files."""
    import shtab

    if shell not in shtab.SUPPORTED_SHELLS:
        raise UserError(f"--print-completion: name a shell, one of {', '.join(shtab.SUPPORTED_SHELLS)}")
    whole = Parser("tacenda", add_help=False)
    commands = whole.add_subparsers()
    for name, what in COMMANDS.items():
        try:
            _fill(commands.add_parser(name, help=what), uses_of(name))
        except UserError:
            continue  # the laboratory is not installed
    for short, words in SHORT.items():
        if len(words) == 2:
            one = {ONLY: uses_of(words[0])[words[1]]}
            _fill(commands.add_parser(short, help=one[ONLY].what), one)
    _complete_files(whole, shtab.FILE)
    script: str = shtab.complete(whole, shell)
    return script


def _complete_files(parser: ArgumentParser, file: Any) -> None:
    """Mark the arguments that name files."""
    for action in parser._actions:
        if action.metavar in _FILES:
            action.complete = file  # type: ignore[attr-defined]
        for use in action.choices.values() if isinstance(action.choices, dict) else ():
            _complete_files(use, file)


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
