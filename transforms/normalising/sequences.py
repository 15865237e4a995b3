"""Numbers and letters that are said one after the other: elements, and the chains they form."""

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from transforms.normalising.lexicon import Lexicon, Part, Said
from transforms.normalising.numbers import number_word
from transforms.normalising.tokens import Form, Token, glued, phrase_at

_SOFT_MARKS = frozenset("-–—,.…")
_MOST_SOFT = 3
"""Marks and fillers that may stand between two elements."""

_GLUING = frozenset(".,:/$€£%'’@_+=#&*")
"""Marks that make figures part of something written, where they touch them on both sides."""

_TYING = frozenset("'’_@/&")
"""Marks that make the word behind them part of something written."""

_NO_NUMBERS = frozenset({Part.REPEAT, Part.JOINER, Part.TEN_JOINER})
_MARK, _FIGURES = Form.MARK, Form.FIGURES


class Element(NamedTuple):
    """The tokens ``first:last``: part of a number (``said``), or a letter.

    ``word`` is false for figures and bare letters. ``strong`` is false for what mostly means something else.
    ``pause`` says that more than a space parts it from the element before it.
    """

    first: int
    last: int
    said: tuple[Said, ...] = ()
    letter: str = ""
    word: bool = False
    strong: bool = True
    pause: bool = False

    @property
    def misheard(self) -> bool:
        return bool(self.said) and self.said[0].part is Part.MISHEARD

    @property
    def joiner(self) -> bool:
        return bool(self.said) and self.said[0].part in (Part.JOINER, Part.TEN_JOINER)


def element_at(found: Sequence[Token], i: int, words: Lexicon) -> Element | None:
    """The number word, figures or letter that begins at token ``i``."""
    form, folded = found[i].form, found[i].folded
    if form is _FIGURES:
        return None if _part_of_a_whole(found, i) else Element(i, i + 1, (Said(Part.FIGURES, folded),))
    if form is _MARK:
        return None
    said = number_word(folded, words)
    alone = len(folded) == 1
    if said is None and not alone and folded not in words.alphabet:
        return None
    if _touches_figures(found, i):
        return None
    if said is not None and said.part in _NO_NUMBERS:
        return (
            _repeated(said, found, i, words)
            if said.part is Part.REPEAT
            else Element(i, i + 1, (said,), word=True)
        )
    if alone:
        return _letter(found, i, words)
    if said is None:
        strong = folded in words.clear_alphabet
        return Element(i, i + 1, letter=words.alphabet[folded], word=True, strong=strong)
    if said.part is Part.SCALE and i and found[i - 1].folded in words.articles:
        return Element(i, i + 1, (said,), word=True)
    strong = folded not in words.weak and said.part is not Part.MISHEARD
    return Element(i, i + 1, (said,), word=True, strong=strong)


def _repeated(repeat: Said, found: Sequence[Token], i: int, words: Lexicon) -> Element | None:
    """Twice or more what follows, as in "double five" or "triple a"; a repeat of a repeat is none."""
    following = number_word(found[i + 1].folded, words) if i + 1 < len(found) else repeat
    if following is not None and following.part is Part.REPEAT:
        return None
    inner = element_at(found, i + 1, words)
    if inner is None:
        return None
    if inner.letter:
        return Element(i, inner.last, letter=inner.letter * int(repeat.value), word=True)
    if len(inner.said) == 1 and len(inner.said[0].value) == 1:
        return Element(i, inner.last, (repeat, inner.said[0]), word=True)
    return None


def _letter(found: Sequence[Token], i: int, words: Lexicon) -> Element | None:
    """A single letter, with its full stop and with the word that makes it clear: "M as in Mary"."""
    letter = found[i].folded
    if letter.isdigit() or not letter.isalpha():
        return None
    last = start = i + 1
    if start < len(found) and found[start].folded in {",", "-", "."}:
        start += 1
    cued = start < len(found) and len(found[start].folded) > 1
    for phrase in words.as_in if cued else ():
        end = start + len(phrase)
        if phrase_at(found, start, phrase) and end < len(found) and _begins_with(found[end], letter):
            return Element(i, end + 1, letter=letter, word=True)
    if last < len(found) and found[last].folded == "." and glued(found[i], found[last]):
        last += 1
    strong = letter not in words.word_letters
    return Element(i, last, letter=letter, strong=strong)


def _begins_with(token: Token, letter: str) -> bool:
    return token.form is Form.WORD and len(token.folded) > 2 and token.folded[0] == letter


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
    """Figures of "3.5", "10:30", "$40", "5g" or "1,000": written, not said."""
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
    """Maximal lists of elements that follow each other with little between them, on one line.

    Args:
        found: the tokens of a text.
        places: those at which elements may begin, rising.
        lines: those that begin a line.
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
                    element = element._replace(pause=True)
        chain.append(element)
        last = element.last
    if chain:
        yield chain


def _link(found: Sequence[Token], left: Element, right: Element, words: Lexicon) -> list[Element] | None:
    """The joiners between two elements of one chain; nothing where they are two chains."""
    between = found[left.last : right.first]
    joiners = [t for t in between if t.form is Form.WORD and t.folded in words.numbers]
    if len(joiners) == 1 and len(between) == 1:
        said = words.numbers[joiners[0].folded]
        before = left.said[-1].part if left.said else None
        adds = before in (Part.SCALE, Part.HUNDREDS) if said.part is Part.JOINER else before is Part.TEN
        if said.part in (Part.JOINER, Part.TEN_JOINER) and adds and right.said:
            return [Element(left.last, left.last + 1, (said,), word=True)]
        return None
    lettered = bool(left.letter or right.letter)  # letters with "uh" between are false starts
    soft = all(t.folded in _SOFT_MARKS or (t.folded in words.fillers and not lettered) for t in between)
    return [] if soft and len(between) <= _MOST_SOFT else None


def _paused(found: Sequence[Token], left: Element, right: Element) -> bool:
    """Something stands between, and it is not the hyphen of "twenty-three" (some write spaces around it)."""
    between = found[left.last : right.first]
    return bool(between) and not (len(between) == 1 and between[0].folded == "-")
