"""``tacenda completion``: print a script for shell completion of commands, options and values.

Load it as the help says, and again after an update.
"""

from collections.abc import Sequence

from tacenda.pipelines.command_line.arguments import Parser
from tacenda.pipelines.command_line.terminal import answer
from tacenda.pipelines.reference.completion_scripts import SCRIPTS

_HOW = {
    "bash": "tacenda completion bash > ~/.local/share/bash-completion/completions/tacenda",
    "zsh": 'tacenda completion zsh > "${fpath[1]}/_tacenda"',
    "fish": "tacenda completion fish > ~/.config/fish/completions/tacenda.fish",
}


def parser() -> Parser:
    """Arguments of the command."""
    parser = Parser(
        "tacenda completion",
        description="Print a script for shell completion of commands, options and values.",
        epilog="to load it: " + "; ".join(_HOW.values()),
    )
    parser.add_argument("shell", choices=tuple(SCRIPTS), help="your shell")
    return parser


def run(argv: Sequence[str]) -> int:
    """Run the command; returns its exit code."""
    answer(SCRIPTS[parser().parse_args(argv).shell]())
    return 0


if __name__ == "__main__":
    from tacenda.pipelines.cli import main

    main("completion")
