"""Commands and their uses: what each does, its arguments, and the function that runs it, imported on demand."""

from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from tacenda.pipelines.command_line.arguments import Parser
from tacenda.transforms.schema.errors import UserError

ONLY = ""
"""The name of the use of a command that has no others."""


class Use(NamedTuple):
    """One use of a command.

    ``what`` says in a sentence what it does. ``run`` is ``module:function`` in ``tacenda``: called with the
    parsed arguments and, if ``passes``, with the options that it does not know, which are Beam's. ``fill`` adds
    the arguments; None if the function parses the words itself. ``brief`` names the options that ``--help``
    shows; the others are in ``--help-all``. Empty: all.
    """

    what: str
    run: str
    fill: Callable[[Parser], None] | None
    passes: bool = False
    brief: tuple[str, ...] = ()


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
        _fill(parser, uses[ONLY])
        parser.set_defaults(use=ONLY)
        return
    verbs = parser.add_subparsers(dest="use", metavar="USE", required=True, help="one of:")
    for verb, use in uses.items():
        _fill(verbs.add_parser(verb, help=use.what, description=use.what, brief=use.brief), use)


def _fill(parser: Parser, use: Use) -> None:
    if use.fill is not None:
        use.fill(parser)


def run_command(name: str, what: str, uses: Uses, words: Sequence[str]) -> int:
    """Run a command with its words; returns the exit code.

    Raises:
        UserError: the words are not its arguments.
    """
    if words and words[0] in uses and uses[words[0]].fill is None:
        _function(uses[words[0]])(words[1:])
        return 0
    parser = command_parser(name, what, uses)
    arguments, extra = parser.parse_known_args(words)
    use = uses[arguments.use]
    if not use.passes:
        if extra:
            raise UserError(f"unknown option {extra[0]}; see '{parser.prog} --help'")
        return _called(use, arguments)
    return _called(use, arguments, extra)


def _called(use: Use, arguments: Namespace, *more: Sequence[str]) -> int:
    code: int = _function(use)(arguments, *more)
    return code


def _function(use: Use) -> Callable[..., Any]:
    # Imported after parsing, so that --help and usage errors do not wait for the detectors.
    module, _, function = use.run.partition(":")
    found: Callable[..., Any] = getattr(import_module(f"tacenda.{module}"), function)
    return found
