"""Word list: the lines of a compressed list that ships with a package.

A line is a term and, each after a tab, its properties; ``data/NOTICE.md`` describes them.
"""

import lzma
from collections.abc import Iterator, Mapping
from importlib.resources import files

from tacenda.transforms.storage.process_cache import built_once

NAMES = "names.tsv.xz"
"""A word, and two digits: its levels 0 … 3 as a given and as a family name."""
GENDERS = "genders.tsv.xz"
"""Given names in plain letters by f, m or n: those of women, of men, and of both."""
PLACES = "places.tsv.xz"
"""A place, and a digit: its level 1 … 3."""
ORGANIZATIONS = "organizations.txt.xz"
"""An organisation."""
WORDS = "words.tsv.xz"
"""A word, and a digit for each language of the first line: its level as a word there, 0 … 4."""


def read(name: str, package: str = __package__) -> bytes:
    """The text of a list in the folder ``data`` of a package, in UTF-8.

    Raises:
        FileNotFoundError: there is no such list.
    """
    return lzma.decompress((files(package) / "data" / name).read_bytes())


def rows(name: str, package: str = __package__) -> Iterator[list[str]]:
    """The lines of a list, split at their tabs."""
    return (line.split("\t") for line in read(name, package).decode().split("\n") if line)


@built_once
def genders() -> Mapping[str, str]:
    """Given names in plain letters (``plain_letters``) to f, m, or n if people of either gender bear them.

    >>> [genders().get(name) for name in ("maria", "mohammed", "robin", "street")]
    ['f', 'm', 'n', None]
    """
    return {name: gender for gender, names in rows(GENDERS) for name in names.split(" ")}
