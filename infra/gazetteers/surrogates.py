"""Write the lists for surrogates and genders: ``python surrogates.py REPOSITORY``. Same sources, same bytes."""

import lzma
import sys
from collections.abc import Iterable
from pathlib import Path

from neighbourhood import cities, countries
from people import genders, people

_COMMON = 2
"""Minimum level of an everyday word in a language of words.tsv."""


def main(repository: Path) -> None:
    """Write people, genders, cities and countries, compressed."""
    target = repository / "transforms/replacing/surrogates/data"
    pools = people(repository / "transforms/generating/sample/data/names.yaml", _everyday(repository))
    _write(
        target / "people.tsv.xz",
        (f"{origin}\t{part}\t{' '.join(names)}" for (origin, part), names in pools.items()),
    )
    _write(repository / "transforms/gazetteers/data/genders.tsv.xz", _by_gender(genders()))
    _write(target / "cities.tsv.xz", cities())
    _write(target / "countries.tsv.xz", countries())


def _by_gender(known: dict[str, str]) -> Iterable[str]:
    for gender in "fmn":
        yield f"{gender}\t{' '.join(name for name, own in known.items() if own == gender)}"


def _everyday(repository: Path) -> frozenset[str]:
    lists = repository / "transforms/gazetteers/data/words.tsv.xz"
    lines = lzma.decompress(lists.read_bytes()).decode().splitlines()[1:]
    return frozenset(
        word
        for word, levels in (line.split("\t") for line in lines)
        if any(int(level) >= _COMMON for level in levels)
    )


def _write(path: Path, lines: Iterable[str]) -> None:
    data = "".join(line + "\n" for line in lines).encode()
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
