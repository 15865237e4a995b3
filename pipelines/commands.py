"""The table of commands: the module of each, and a one-line description.

A command's module has ``parser()``, its argument parser, and ``run(argv)``, which returns the exit code.
Modules are imported on demand.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import NamedTuple


class Command(NamedTuple):
    """One command: its module in ``tacenda.pipelines``, and its description."""

    module: str
    what: str

    @property
    def run(self) -> Callable[[Sequence[str]], int]:
        """The function that runs it: arguments in, exit code out."""
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
    "release": Command("release", "judge a corpus by the marks of reviewers; release or hold it"),
    "erase": Command("erase", "take conversations out of a corpus, and all that is kept of them"),
    "verify": Command("verify", "check an output folder against its manifest"),
    "evaluate": Command("evaluate", "recall, precision, F-beta and leak rates on gold conversations"),
    "bias": Command("bias", "whether a model treats people differently by their names"),
    "leak-scan": Command("leak_scan", "personal data in the outputs of a trained model"),
    "uniqueness": Command("uniqueness", "who would be unique in a population by what is left"),
    "linkability": Command("linkability", "whether style joins conversations of one person"),
    "canaries": Command("canaries", "how far a trained model memorised its training data"),
    "utility": Command("utility", "what anonymisation costs a model that is trained on the corpus"),
    "audit": Command("audit", "whether a synthetic corpus copies its source, and is like it"),
    "train": Command("train", "train a detector on gold conversations"),
    "train-filter": Command("train_filter", "train the filter of turns that can skip a model's network"),
    "init": Command("init", "write a commented config to start from"),
    "check": Command("check", "validate a config and show what it looks for"),
    "infotypes": Command("infotypes", "list the built-in infoTypes, or export them as a cloud template"),
    "completion": Command("completion", "print a completion script for bash, zsh or fish"),
    "sample": Command("sample", "write sample conversations with gold spans"),
}
"""Commands by name, in the order of ``tacenda --help``."""
