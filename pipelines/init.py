"""``tacenda init``: write a commented config to start from."""

from collections.abc import Sequence
from importlib.resources import files

from tacenda.pipelines.command_line.arguments import Parser
from tacenda.pipelines.command_line.terminal import TERMINAL, answer, say
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.storage.files import absolute, exists
from tacenda.transforms.storage.publishing import publish

DEFAULT = "tacenda.yaml"


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser("tacenda init", description=__doc__, allow_abbrev=False)
    parser.add_argument(
        "file",
        nargs="?",
        default=DEFAULT,
        metavar="FILE",
        help="file to write (%(default)s); - for the terminal",
    )
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    name = parser().parse_args(argv).file
    if name == TERMINAL:
        answer(starter())
        return 0
    if not name.endswith((".yaml", ".yml")):
        raise UserError(f"{name}: the config is YAML; use a name that ends in .yaml")
    url = absolute(name)
    if exists(url):
        raise UserError(f"{name}: already exists; name another file, or remove it first")
    with publish(url) as sink:
        sink.write(starter().encode())
    say(f"wrote {name}; its comments explain each setting\nnext           tacenda check {name}")
    return 0


def starter() -> str:
    """The config to write."""
    return (files("tacenda.pipelines.config") / "starter.yaml").read_text(encoding="utf-8")


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("init")
