"""Chains of spoken numbers and letters: their elements and the links between them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache, partial
from typing import NamedTuple

from tacenda.transforms.detecting.spoken.lexicon import JOINERS, Lexicon, Part, Said
from tacenda.transforms.detecting.spoken.numbers import number_word
from tacenda.transforms.detecting.spoken.tokens import Form, Token, glued

_SOFT_MARKS = frozenset("-–—,.…")
_MOST_SOFT = 3
"""Most marks and fillers between two elements."""

_GLUING = frozenset(".,:/$€£%'’@_+=#&*")
"""Marks that make digits part of something written if they touch on both sides."""

_TYING = frozenset("'’_@/&")
"""Marks that make the following word part of something written."""

_NO_NUMBERS = frozenset({Part.REPEAT, *JOINERS})
_BEFORE_JOINERS = {
    Part.JOINER: (Part.SCALE, Part.HUNDREDS),
    Part.TEN_JOINER: (Part.TEN,),
    Part.ANY_JOINER: (Part.SCALE, Part.HUNDREDS, Part.TEN),
}
_ZERO = Said(Part.UNIT, "0")
_MARK, _WORD = Form.MARK, Form.WORD


class Element(NamedTuple):
    """The tokens ``first:last``: part of a number (``said``), or a letter.

    "double o" is both: zeros among digits, letters among letters. ``word`` is false for digits and bare
    letters. ``strong`` is false for words that usually mean something else. ``pause`` says that more than a
    space separates it from the previous element.
    """

    first: int
    last: int
    said: tuple[Said, ...] = ()
    letter: str = ""
    word: bool = False
    strong: bool = True
    pause: bool = False

    @property
    def joiner(self) -> bool:
        return bool(self.said) and self.said[0].part in JOINERS


_element: Callable[[Iterable[object]], Element] = partial(tuple.__new__, Element)
"""``Element._make`` in C, since there are many elements."""


@lru_cache(maxsize=8192)
def _meaning(word: str, words: Lexicon) -> Element | None:
    """The meaning of a folded word regardless of position, as an element without one."""
    said = number_word(word, words)
    if said is not None and said.part in _NO_NUMBERS:
        return Element(0, 0, (said,), word=True)
    if len(word) == 1:
        is_letter = word.isalpha() and not word.isdigit()
        return Element(0, 0, letter=word, strong=word not in words.word_letters) if is_letter else None
    if said is not None:
        return Element(0, 0, (said,), word=True, strong=word not in words.weak)
    return None


def element_at(found: Sequence[Token], i: int, words: Lexicon) -> Element | None:
    """The number word, digits or letter that begins at token ``i``."""
    token = found[i]
    if token.form is not _WORD:
        if token.form is _MARK or _part_of_a_whole(found, i):
            return None
        return _element((i, i + 1, (Said(Part.FIGURES, token.folded),), "", False, True, False))
    meaning = _meaning(token.folded, words)
    if meaning is None or _touches_figures(found, i):
        return None
    _, _, said, letter, word, strong, _ = meaning
    if not word:
        stop = i + 1 < len(found) and found[i + 1].folded == "." and glued(token, found[i + 1])
        return _element((i, i + 1 + stop, (), letter, False, strong, False))
    if said and said[0].part is Part.REPEAT:
        return _repeated(said[0], found, i, words)
    if said and not strong and said[0].part is Part.SCALE:
        strong = i > 0 and found[i - 1].folded in words.articles
    return _element((i, i + 1, said, letter, True, strong, False))


def _repeated(repeat: Said, found: Sequence[Token], i: int, words: Lexicon) -> Element | None:
    """Two or more of what follows, as in "double five" or "triple a"; repeats of repeats do not count."""
    following = number_word(found[i + 1].folded, words) if i + 1 < len(found) else repeat
    if following is not None and following.part is Part.REPEAT:
        return None
    inner = element_at(found, i + 1, words)
    if inner is None:
        return None
    times = int(repeat.value)
    if inner.letter == "o" and not inner.word:
        return Element(i, i + 2, (repeat, _ZERO), inner.letter * times, word=True)
    if inner.letter:
        return Element(i, inner.last, letter=inner.letter * times, word=True)
    if len(inner.said) == 1 and len(inner.said[0].value) == 1:
        return Element(i, inner.last, (repeat, inner.said[0]), word=True)
    return None


def _touches_figures(found: Sequence[Token], i: int) -> bool:
    token = found[i]
    if i and found[i - 1].end == token.start:
        before = found[i - 1]
        if before.form is not _MARK or before.folded in _TYING:
            return True
    if i + 1 < len(found) and found[i + 1].start == token.end:
        return found[i + 1].form is not _MARK
    return False


def _part_of_a_whole(found: Sequence[Token], i: int) -> bool:
    """Whether digits are part of something written, as in "3.5", "10:30", "$40", "5g" or "1,000"."""
    for step in (-1, 1):
        j, beyond = i + step, i + 2 * step
        if not 0 <= j < len(found) or not _touch(found, i, j):
            continue
        if found[j].form is not Form.MARK:
            return True
        inner = 0 <= beyond < len(found) and _touch(found, j, beyond) and found[beyond].form is Form.FIGURES
        if found[j].folded in "$€£%" or (inner and found[j].folded in _GLUING):
            return True
    return False


def _touch(found: Sequence[Token], i: int, j: int) -> bool:
    return glued(found[i], found[j]) if i < j else glued(found[j], found[i])


def chains(
    found: Sequence[Token], places: Iterable[int], lines: AbstractSet[int], words: Lexicon
) -> Iterator[list[Element]]:
    """Maximal lists of elements with little in between, on one line.

    Args:
        found: the tokens of a text.
        places: the tokens at which elements may begin, ascending.
        lines: the tokens that begin a line.
        words: the language.
    """
    chain: list[Element] = []
    last = 0
    for i in places:
        if i < last:
            continue
        element = element_at(found, i, words)
        if element is None or element.joiner:
            continue
        if chain and (i > last or lines):
            same_line = not lines or lines.isdisjoint(range(last, i + 1))
            link = _link(found, chain[-1], element, words) if same_line else None
            if link is None:
                yield chain
                chain = []
            else:
                chain.extend(link)
                if _paused(found, chain[-1], element):
                    element = _element((*element[:-1], True))
        chain.append(element)
        last = element.last
    if chain:
        yield chain


def _link(found: Sequence[Token], left: Element, right: Element, words: Lexicon) -> list[Element] | None:
    """The joiners between two elements of one chain; None if they belong to two chains."""
    between = found[left.last : right.first]
    if len(between) > _MOST_SOFT:
        return None
    said = words.numbers.get(between[0].folded) if len(between) == 1 else None
    if said is not None:
        before = left.said[-1].part if left.said else None
        if before in _BEFORE_JOINERS.get(said.part, ()) and right.said:
            return [Element(left.last, left.last + 1, (said,), word=True)]
        return None
    # Letters separated by "uh" are false starts.
    lettered = (left.letter and not left.said) or (right.letter and not right.said)
    for token in between:
        if token.folded not in _SOFT_MARKS and (lettered or token.folded not in words.fillers):
            return None
    return []


def _paused(found: Sequence[Token], left: Element, right: Element) -> bool:
    """Whether something is between them other than the hyphen of "twenty-three" (or spaces around it)."""
    between = found[left.last : right.first]
    return bool(between) and not (len(between) == 1 and between[0].folded == "-")
