"""Write the gazetteers that ship with the detector: ``python build.py FOLDER``. Same sources, same bytes."""

import lzma
import sys
from collections.abc import Iterable
from pathlib import Path

from common_words import LANGUAGES, common_words
from names import names
from organizations import organizations
from places import places


def main(folder: Path) -> None:
    """Write names, places, organizations and words, one term a line, compressed."""
    name_levels = names()
    place_levels = places()
    _write(folder / "names.tsv.xz", (f"{w}\t{g}{f}" for w, (g, f) in name_levels.items()))
    _write(folder / "places.tsv.xz", (f"{name}\t{level}" for name, level in place_levels.items()))
    _write(folder / "organizations.txt.xz", organizations())
    rows = common_words(name_levels, place_levels).items()
    header = ["\t" + " ".join(LANGUAGES)]
    _write(folder / "words.tsv.xz", [*header, *(f"{w}\t{''.join(map(str, levels))}" for w, levels in rows)])


def _write(path: Path, lines: Iterable[str]) -> None:
    data = "".join(line + "\n" for line in lines).encode()
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
