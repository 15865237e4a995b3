"""What the commands of this package that are no subcommands of ``tacenda`` have in common."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from tacenda.transforms.schema.errors import UserError


@contextmanager
def mistakes_in_one_line(parser: argparse.ArgumentParser) -> Iterator[None]:
    """Tell a mistake of the user in one line, and exit with code 2."""
    try:
        yield
    except UserError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
