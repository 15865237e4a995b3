"""Spoken e-mail, web and network addresses: "jane dot doe at g mail dot com"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tacenda.transforms.detecting.spoken.lexicon import AddressWords, Lexicon, Part, address_words
from tacenda.transforms.detecting.spoken.numbers import figures
from tacenda.transforms.detecting.spoken.runs import Kind, SpokenRun
from tacenda.transforms.detecting.spoken.seeds import GLUED_TOPS
from tacenda.transforms.detecting.spoken.sequences import Element
from tacenda.transforms.detecting.spoken.signs import Sign, signs
from tacenda.transforms.detecting.spoken.tokens import Form, Token, glued, phrase_at
from tacenda.transforms.storage.process_cache import built_once

_MOST_PLAIN_WORDS = 3
_MOST_LABELS = 12
_LONGEST_FUNCTION_WORD = 3
_MOST_WORDS_OF_A_BYTE = 4


@built_once
def glued_hosts() -> re.Pattern[str]:
    """A pattern for words that end in a mail host and top-level domain without the dot between them."""
    hosts = "|".join(sorted(address_words().mail_hosts, key=lambda host: (-len(host), host)))
    return re.compile(f"({hosts})({'|'.join(GLUED_TOPS)})$")


class _Piece(NamedTuple):
    """The tokens ``first:last`` of an address, and their written form."""

    first: int
    last: int
    value: str


class Addresses:
    """The addresses of one text, found from the top-level domain outwards."""

    def __init__(self, found: Sequence[Token], elements: Mapping[int, Element], words: Lexicon) -> None:
        """``elements`` has the numbers and letters of the text by the token after each."""
        self._found = found
        self._ending = elements
        self._starting = {element.first: element for element in elements.values()}
        self._words = words
        self._common: AddressWords = address_words()
        self._taken = 0
        self._signs = signs(found, words)
        self._sign_ends = {sign.last: sign for sign in self._signs.values()}

    def runs(self) -> Iterator[SpokenRun]:
        """All addresses with a spoken or omitted sign, in order."""
        hosts = [i for i, token in enumerate(self._found) if token.folded.endswith(GLUED_TOPS)]
        for i in sorted({*hosts, *(i for i, sign in self._signs.items() if sign.value in "._")}):
            if i < self._taken:
                continue
            run = self._network(i) or self._glued_host(i) or self._named(i) or self._handle(i)
            if run is not None:
                last, spoken_run = run
                self._taken = last
                yield spoken_run

    # One kind of address each.

    def _network(self, dot: int) -> tuple[int, SpokenRun] | None:
        """An IPv4 address: four numbers and three dots, the first at ``dot``."""
        first = j = self._number_before(dot)
        numbers: list[str] = []
        while len(numbers) < 4:
            end = self._number_after(j)
            said = [s for k in range(j, end) if k in self._starting for s in self._starting[k].said]
            value = figures(said)
            if not value or len(value) > 3 or int(value) > 255:
                return None
            numbers.append(value)
            j = end
            if len(numbers) < 4:
                sign = self._signs.get(j)
                if sign is None or sign.value != "." or not sign.said:
                    return None
                j = sign.last
        return j, self._as_run(first, j, ".".join(numbers), "ip")

    def _letters_after(self, first: int) -> tuple[str, int]:
        """The letters said one by one from token ``first`` on, and their end."""
        letters, end = "", first
        while (
            end in self._starting and self._starting[end].letter and not self._is_a_word(self._starting[end])
        ):
            letters += self._starting[end].letter
            end = self._starting[end].last
            hyphen = end < len(self._found) and self._found[end].folded == "-"
            end += hyphen and end + 1 in self._starting
        return letters, end

    def _number_before(self, end: int) -> int:
        first = end
        while first in self._ending and end - first < _MOST_WORDS_OF_A_BYTE:
            element = self._ending[first]
            if not element.said or (first < end and (_written(element) or self._starting[first].pause)):
                break
            first = element.first
            if _written(element):
                break
        return max(first, self._taken)

    def _number_after(self, first: int) -> int:
        end = first
        while end in self._starting and end - first < _MOST_WORDS_OF_A_BYTE:
            element = self._starting[end]
            if not element.said or (end > first and (_written(element) or element.pause)):
                break
            end = element.last
            if _written(element):
                break
        return end

    def _glued_host(self, i: int) -> tuple[int, SpokenRun] | None:
        """A mail host without its dot, and without an at sign: "mohan 283 gmailcom"."""
        word = self._found[i].folded
        match = glued_hosts().search(word)
        if match is None or i < self._taken:
            return None
        domain = f"{match[1]}.{match[2]}"
        if match.start():
            label = self._label(i + 1, joins_words=True)
            local = label and _Piece(label.first, i, label.value.removesuffix(match[0]))
        else:
            sign = self._sign_before(i)
            local = self._labels(sign.first if sign and sign.value == "@" else i, "._-+", joins_words=True)
        if local is None:
            return None
        return i + 1, self._as_run(local.first, i + 1, f"{local.value}@{domain}", "email")

    def _named(self, i: int) -> tuple[int, SpokenRun] | None:
        """An address whose first dot before a top-level domain is the sign at token ``i``."""
        dot = self._signs.get(i)
        if dot is None or dot.value != "." or not self._is_top(dot.last):
            return None
        last, right = self._right_of(dot)
        host = self._host(dot.first)
        if host is None:
            return None
        value = f"{host.value}.{right}"
        end, path = self._path(last)
        at = self._sign_before(host.first)
        local = None
        web = value.startswith("www.") or path != ""
        if at is not None and at.value == "@" and not web:
            local = self._local(at.first)
        elif host.value in self._common.mail_hosts and host.first > self._taken:
            local = self._local(host.first, missing_at=True)
        if local is not None:
            if not self._is_said(local, host, last):
                return None
            return last, self._as_run(local.first, last, f"{local.value}@{value}", "email")
        last = end
        first, scheme = self._scheme(host.first)
        if not self._says_a_sign(first, last):
            return None
        return last, self._as_run(first, last, scheme + value + path, "url")

    def _handle(self, i: int) -> tuple[int, SpokenRun] | None:
        """An account name: "jane underscore doe"."""
        sign = self._signs.get(i)
        if sign is None or sign.value != "_" or not sign.said:
            return None
        left = self._label(sign.first, joins_words=True)
        last, right = self._after(sign)
        if left is None or not right:
            return None
        following = self._signs.get(last)
        if following is not None and following.value in "@.":
            return None
        return last, self._as_run(left.first, last, left.value + right, "handle")

    # Parts of an address.

    def _after(self, sign: Sign) -> tuple[int, str]:
        """The words and signs after a sign, with their end."""
        value, last = "", sign.first
        for _ in range(_MOST_LABELS):
            following = self._signs.get(last)
            if following is None or following.value not in "._-" or following.last >= len(self._found):
                break
            word, end = self._letters_after(following.last)
            if not word:
                token = self._found[following.last]
                if token.form is Form.MARK or token.folded in self._words.stops:
                    break
                word, end = token.folded, following.last + 1
            value += following.value + word
            last = end
        return last, value

    def _is_top(self, i: int) -> bool:
        return i < len(self._found) and self._found[i].folded in self._common.top_level

    def _right_of(self, dot: Sign) -> tuple[int, str]:
        """The labels of the domain that begins with ``dot`` ("dot example dot co dot uk"), with its end."""
        labels = [self._found[dot.last].folded]
        last = dot.last + 1
        for _ in range(_MOST_LABELS):
            sign = self._signs.get(last)
            if sign is None or sign.value != "." or not self._is_top(sign.last):
                break
            labels.append(self._found[sign.last].folded)
            last = sign.last + 1
        return last, ".".join(labels)

    def _host(self, end: int) -> _Piece | None:
        """The labels of a host before token ``end``."""
        piece = self._labels(end, ".-", joins_words=False)
        if piece is None:
            return None
        for phrase, host in self._common.split_hosts.items():
            first = piece.last - len(phrase)
            if first >= self._taken and phrase_at(self._found, first, phrase):
                return _Piece(first, piece.last, host)
        # Names of several words: "at purple cow dot example", "visit big sky dot com".
        first = self._plain_words_before(piece.first)
        if first < piece.first:
            name = "".join(token.folded for token in self._found[first : piece.first])
            return _Piece(first, piece.last, name + piece.value)
        return piece

    def _local(self, end: int, missing_at: bool = False) -> _Piece | None:
        """The local part before the at sign at token ``end``."""
        piece = self._labels(end, "._-+", joins_words=True)
        if piece is None or (missing_at and self._found[piece.last - 1].form is Form.MARK):
            return None
        first = self._plain_words_before(piece.first) if not missing_at else piece.first
        name = "".join(token.folded for token in self._found[first : piece.first])
        return _Piece(first, piece.last, name + piece.value)

    def _labels(self, end: int, signs: str, joins_words: bool) -> _Piece | None:
        """Labels with signs between them, to the left of token ``end``."""
        pieces: list[str] = []
        first = end
        for _ in range(_MOST_LABELS):
            label = self._label(first, joins_words)
            if label is None:
                break
            first = label.first
            pieces.append(label.value)
            sign = self._sign_before(first)
            if sign is None or sign.value not in signs or sign.first <= self._taken:
                return _Piece(first, end, "".join(reversed(pieces)))
            if self._label(sign.first, joins_words) is None:
                return _Piece(first, end, "".join(reversed(pieces)))
            pieces.append(sign.value)
            first = sign.first
        return None

    def _label(self, end: int, joins_words: bool) -> _Piece | None:
        """A word, or single letters and digits; a word followed by digits belongs to them."""
        first = end
        values: list[str] = []
        while first - 1 >= self._taken and first in self._ending:
            element = self._ending[first]
            if self._is_a_word(element):
                break
            if element.first < self._taken or (values and not self._tied_to_next(element, first)):
                break
            if not element.letter and self._found[element.first].folded in self._words.misheard_common:
                break
            values.append(element.letter or figures(element.said))
            first = element.first
            if first > self._taken and self._found[first - 1].folded == "-" and first - 1 in self._ending:
                first -= 1
        value = "".join(reversed(values))
        has_figures = any(c.isdigit() for c in value)
        if first > self._taken and (not values or (has_figures and joins_words)):
            token = self._found[first - 1]
            close = not values or self._found[first].start - token.end <= 1
            written = values and token.form is Form.WORD and glued(token, self._found[first])
            if (
                token.form is Form.WORD
                and close
                and (written or self._may_be_label(token.folded, joins_words))
            ):
                return _Piece(first - 1, end, token.folded + value)
            if not values and token.form is Form.FIGURES:
                before = self._found[first - 2] if first - 2 >= self._taken else None
                if before is not None and before.form is Form.WORD and glued(before, token):
                    return _Piece(first - 2, end, before.folded + token.folded)
                return _Piece(first - 1, end, token.folded)
        return _Piece(first, end, value) if values else None

    def _is_a_word(self, element: Element) -> bool:
        """A spelling word ("mike") without adjacent letters is a plain word, not a letter."""
        if not element.letter or element.last - element.first > 1 or not element.word:
            return False
        beside = (self._ending.get(element.first), self._starting.get(element.last))
        return not any(other is not None and other.letter for other in beside)

    def _may_be_label(self, word: str, joins_words: bool) -> bool:
        """Common words are not names, but words about addresses ("mail", "site") may be parts of a host."""
        if word not in self._words.stops:
            return True
        return not joins_words and word in self._words.introducers and len(word) > _LONGEST_FUNCTION_WORD

    def _tied_to_next(self, element: Element, first: int) -> bool:
        following = self._starting.get(first) or self._starting.get(first + 1)
        return following is not None and element.last in (first, first + 1)

    def _plain_words_before(self, first: int) -> int:
        """The start of the plain words before a label, if an introductory word or a sign precedes them."""
        start = first
        for _ in range(_MOST_PLAIN_WORDS):
            if start <= self._taken or start in self._sign_ends:
                break
            token = self._found[start - 1]
            if token.form is not Form.WORD or token.folded in self._words.stops:
                break
            start -= 1
        return start if start < first and self._introduced(start) else first

    def _introduced(self, first: int) -> bool:
        if first <= self._taken:
            return False
        before = self._found[first - 1].folded
        return (
            before in self._words.introducers or before in (":", "@") or self._words.signs.get(before) == "@"
        )

    def _path(self, last: int) -> tuple[int, str]:
        """The path after a domain: "slash docs slash start"."""
        path = ""
        for _ in range(_MOST_LABELS):
            sign = self._signs.get(last)
            if sign is None or sign.value not in ("/", "-", "_") or sign.last >= len(self._found):
                break
            if not path and sign.value != "/":
                break
            token = self._found[sign.last]
            if token.form is Form.MARK:
                break
            path += sign.value + token.folded
            last = sign.last + 1
        return last, path

    def _scheme(self, first: int) -> tuple[int, str]:
        """The scheme before a host: "h t t p s colon slash slash"."""
        sign = self._sign_before(first)
        slashes = 0
        at = first
        while sign is not None and sign.value == "/" and slashes < 2:
            slashes, at = slashes + 1, sign.first
            sign = self._sign_before(at)
        if slashes == 2 and sign is not None and sign.value == ":":
            label = self._label(sign.first, joins_words=False)
            if label is not None and label.value in ("http", "https"):
                return label.first, label.value + "://"
        return first, ""

    # Signs.

    def _sign_before(self, end: int) -> Sign | None:
        """The sign that ends before token ``end``, after the last address."""
        sign = self._sign_ends.get(end)
        return sign if sign is not None and sign.first >= self._taken else None

    def _says_a_sign(self, first: int, last: int) -> bool:
        """Whether a sign is spoken, or an at sign is set apart; other rules find plain written addresses."""
        signs = (self._signs[i] for i in range(first, last) if i in self._signs)
        return any(sign.said or (sign.value == "@" and not self._tight(sign.first)) for sign in signs)

    def _is_said(self, local: _Piece, host: _Piece, last: int) -> bool:
        """Whether an e-mail address is spoken; "at" before a written domain may be a plain preposition."""
        if not self._says_a_sign(local.first, last):
            return False
        more = any(self._says_a_sign(*piece) for piece in ((local.first, local.last), (host.first, last)))
        service = host.value.split(".")[0] in self._common.mail_hosts
        written_at = any(self._found[i].folded == "@" for i in range(local.last, host.first))
        return more or service or written_at or not local.value.isalpha() or self._introduced(local.first)

    def _tight(self, i: int) -> bool:
        return glued(self._found[i - 1], self._found[i]) and glued(self._found[i], self._found[i + 1])

    def _as_run(self, first: int, last: int, value: str, kind: Kind) -> SpokenRun:
        spoken = sum(self._found[i].form is Form.WORD for i in range(first, last))
        return SpokenRun(self._found[first].start, self._found[last - 1].end, value, kind, spoken)


def _written(element: Element) -> bool:
    """Whether it is written in digits."""
    return element.said[0].part is Part.FIGURES
