"""The table of commands: the module that runs each, and what it does in a line.

A command's module has ``parser()``, its argument parser, and ``run(argv)``, which returns the exit code.
None is imported before it is asked for.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NamedTuple


class Command(NamedTuple):
    """One command: its module in ``tacenda.pipelines``, and what it does."""

    module: str
    what: str

    @property
    def run(self) -> Callable[[Sequence[str]], int]:
        """What runs it: command-line words in, exit code out."""
        run: Callable[[Sequence[str]], int] = import_module(f"tacenda.pipelines.{self.module}").run
        return run

    def parser(self) -> ArgumentParser:
        """Its argument parser."""
        parser: ArgumentParser = import_module(f"tacenda.pipelines.{self.module}").parser()
        return parser


COMMANDS = {
    "anonymize": Command("anonymize", "conversations in, anonymised corpus and its risk out"),
    "inspect": Command("inspect", "findings only, text untouched"),
    "preview": Command("preview", "conversations before and after, side by side or as an HTML page"),
    "explain": Command("explain", "why each span, number and point of one conversation"),
    "redact": Command("redact", "a text from stdin, anonymised, to stdout"),
    "score": Command("score", "residual risk of reviewed or gold conversations"),
    "review": Command("review", "draw anonymised conversations for people to read and mark"),
    "reidentify": Command("reidentify", "put originals back where the config has the key"),
    "release": Command("release", "judge a corpus by what reviewers marked; release or hold it"),
    "verify": Command("verify", "whether an output folder still tells the truth about itself"),
    "evaluate": Command("evaluate", "recall, precision, F-beta and leak rates on gold conversations"),
    "train": Command("train", "a detector of your own from gold conversations"),
    "train-filter": Command("train_filter", "which turns need not go through a package's network"),
    "init": Command("init", "write a config that explains itself, to begin with"),
    "check": Command("check", "whether a config is right, and what it looks for"),
    "infotypes": Command("infotypes", "list what is built in, or export it as a cloud template"),
    "completion": Command("completion", "a script with which bash, zsh or fish completes all this"),
    "sample": Command("sample", "write sample conversations with gold spans"),
}
"""By name, in the order in which ``tacenda --help`` lists them."""
