"""The uses of every command, as the tables of the rooms have them (``uses.yaml``), and their parsers."""

from collections.abc import Mapping, Sequence
from typing import Any

from tacenda.pipelines import command_line
from tacenda.pipelines.command_line.arguments import OF_READING, TYPES, Parser
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.storage.process_cache import built_once_for
from tacenda.transforms.storage.yaml_text import data_file

ONLY = ""
"""The name of the use of a command that has no others."""

Use = Mapping[str, Any]


class Uses:
    """The uses of commands by name, with the groups of options that they name.

    Args:
        room: the package whose ``uses.yaml`` and ``options.yaml`` go before those of all commands.
    """

    def __init__(self, room: str = __package__) -> None:
        shared, self._table = _parsed(__package__, "uses"), _parsed(room, "uses")
        self._groups: dict[str, str] = {**shared["groups"], **self._table["groups"]}
        own = {} if room == __package__ else _parsed(room, "options")
        self._options = {**_parsed(command_line.__name__, "options"), **own}

    def parser(self, prog: str, command: str, use: str | None = None, *, what: str) -> Parser:
        """The parser of a command, or of one use of it, with a sentence on a command of several uses."""
        uses: dict[str, Use] = self._table[command]
        only = uses.get(ONLY if use is None else use)
        if only is not None:
            parser = Parser(prog, description=only["what"], brief=self._words(only.get("brief", "")))
            self._fill(parser, only)
            return parser
        parser = Parser(prog, description=what)
        self._add_uses(parser, "use", uses)
        return parser

    def _add_uses(self, parser: Parser, name: str, uses: Mapping[str, Use]) -> None:
        several = parser.add_subparsers(dest=name, metavar=name.upper(), required=True, help="one of:")
        for verb, use in uses.items():
            brief = self._words(use.get("brief", ""))
            told = use["what"]
            self._fill(several.add_parser(verb, help=told, description=told, brief=brief), use)

    def _fill(self, parser: Parser, use: Use) -> None:
        """Add the options of a use to its parser, or its own uses; parsed arguments have its ``run``."""
        parser.set_defaults(**{name: use[name] for name in ("run", "passes") if name in use})
        parser.set_defaults(**use.get("defaults", {}))
        options = use.get("options", "")
        if isinstance(options, str):
            self._add_options(parser, self._words(options))
        else:
            self._add_uses(parser, "what", options)

    def _add_options(self, parser: Parser, names: Sequence[str]) -> None:
        groups: dict[str, Any] = {}
        for name in names:
            told = self._options[name]
            known = dict(told.get("with", {}))
            place: Any = parser
            if "group" in known:
                title = known.pop("group")
                place = groups[title] = groups.get(title) or parser.add_argument_group(title)
            if "either" in known:
                required = known.pop("either")
                place = groups["either"] = groups.get("either") or parser.add_mutually_exclusive_group(
                    required=required
                )
            if "type" in known:
                known["type"] = TYPES[known["type"]]
            word = name.rpartition(".")[2]
            flags = known.pop("flags", [f"--{word}"])
            if known.pop("positional", False):
                flags = [word]
            action = place.add_argument(*flags, help=told["help"], **known)
            if action.dest in OF_READING:
                action.default = getattr(ReadOptions(), action.dest)

    def _words(self, text: str) -> list[str]:
        """The names of options in a text, in place of groups those in them."""
        groups = self._groups
        return [one for w in text.split() for one in (self._words(groups[w]) if w in groups else [w])]


@built_once_for(4)
def _parsed(package: str, table: str) -> dict[str, Any]:
    parsed: dict[str, Any] = data_file(package, f"{table}.yaml")
    return parsed
