"""Mentions: find where a conversation repeats something that was found elsewhere in it.

One pass looks up every word outside of findings among the forms of known values (``known.py``); only words
with a match have their context examined. So the time grows with text plus findings, not with their product.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from tacenda.transforms.linking.propagation.guards import Place, Vocabulary, has_capitals, is_mention
from tacenda.transforms.linking.propagation.inflections import Endings, inflecting, stems
from tacenda.transforms.linking.propagation.known import (
    SAME_START,
    Form,
    Known,
    Value,
    distinct_words,
    folded,
    kind_of,
    pattern,
    possessive,
)
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.schema.token import TOKEN, may_have_tokens

DETECTOR = "propagation"
OF_LABELS = "speaker_label"
_OVER = "\x01"  # replaces each character of a finding
_CELL = "\0"
_GAP = re.compile(r"[^\w\0\x01\n]{1,3}|\n")
_COMMON = 2  # minimum level at which a word is too common to be a value alone


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
    values = [Value(*value, detector) for value, detector in known.items() if kind_of(value[0]) != "never"]
    if not values:
        return []
    more: dict[int, list[Finding]] = {}
    conversation = _Conversation(texts, findings)
    for start, end, form in conversation.mentions(values):
        cell = bisect_right(conversation.origins, start) - 1
        origin = conversation.origins[cell]
        likelihood = Likelihood.LIKELY if form.sure else Likelihood.POSSIBLE
        detector = form.detector or DETECTOR
        finding = Finding(start - origin, end - origin, form.info_type, likelihood, detector)
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
        self._words = distinct_words(self.rest)
        self._pattern = pattern(self.text)

    def mentions(self, values: Sequence[Value]) -> Iterator[tuple[int, int, Form]]:
        """Start, end and form of each mention, disjoint and in order."""
        languages = inflecting(self._small)
        known = Known(values, languages)
        forms = self._forms(known, languages)
        found = list(self._in_words(known, forms)) if forms else []
        found += self._unspaced(known)
        found.sort(key=lambda one: (one[0], -one[1]))
        reach = 0
        for start, end, form in found:
            if start >= reach:
                yield start, end, form
                reach = end

    @cached_property
    def _small(self) -> set[str]:
        return {word.lower() for word in self._words}

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self._words)

    def _forms(self, known: Known, languages: tuple[Endings, ...]) -> dict[str, Form | None]:
        """The distinct words that are a form, or that begin a phrase (None)."""
        forms: dict[str, Form | None] = {}
        # What does not begin as a name does is no form of it, nor is what has no capital, if others have.
        is_cased = bool(known.names) and has_capitals(self._words)
        for word in self._words if known.names else ():
            if is_cased and not word[0].isupper():
                continue
            fold = word.lower() if word.isascii() else folded(word)
            if fold[:SAME_START] in known.names:
                names = known.stems(fold[:SAME_START])
                several = (folded(word), *stems(word.lower(), languages))
                form = next((names[stem] for stem in several if stem in names), None)
                if form is not None:
                    forms[word] = form
        folds = self._small.union([folded(word) for word in self._words if "'" in word or not word.isascii()])
        exact = folds & (known.words.keys() | known.nicknames.keys() | known.lengths.keys())
        for word in self._words if exact else ():
            fold = folded(word)
            if fold in exact:
                forms[word] = known.words.get(fold) or known.nicknames.get(fold)
        return forms

    def _in_words(self, known: Known, forms: Mapping[str, Form | None]) -> Iterator[tuple[int, int, Form]]:
        reach = 0
        for match in self._pattern.finditer(self.rest):
            if match[0] in forms and match.start() >= reach:
                one = self._phrase(match, known) or self._word(match, forms[match[0]])
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
            follows = self._pattern.match(self.text, gap.end()) if gap else None
        for length in lengths:
            form = known.phrases.get(tuple(words[:length])) if length <= len(words) else None
            if form is not None and self._is_said(match.start(), ends[length - 1], words[:length], form):
                return match.start(), ends[length - 1], form
        return None

    def _is_said(self, start: int, end: int, words: Sequence[str], form: Form) -> bool:
        """Whether a phrase is a mention, not everyday words that happen to stand together."""
        vocabulary = self._vocabulary
        if (
            form.is_name
            and form.detector != OF_LABELS
            and not all(map(vocabulary.may_be_name, words[:: len(words) - 1]))
        ):
            return False
        text = self.text[start:end]
        if text != text.lower():
            return True
        # The lists hold single names; of an organisation, one word must not be an ordinary word.
        least = _COMMON if form.is_name or kind_of(form.info_type) == "addresses" else 1
        return any(vocabulary.listed_level(word) < least for word in words)

    def _word(self, match: re.Match[str], form: Form | None) -> tuple[int, int, Form] | None:
        if form is None:
            return None
        start, end = match.start(), match.end() - possessive(match[0])
        place, small = Place(self.text, start, end), match[0][: end - start].lower()
        if form.is_name:
            of_label = form.detector == OF_LABELS
            is_meant = is_mention(place, small, self._vocabulary, sure=form.sure, of_label=of_label)
        else:
            is_meant = any(map(str.isdigit, small)) or self._is_unusual(place, small, form)
        return (start, end, form) if is_meant else None

    def _is_unusual(self, place: Place, small: str, form: Form) -> bool:
        """Whether a word is a value by itself, and no word of the language."""
        level = self._vocabulary.level(small)
        if place.has_capital:
            return level == 0 or (level < _COMMON and not (place.opens_sentence or place.in_title))
        return level == 0 and (not place.is_cased or not form.sure)

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
