"""Hide the names of a conversation in plain sight: token by token, without consistent replacement."""

from collections.abc import Sequence
from typing import NamedTuple

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.hiding.settings import HidingSettings
from tacenda.transforms.replacing.hiding.strategies import (
    PoolExhaustedError,
    markov_per_value,
    markov_sequence,
)
from tacenda.transforms.replacing.replacement import Replacer, Values, name_words
from tacenda.transforms.replacing.surrogates.context import KeyedDraws, Taken, kind_of
from tacenda.transforms.replacing.surrogates.lists import people
from tacenda.transforms.replacing.surrogates.writing import in_case_of, without_accents
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.storage.process_cache import built_once

_SHORTEST = 4


class _Place(NamedTuple):
    """A name token: its mention and its position in that mention."""

    mention: int
    start: int
    end: int
    text: str


class HidingReplacer:
    """Replaces name tokens by family names under a Markov strategy; other findings by another replacer.

    One person has several surrogates, and two people may share one: who is meant is lost on purpose. A
    speaker label counts as one mention. If the list is exhausted, or a mention has no letters, the mention
    gets its token.

    Args:
        secret: seed of the draws, with the id of the conversation.
        settings: variant, p and t.
        rest: the replacer of everything that is not a person's name.
    """

    def __init__(self, secret: bytes, settings: HidingSettings, rest: Replacer | None = None) -> None:
        if not secret:
            raise ValueError("surrogates need a secret")
        self._secret = secret
        self._settings = settings
        self._tokens = TokenReplacer()
        self._rest = rest or self._tokens

    def values(self, conversation: LinkedConversation) -> Values:
        """One value for each finding and each label."""
        rest = self._rest.values(conversation)
        labels = [
            label
            for label, entity in conversation.labels.items()
            if kind_of(conversation.info_types[entity - 1]) == "person"
        ]
        found = [
            (i, j, conversation.texts[i][finding.start : finding.end])
            for i, cell in enumerate(conversation.findings)
            for j, finding in enumerate(cell)
            if kind_of(finding.info_type) == "person"
        ]
        hidden = self._hidden(conversation, [*labels, *(text for _, _, text in found)])
        if not hidden:
            return rest
        tokens = self._tokens.values(conversation)
        findings = [list(cell) for cell in rest.findings]
        for (i, j, _), value in zip(found, hidden[len(labels) :], strict=True):
            findings[i][j] = value or tokens.findings[i][j]
        of_labels = dict(rest.labels)
        for label, value in zip(labels, hidden, strict=False):
            of_labels[label] = value or tokens.labels[label]
        return Values(findings, of_labels)

    def _hidden(self, conversation: LinkedConversation, mentions: Sequence[str]) -> list[str | None]:
        """The replacement of each mention, None for its token."""
        places = [
            _Place(number, match.start(), match.end(), match[0])
            for number, text in enumerate(mentions)
            for match in name_words(text)
        ]
        taken = Taken(mentions, conversation.texts)
        pool = [name for name in family_names() if not taken.is_word(name)]
        draw = KeyedDraws(self._secret, conversation.id).draw("hiding")
        settings = self._settings
        try:
            if settings.variant == "sequence":
                names = markov_sequence(len(places), pool, settings.p, settings.t, draw)
            else:
                names = markov_per_value([p.text for p in places], pool, settings.p, draw, settings.t)
        except PoolExhaustedError:
            return [None] * len(mentions)
        written: list[str | None] = [None] * len(mentions)
        pieces: list[list[str]] = [[] for _ in mentions]
        ends = [0] * len(mentions)
        for place, name in zip(places, names, strict=True):
            mention = mentions[place.mention]
            short = name[0] if len(place.text) == 1 else name
            pieces[place.mention] += mention[ends[place.mention] : place.start], in_case_of(place.text, short)
            ends[place.mention] = place.end
        for number, mention in enumerate(mentions):
            value = "".join([*pieces[number], mention[ends[number] :]])
            if pieces[number] and not taken.is_original(value):
                written[number] = value
        return written


@built_once
def family_names() -> tuple[str, ...]:
    """Family names in Latin letters without accents, of every origin."""
    names = {
        without_accents(name)
        for (_, part), pool in people().pools.items()
        if part in ("l", "lf", "lm")
        for name in pool
        if len(name) >= _SHORTEST
    }
    return tuple(sorted(name for name in names if name.isascii() and name.isalpha()))
