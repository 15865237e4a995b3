"""The uses of every command: what each does, its options, and the function that runs it (``uses.yaml``)."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from tacenda.pipelines.command_line.arguments import Parser, add_options

ONLY = ""
"""The name of the use of a command that has no others."""


class Use(NamedTuple):
    """One use of a command.

    ``what`` says in a sentence what it does. ``run`` is ``module:function`` in ``tacenda``: called with the
    parsed arguments and, if ``passes``, with the options that it does not know, which are Beam's. ``options``
    are names in ``options.yaml``, that of ``room`` first, or steps by name; ``defaults`` are values without an
    option. ``brief`` names the options that ``--help`` shows, empty for all of them.
    """

    what: str
    run: str
    options: list[str]
    steps: Mapping[str, "Use"]
    passes: bool
    brief: list[str]
    defaults: Mapping[str, Any]
    room: str | None

    def fill(self, parser: Parser) -> None:
        """Add the options to a parser."""
        parser.set_defaults(**self.defaults)
        add_options(parser, self.options, self.room)
        if self.steps:
            steps = parser.add_subparsers(dest="what", metavar="WHAT", required=True, help="one of:")
            for name, step in self.steps.items():
                step.fill(steps.add_parser(name, help=step.what))


Uses = Mapping[str, Use]


def uses_of(command: str, room: str | None = None) -> Uses:
    """The uses of a command by name, as the ``uses.yaml`` of a room has them."""
    groups, uses = _read(__package__)["groups"], _read(room or __package__)
    groups = {**groups, **uses["groups"]}

    def words(text: str) -> list[str]:
        return [word for one in text.split() for word in (words(groups[one]) if one in groups else [one])]

    def use(told: Mapping[str, Any]) -> Use:
        asked = told.get("options", "")
        steps = {} if isinstance(asked, str) else {name: use(step) for name, step in asked.items()}
        options = words(asked) if isinstance(asked, str) else []
        brief, defaults = words(told.get("brief", "")), told.get("defaults", {})
        passes = told.get("passes", False)
        return Use(told["what"], told.get("run", ""), options, steps, passes, brief, defaults, room)

    return {name: use(told) for name, told in uses[command].items()}


def _read(room: str) -> dict[str, Any]:
    # Imported here, so that ``tacenda --help`` does not wait for them.
    from importlib.resources import files

    from tacenda.transforms.storage.yaml_text import parse_yaml

    table: dict[str, Any] = parse_yaml(files(room).joinpath("uses.yaml").read_text("utf-8"))
    return table
