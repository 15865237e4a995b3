"""Mentions: find where a conversation repeats something that was found elsewhere in it.

One pass looks up every word outside of findings among the forms of known values (``known.py``), so that the
time grows with text plus findings, not with their product.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from tacenda.transforms.linking.propagation.guards import facts, languages_of
from tacenda.transforms.linking.propagation.known import WORD, Form, Known, folded, possessive
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import TOKEN, may_have_tokens

DETECTOR = "propagation"
OF_LABELS = "speaker_label"
_OVER = "\x01"  # replaces each character of a finding
_CELL = "\0"
_COMMON = 2  # the level from which on a word is no name by itself …
_SURELY_NAMES = 3  # … unless the lists have it as a given or family name at this level
_GAP = re.compile(r"[^\w\0\x01\n]{1,3}|\n")


def find_mentions(
    texts: Sequence[str], findings: Sequence[Sequence[Finding]], labels: Mapping[str, str] | None = None
) -> list[tuple[int, list[Finding]]]:
    """Find further mentions of a conversation's findings and speakers.

    Args:
        texts: the cells of one conversation.
        findings: for each cell, disjoint findings sorted by start.
        labels: the infoType of each speaker label that is personal data.

    Returns:
        The cells with new findings, and these: disjoint, sorted by start, over no token. Each covers some
        text outside of existing findings; overlapping ones are to be merged with it.
    """
    known: dict[tuple[str, str], str] = {}
    for label, info_type in (labels or {}).items():
        known[info_type, label.strip(" :")] = OF_LABELS
    for text, own in zip(texts, findings, strict=True):
        for start, end, info_type, *_ in own:
            known.setdefault((info_type, text[start:end]), "")
    more: dict[int, list[Finding]] = {}
    conversation = _Conversation(texts, findings)
    for start, end, form in conversation.mentions(known):
        cell = bisect_right(conversation.origins, start) - 1
        origin = conversation.origins[cell]
        detector = form.detector or DETECTOR
        finding = Finding(start - origin, end - origin, form.info_type, Likelihood.LIKELY, detector)
        more.setdefault(cell, []).append(finding)
    return list(more.items())


class _Conversation:
    """The cells of a conversation as one text, with and without its findings."""

    def __init__(self, texts: Sequence[str], findings: Sequence[Sequence[Finding]]) -> None:
        self.text = _CELL.join(texts)
        self.origins = [0, *accumulate([len(text) + 1 for text in texts])]
        self.rest = _CELL.join(
            _without(text, cell) if cell or may_have_tokens(text) else text
            for text, cell in zip(texts, findings, strict=True)
        )
        if "_" in self.text:
            self.text, self.rest = self.text.replace("_", " "), self.rest.replace("_", " ")
        self._words = set(WORD.findall(self.rest))

    def mentions(self, values: Mapping[tuple[str, str], str]) -> Iterator[tuple[int, int, Form]]:
        """Start, end and form of each mention, disjoint and in order."""
        known = Known(values, set(map(folded, self._words)))
        found = list(self._in_words(known))
        found += self._unspaced(known)
        found.sort(key=lambda one: (one[0], -one[1]))
        reach = 0
        for start, end, form in found:
            if start >= reach:
                yield start, end, form
                reach = end

    @cached_property
    def _languages(self) -> list[int]:
        return languages_of(self._words)

    def _in_words(self, known: Known) -> Iterator[tuple[int, int, Form]]:
        begun = known.words.keys() | known.lengths.keys()
        words = {word for word in self._words if folded(word) in begun} if begun else ()
        reach = 0
        for match in WORD.finditer(self.rest) if words else ():
            if match[0] in words and match.start() >= reach:
                one = self._phrase(match, known) or self._word(match, known.words.get(folded(match[0])))
                if one is not None:
                    yield one
                    reach = one[1]

    def _phrase(self, match: re.Match[str], known: Known) -> tuple[int, int, Form] | None:
        """The longest known phrase that starts with a word."""
        lengths = known.lengths.get(folded(match[0]))
        if lengths is None:
            return None
        words, ends = [], []
        follows: re.Match[str] | None = match
        while follows is not None:
            words.append(folded(follows[0]))
            ends.append(follows.end() - possessive(follows[0]))
            gap = _GAP.match(self.text, follows.end()) if len(words) < lengths[0] else None
            follows = WORD.match(self.text, gap.end()) if gap else None
        for length in lengths:
            form = known.phrases.get(tuple(words[:length])) if length <= len(words) else None
            if form is not None:
                return match.start(), ends[length - 1], form
        return None

    def _word(self, match: re.Match[str], form: Form | None) -> tuple[int, int, Form] | None:
        if form is None:
            return None
        start, end = match.start(), match.end() - possessive(match[0])
        word = match[0][: end - start]
        known, is_capital_name = facts(word.lower()), form.is_name and word[0].isupper()
        if is_capital_name and max(known.given, known.family) >= _SURELY_NAMES:
            return start, end, form
        # A common word beside a name, such as a greeting, was no part of it.
        level = max(known.levels) and max((known.levels[one] for one in self._languages), default=0)
        return (start, end, form) if level < (_COMMON if is_capital_name else 1) else None

    def _unspaced(self, known: Known) -> Iterator[tuple[int, int, Form]]:
        """Values in scripts without spaces, wherever they stand."""
        longest = sorted(known.unspaced, key=len, reverse=True)
        for match in re.finditer("|".join(map(re.escape, longest)), self.rest) if longest else ():
            yield match.start(), match.end(), known.unspaced[match[0]]


def _without(text: str, cell: Sequence[Finding]) -> str:
    """A text with placeholder characters over its findings and tokens."""
    if may_have_tokens(text):
        text = TOKEN.sub(lambda token: _OVER * len(token[0]), text)
    parts: list[str] = []
    last = 0
    for start, end, *_ in cell:
        parts += text[last:start], _OVER * (end - start)
        last = end
    return "".join((*parts, text[last:]))
