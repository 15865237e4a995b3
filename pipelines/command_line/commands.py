"""Commands and their uses: what each does, its arguments, and the function that runs it, imported on demand."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from tacenda.pipelines.command_line.arguments import Parser, add_options
from tacenda.pipelines.work.gc_pause import gc_paused
from tacenda.transforms.schema.errors import UserError

ONLY = ""
"""The name of the use of a command that has no others."""


class Step(NamedTuple):
    """One step of a use that has several: what it does, its options, and values that it has no option for."""

    what: str
    options: str
    defaults: Mapping[str, Any] = {}


class Use(NamedTuple):
    """One use of a command.

    ``what`` says in a sentence what it does. ``run`` is ``module:function`` in ``tacenda``: called with the
    parsed arguments and, if ``passes``, with the options that it does not know, which are Beam's. ``options``
    are names in ``options.yaml``, that of ``room`` first, or steps by name; ``defaults`` are values without an
    option. ``brief`` names the options that ``--help`` shows, empty for all of them.
    """

    what: str
    run: str
    options: str | Mapping[str, Step]
    passes: bool = False
    brief: tuple[str, ...] = ()
    defaults: Mapping[str, Any] = {}
    room: str | None = None

    def fill(self, parser: Parser) -> None:
        """Add the options to a parser."""
        parser.set_defaults(**self.defaults)
        if isinstance(self.options, str):
            add_options(parser, self.options, self.room)
            return
        steps = parser.add_subparsers(dest="what", metavar="WHAT", required=True, help="one of:")
        for name, step in self.options.items():
            own = steps.add_parser(name, help=step.what)
            own.set_defaults(**step.defaults)
            add_options(own, step.options, self.room)


Uses = Mapping[str, Use]


def command_parser(name: str, what: str, uses: Uses) -> Parser:
    """The parser of a command; ``use`` is the name of the use asked for."""
    only = uses.get(ONLY)
    parser = Parser(
        f"tacenda {name}", description=only.what if only else what, brief=only.brief if only else ()
    )
    fill_command(parser, uses)
    return parser


def fill_command(parser: Parser, uses: Uses) -> None:
    """Add the arguments of a command to its parser."""
    if ONLY in uses:
        uses[ONLY].fill(parser)
        parser.set_defaults(use=ONLY)
        return
    verbs = parser.add_subparsers(dest="use", metavar="USE", required=True, help="one of:")
    for verb, use in uses.items():
        use.fill(verbs.add_parser(verb, help=use.what, description=use.what, brief=use.brief))


def run_command(name: str, what: str, uses: Uses, words: Sequence[str]) -> int:
    """Run a command with its words; returns the exit code."""
    parser = command_parser(name, what, uses)
    arguments, extra = parser.parse_known_args(words)
    use = uses[arguments.use]
    if extra and not use.passes:
        raise UserError(f"unknown option {extra[0]}; see '{parser.prog} --help'")
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    module, _, function = use.run.partition(":")
    with gc_paused():
        run = getattr(import_module(f"tacenda.{module}"), function)
    code: int = run(arguments, extra) if use.passes else run(arguments)
    return code
