"""Spoken e-mail and web addresses: "jane dot doe at g mail dot com"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tacenda.transforms.detecting.spoken.lexicon import Lexicon, address_words
from tacenda.transforms.detecting.spoken.numbers import figures
from tacenda.transforms.detecting.spoken.runs import Kind, SpokenRun
from tacenda.transforms.detecting.spoken.seeds import GLUED_TOPS
from tacenda.transforms.detecting.spoken.sequences import Element
from tacenda.transforms.detecting.spoken.tokens import Form, Token, glued, phrase_at
from tacenda.transforms.detecting.word_lists import alternatives
from tacenda.transforms.storage.process_cache import built_once

_MOST_LABELS = 12
_LONGEST_FUNCTION_WORD = 3
_WRITTEN = frozenset("._-+@")


@built_once
def _glued_hosts() -> re.Pattern[str]:
    """Words that end in a mail host and top-level domain without the dot between them."""
    return re.compile(f"({alternatives(address_words().mail_hosts)})({'|'.join(GLUED_TOPS)})$")


class Sign(NamedTuple):
    """The tokens ``first:last``, and the character that they mean; ``said`` in words, or written."""

    first: int
    last: int
    value: str
    said: bool


def signs(found: Sequence[Token], words: Lexicon) -> dict[int, Sign]:
    """The signs of a text, by their first token."""
    by_start: dict[int, Sign] = {}
    last = 0
    for i, token in enumerate(found):
        if i < last:
            continue
        value, end = words.signs.get(token.folded, ""), i + 1
        for phrase, meaning in words.long_signs.get(token.folded, ()):
            if phrase_at(found, i, phrase):
                value, end = meaning, i + len(phrase)
                break
        said = token.form is not Form.MARK
        if not said and token.folded in _WRITTEN:
            # Written marks touch both sides; only an at sign may be set apart ("jo@ example.com").
            tied = 0 < i < len(found) - 1 and glued(found[i - 1], token) and glued(token, found[i + 1])
            value = token.folded if tied or token.folded == "@" else ""
        if value:
            by_start[i] = Sign(i, end, value, said)
            last = end
    return by_start


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
        self._common = address_words()
        self._taken = 0
        self._signs = signs(found, words)
        self._sign_ends = {sign.last: sign for sign in self._signs.values()}

    def runs(self) -> Iterator[SpokenRun]:
        """All addresses with a spoken or omitted sign, in order."""
        hosts = [i for i, token in enumerate(self._found) if token.folded.endswith(GLUED_TOPS)]
        for i in sorted({*hosts, *(i for i, sign in self._signs.items() if sign.value == ".")}):
            if i >= self._taken and (run := self._glued_host(i) or self._named(i)) is not None:
                self._taken, spoken_run = run
                yield spoken_run

    def _glued_host(self, i: int) -> tuple[int, SpokenRun] | None:
        """A mail host without its dot, and without an at sign: "mohan 283 gmailcom"."""
        match = _glued_hosts().search(self._found[i].folded)
        if match is None:
            return None
        if match.start():
            label = self._label(i + 1, joins_words=True)
            local = label and _Piece(label.first, i, label.value.removesuffix(match[0]))
        else:
            sign = self._sign_before(i)
            local = self._labels(sign.first if sign and sign.value == "@" else i, "._-+", joins_words=True)
        if local is None:
            return None
        return i + 1, self._run(local.first, i + 1, f"{local.value}@{match[1]}.{match[2]}", "email")

    def _named(self, i: int) -> tuple[int, SpokenRun] | None:
        """An address whose first dot before a top-level domain is the sign at token ``i``."""
        dot: Sign | None = self._signs.get(i)
        tops: list[str] = []
        last = i
        while dot is not None and dot.value == "." and len(tops) < _MOST_LABELS and self._is_top(dot.last):
            tops.append(self._found[dot.last].folded)
            last = dot.last + 1
            dot = self._signs.get(last)
        host = self._host(i) if tops else None
        if host is None:
            return None
        value = f"{host.value}.{'.'.join(tops)}"
        at = self._sign_before(host.first)
        local = None
        if at is not None and at.value == "@" and not value.startswith("www."):
            local = self._labels(at.first, "._-+", joins_words=True)
        elif host.value in self._common.mail_hosts and host.first > self._taken:
            local = self._labels(host.first, "._-+", joins_words=True)
            if local is not None and self._found[local.last - 1].form is Form.MARK:
                local = None
        if local is None:
            last, path = self._path(last)
            said = self._says_a_sign(host.first, last)
            return (last, self._run(host.first, last, value + path, "url")) if said else None
        # "at" alone before a written domain is a preposition: "look at example.com".
        more = any(self._says_a_sign(*piece) for piece in ((local.first, local.last), (host.first, last)))
        if not (more or (self._says_a_sign(local.first, last) and self._is_certain(local, host))):
            return None
        return last, self._run(local.first, last, f"{local.value}@{value}", "email")

    def _path(self, last: int) -> tuple[int, str]:
        """The path after a domain, "slash docs slash start", with the token after it."""
        path = ""
        for _ in range(_MOST_LABELS):
            sign = self._signs.get(last)
            if sign is None or sign.value not in ("/-_" if path else "/") or sign.last >= len(self._found):
                break
            token = self._found[sign.last]
            if token.form is Form.MARK:
                break
            path += sign.value + token.folded
            last = sign.last + 1
        return last, path

    def _is_top(self, i: int) -> bool:
        return i < len(self._found) and self._found[i].folded in self._common.top_level

    def _host(self, end: int) -> _Piece | None:
        """The labels of a host before token ``end``."""
        piece = self._labels(end, ".-", joins_words=False)
        if piece is None:
            return None
        for phrase, host in self._common.split_hosts.items():
            first = piece.last - len(phrase)
            if first >= self._taken and phrase_at(self._found, first, phrase):
                return _Piece(first, piece.last, host)
        return piece

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
            if (
                sign is None
                or sign.value not in signs
                or sign.first <= self._taken
                or self._label(sign.first, joins_words) is None
            ):
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
            if element.first < self._taken or (values and element.last not in (first, first + 1)):
                break
            values.append(element.letter or figures(element.said))
            first = element.first
            if first > self._taken and self._found[first - 1].folded == "-" and first - 1 in self._ending:
                first -= 1
        value = "".join(reversed(values))
        has_figures = any(c.isdigit() for c in value)
        if first > self._taken and (not values or (has_figures and joins_words)):
            token = self._found[first - 1]
            touches = bool(values) and glued(token, self._found[first])
            close = not values or self._found[first].start - token.end <= 1
            if (
                token.form is Form.WORD
                and close
                and (touches or self._may_be_label(token.folded, joins_words))
            ):
                return _Piece(first - 1, end, token.folded + value)
            if not values and token.form is Form.FIGURES:
                before = self._found[first - 2] if first - 2 >= self._taken else None
                if before is not None and before.form is Form.WORD and glued(before, token):
                    return _Piece(first - 2, end, before.folded + token.folded)
                return _Piece(first - 1, end, token.folded)
        return _Piece(first, end, value) if values else None

    def _may_be_label(self, word: str, joins_words: bool) -> bool:
        """Common words are not names, but words about addresses ("mail", "site") may be parts of a host."""
        if word not in self._words.stops:
            return True
        return not joins_words and word in self._words.introducers and len(word) > _LONGEST_FUNCTION_WORD

    def _sign_before(self, end: int) -> Sign | None:
        """The sign that ends before token ``end``, after the last address."""
        sign = self._sign_ends.get(end)
        return sign if sign is not None and sign.first >= self._taken else None

    def _says_a_sign(self, first: int, last: int) -> bool:
        """Whether a sign is spoken, or an at sign is set apart; other rules find plain written addresses."""
        several = (self._signs[i] for i in range(first, last) if i in self._signs)
        return any(sign.said or (sign.value == "@" and not self._is_tight(sign.first)) for sign in several)

    def _is_certain(self, local: _Piece, host: _Piece) -> bool:
        """Whether the host, the sign or the local part are hardly those of other text."""
        written = any(self._found[i].folded == "@" for i in range(local.last, host.first))
        return written or host.value.split(".")[0] in self._common.mail_hosts or not local.value.isalpha()

    def _is_tight(self, i: int) -> bool:
        return glued(self._found[i - 1], self._found[i]) and glued(self._found[i], self._found[i + 1])

    def _run(self, first: int, last: int, value: str, kind: Kind) -> SpokenRun:
        spoken = sum(self._found[i].form is Form.WORD for i in range(first, last))
        return SpokenRun(self._found[first].start, self._found[last - 1].end, value, kind, spoken)
