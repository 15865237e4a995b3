"""Fenced blocks of Markdown pages: their language, their text, and the comment directly before them."""

import re
from pathlib import Path
from typing import NamedTuple

_BLOCK = re.compile(r"(?:^<!-- ([^\n]*) -->\n)?^```([^\n]*)\n(.*?)^```$", re.M | re.S)


class Block(NamedTuple):
    """A block; ``comment`` is empty if there is none on the line before it."""

    page: str
    line: int
    comment: str
    language: str
    text: str

    @property
    def runs(self) -> bool:
        return not self.comment.startswith("not run: ")

    def commands(self) -> list[str]:
        """The Tacenda command lines in it."""
        lines = self.text.replace("\\\n", " ").splitlines()
        return [line for line in lines if line.startswith("tacenda ")]


def fenced_blocks(page: Path) -> list[Block]:
    """All blocks of a page, in order."""
    text = page.read_text("utf-8")
    return [
        Block(page.name, text[: found.start(2)].count("\n") + 1, found[1] or "", found[2], found[3])
        for found in _BLOCK.finditer(text)
    ]
