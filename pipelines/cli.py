"""The ``tacenda`` command: nine commands, each with its uses."""

import difflib
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from tacenda.pipelines.command_line.arguments import Parser
from tacenda.pipelines.command_line.outcome import MEANINGS, ExitCode, cli_main, leave
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

FORMER = {
    "config": ("init", "check", "infotypes"),
    "corpus": ("erase", "reidentify"),
    "lab": ("bias", "leak-scan", "uniqueness", "linkability", "canaries", "utility", "audit"),
    "preview": ("explain",),
}
"""Commands of an earlier release, by the one that has them as uses now."""


def run(argv: Sequence[str]) -> int:
    """Run the named command; returns its exit code."""
    if not argv or argv[0] in ("-h", "--help"):
        print(_usage())
        return ExitCode.DONE if argv else ExitCode.USER_ERROR
    if argv[0] == "--version":
        from importlib.metadata import version

        print(f"tacenda {version('tacenda')}")
        return ExitCode.DONE
    name, *words = *SHORT.get(argv[0], (argv[0],)), *argv[1:]
    if name not in COMMANDS:
        if name.startswith("-"):
            raise UserError(f"no command before {name}; write tacenda COMMAND {name}; see 'tacenda --help'")
        near = difflib.get_close_matches(name.lower(), [*COMMANDS, *SHORT], n=1)
        meant = near[0] if near else next((now for now in FORMER if name in FORMER[now]), None)
        hint = f"did you mean '{meant}'?" if meant else f"choose one of {', '.join(COMMANDS)}"
        raise UserError(f"no command '{name}'; {hint}")
    parser = parser_of(name)
    arguments, extra = parser.parse_known_args(words)
    passes = getattr(arguments, "passes", False)
    if extra and not passes:
        raise UserError(f"unknown option {extra[0]}; see '{parser.prog} --help'")
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    module, _, function = arguments.run.partition(":")
    with gc_paused():
        run_use = getattr(import_module(f"tacenda.{module}"), function)
    code: int = run_use(arguments, extra) if passes else run_use(arguments)
    return code


def parser_of(name: str) -> Parser:
    """The parser of a command, or of a short form.

    Raises:
        UserError: it is the laboratory, and its extra is not installed.
    """
    # Imported here, so that ``tacenda --help`` does not wait for the tables.
    from tacenda.pipelines.config.laboratory import laboratory
    from tacenda.pipelines.uses import Uses

    command, *use = SHORT.get(name, (name,))
    uses = Uses(laboratory("commands")) if name == "lab" else Uses()
    what = f"{COMMANDS[command][:1].upper()}{COMMANDS[command][1:]}."
    return uses.parser(f"tacenda {name}", command, use[0] if len(use) == 1 else None, what=what)


def _usage() -> str:
    commands = "\n".join(f"  {name:<12}{what}" for name, what in COMMANDS.items())
    short = "\n".join(f"  {name:<12}{' '.join(words)}" for name, words in SHORT.items())
    codes = "\n".join(f"  {code:<11d} {what}" for code, what in MEANINGS.items())
    return f"""usage: tacenda COMMAND [options]

{commands}

Short forms:
{short}

'tacenda COMMAND --help' lists the options; Apache Beam's own pass through.
'tacenda --version' prints the version.

Exit codes:
{codes}"""


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
