"""Truecasing: names in turns of small letters or capitals alone get the capital that they have in edited text.

One letter for one letter: offsets in the restored text are those of the original, and no white space is added.
"""

from typing import NamedTuple

import numpy as np

from tacenda.transforms.detecting.names.lexicon import lexicon
from tacenda.transforms.detecting.names.reading import Reading
from tacenda.transforms.text.column import TextColumn


class Truecased(NamedTuple):
    """The conversations with a turn of one case, as a column, if any of them changed.

    ``cells`` are the numbers of its cells in the original, ``changed`` those, in ``column``, of the cells that
    differ.
    """

    column: TextColumn
    cells: list[int]
    changed: list[int]


def truecased(column: TextColumn) -> Truecased | None:
    """The turns without a capital, or without a small letter, in restored case; None if that changes none.

    A listed name gets a capital unless it is a word in a language of its conversation, and an unlisted word
    behind one does, too.

    >>> truecased(TextColumn(["i am pamela and we will go"])).column.texts
    ['i am Pamela and we will go']
    """
    plain = list(map(_in_small_letters, column.texts))
    cells, first = column.conversations_with(i for i, text in enumerate(plain) if text is not None)
    if not cells:
        return None
    small = [column.texts[cell] if (text := plain[cell]) is None else text for cell in cells]
    texts = _capitalised(TextColumn(small, first), [plain[cell] is not None for cell in cells])
    changed = [i for i, cell in enumerate(cells) if texts[i] != column.texts[cell]]
    leads = [column.leads[cell] for cell in cells] if column.leads else ()
    return Truecased(TextColumn(texts, first, leads), cells, changed) if changed else None


def _in_small_letters(text: str) -> str | None:
    """A text of one case in small letters; None for any other, and for one without letters that have a case."""
    if text.islower():
        return text
    return "".join(map(_small, text)) if text.isupper() else None


def _capitalised(column: TextColumn, wanted: list[bool]) -> list[str]:
    lists, read = lexicon(), Reading(column.readable, lexicon())
    listed = (lists.given + lists.family + lists.place)[read.kinds] > 0
    is_name = listed & (read.word == 0)
    # A word in no list that follows a name is likely the surname.
    is_name[1:] |= is_name[:-1] & read.space[:-1] & (read.kinds[1:] == 0) & ~read.odd[1:]
    letters = list(map(list, column.texts))
    names = np.flatnonzero(is_name & np.array(wanted)[read.cell])
    for cell, start in zip(*(some.tolist() for some in read.locate(names, names + 1)[:2]), strict=True):
        if len(capital := letters[cell][start].title()) == 1:
            letters[cell][start] = capital
    return list(map("".join, letters))


def _small(letter: str) -> str:
    return small if len(small := letter.lower()) == 1 else letter
