"""Spell terms as the detector sees them: words in lower case, with and without accents."""

import unicodedata
from importlib.util import find_spec
from pathlib import Path


def folder(package: str) -> Path:
    """The folder of an installed package."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"{package} is not installed: pip install --no-deps -r requirements.txt")
    return Path(spec.submodule_search_locations[0])


_NOT_DECOMPOSED = str.maketrans("øłđıæœðþßħ", "oldiaaedsh")
"""Letters that Unicode does not decompose; mapped to one letter each, to keep offsets."""


def words(term: str) -> tuple[str, ...]:
    """The words of a term: runs of letters, digits and combining marks."""
    spaced = "".join(c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in term)
    return tuple(folded(word) for word in unicodedata.normalize("NFC", spaced).split())


def folded(word: str) -> str:
    """Lower case, one code point to one code point."""
    return "".join(c.casefold() if len(c.casefold()) == 1 else c.lower()[0] for c in word)


def plain(word: str) -> str:
    """Remove accents, as in hurried typing."""
    letters = unicodedata.normalize("NFD", word)
    return "".join(c for c in letters if unicodedata.category(c)[0] != "M").translate(_NOT_DECOMPOSED)
