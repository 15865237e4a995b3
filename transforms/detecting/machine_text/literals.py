"""Strings and comments of code: the only places in it where somebody is named."""

import re
from collections.abc import Mapping
from importlib.resources import files

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

Range = tuple[int, int]

_ANY = "js"
"""Whose strings and comments are taken where a fence names no language."""


def is_code(language: str) -> bool:
    """Whether a name that a fence gives its language is that of a programming language."""
    return language in _languages()[0]


def is_data(language: str) -> bool:
    """Whether it is that of a form of data."""
    return language in _languages()[1]


def literals(code: str, language: str) -> list[Range]:
    """The strings, without their quotes, and the comments of code, in order; time is linear in its length.

    Args:
        code: what stands in a fence.
        language: its name in small letters; of one that is not known, the commonest forms are taken.

    >>> code = 'greet("Anna")  # of Uppsala'
    >>> [code[start:end] for start, end in literals(code, "python")]
    ['Anna', '# of Uppsala']
    """
    known = _languages()[0]
    found = known.get(language, known[_ANY]).finditer(code)
    return [place for match in found for place in [_inside(code, *match.span())] if place[0] < place[1]]


def _inside(code: str, start: int, end: int) -> Range:
    """What is within the quotes of a string; the whole of a comment."""
    mark = code[start]
    if mark not in "\"'`":
        return start, end
    width = 3 if code.startswith(mark * 3, start) and end - start >= 3 else 1
    closed = end - start >= 2 * width and code.endswith(mark * width, start, end)
    return start + width, end - width if closed else end


@built_once
def _languages() -> tuple[Mapping[str, "re.Pattern[str]"], frozenset[str]]:
    data = parse_yaml(files(__package__).joinpath("languages.yaml").read_text("utf-8"))
    compiled = {
        name: re.compile("|".join(data["forms"][form] for form in group["forms"]), re.DOTALL | re.MULTILINE)
        for group in data["languages"]
        for name in group["names"].split()
    }
    return compiled, frozenset(data["data"].split())
