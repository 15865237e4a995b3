"""Hiding in plain sight: surrogates repeat as real names do, so that a missed name does not stand out.

``markov_sequence`` is the strategy of Simancek and Vydiswaran: a chain of surrogates that repeat as names in
a document do, assigned to its tokens in random order, so that nothing links a surrogate to a name.
``markov_per_value`` is that of BRATsynthetic (Osborne 2022), one chain
per original value.

They give two different rules for a missed name that stands out. By the *token rule*, a true name leaks if it
occurs more often than the strategy lets a surrogate occur. By the *mode rule*, that of Table 3, a document
leaks if its most frequent name is a true one: in a clinical note, the patient's name is the most frequent.
``LeakCheck`` applies both without gold, to names that were found somewhere and are still readable elsewhere,
and to words that look like names, were not inserted and repeat more than surrogates do. The latter are for
people to look at.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Replacer, Values, name_words
from tacenda.transforms.replacing.settings import HidingSettings
from tacenda.transforms.replacing.standing_out import HIDDEN, SHOWN, SUSPECTED
from tacenda.transforms.replacing.surrogates.context import KeyedDraws, Taken, kind_of
from tacenda.transforms.replacing.surrogates.inflection import with_words
from tacenda.transforms.replacing.surrogates.lists import people
from tacenda.transforms.replacing.tokens import TokenReplacer
from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.text.characters import without_accents


def markov_sequence(count: int, pool: Sequence[str], p: float, t: int, draw: Draw) -> list[str | None]:
    """Surrogates for ``count`` tokens: each is repeated with probability ``p``, for at most ``t`` uses.

    A surrogate never returns after another, so each occurs at most ``t`` times. The order is random. Beyond the
    pool, there is None.
    """
    sequence = markov_per_value([""] * count, pool, p, draw, t)
    for i in range(len(sequence) - 1, 0, -1):
        j = draw.below(i + 1)
        sequence[i], sequence[j] = sequence[j], sequence[i]
    return sequence


def markov_per_value(
    originals: Sequence[str], pool: Sequence[str], p: float, draw: Draw, t: int | None = None
) -> list[str | None]:
    """Surrogates for tokens in order: each original keeps its previous surrogate with probability ``p``.

    With ``t``, a surrogate is used at most ``t`` times in a row; the source has no such limit. ``p`` = 1
    gives each original one surrogate, ``p`` = 0 a new one each time. Originals are compared
    case-insensitively. Beyond the pool, there is None.
    """
    fresh = _without_replacement(pool, draw)
    current: dict[str, str | None] = {}
    given: Counter[str | None] = Counter()
    sequence = []
    for original in originals:
        key = original.strip().casefold()
        before = current.get(key)
        if before is None or (t is not None and given[before] >= t) or not draw.chance(p):
            current[key] = before = next(fresh, None)
        given[before] += 1
        sequence.append(before)
    return sequence


def _without_replacement(pool: Sequence[str], draw: Draw) -> Iterator[str]:
    """The pool in random order, shuffled only as far as consumed (Fisher and Yates)."""
    moved: dict[int, str] = {}
    for left in range(len(pool), 0, -1):
        at = draw.below(left)
        chosen = moved.get(at, pool[at])
        moved[at] = moved.get(left - 1, pool[left - 1])
        yield chosen


def leaks_by_token(names: Counter[str], true: Set[str], t: int) -> bool:
    """Whether a true name occurs more than ``t`` times among the names of a document after replacement."""
    return any(names[name] > t for name in true)


def leaks_by_mode(names: Counter[str], true: Set[str]) -> bool:
    """Whether the most frequent name of a document after replacement is a true one.

    If no name is repeated, none is the most frequent. The paper does not define ties; here, one true name among
    the most frequent is enough.
    """
    return not _modes(names).isdisjoint(true)


def suspects(names: Counter[str], inserted: Set[str], t: int) -> frozenset[str]:
    """Without gold: names that were not inserted and occur more than ``t`` times or most often.

    ``names`` are all words of a document, after replacement, that are in a list of names. Documents with
    suspects need human review.
    """
    often = {name for name, count in names.items() if count > t}
    return frozenset((often | _modes(names)) - inserted)


def _modes(names: Counter[str]) -> frozenset[str]:
    most = max(names.values(), default=0)
    return frozenset(name for name, count in names.items() if count == most > 1)


_SHORTEST = 4


class HidingReplacer:
    """Replaces name tokens by family names under a Markov strategy; other findings by another replacer.

    One person has several surrogates, and two people may share one: who is meant is lost on purpose. A
    speaker label counts as one mention. If the list is exhausted, or a mention has no letters, the mention
    gets its token.

    Draws depend on a secret and the id of the conversation; ``rest`` replaces everything that is not a
    person's name.
    """

    def __init__(self, secret: bytes, settings: HidingSettings, rest: Replacer | None = None) -> None:
        self._secret = secret
        self._settings = settings
        self._tokens = TokenReplacer()
        self._rest = rest or self._tokens

    def values(self, conversation: LinkedConversation) -> Values:
        """One value for each finding and each label."""
        rest = self._rest.values(conversation)
        of_entity, texts = conversation.info_types, conversation.texts
        labels = [
            name for name, entity in conversation.labels.items() if kind_of(of_entity[entity - 1]) == "person"
        ]
        found = [
            (i, j, texts[i][finding.start : finding.end])
            for i, cell in enumerate(conversation.findings)
            for j, finding in enumerate(cell)
            if kind_of(finding.info_type) == "person"
        ]
        hidden = self._hidden(conversation, [*labels, *(text for _, _, text in found)])
        if not hidden:
            return rest
        tokens = self._tokens.values(conversation)
        of_labels, findings = dict(rest.labels), [list(cell) for cell in rest.findings]
        for label, value in zip(labels, hidden, strict=False):
            of_labels[label] = value or tokens.labels[label]
        for (i, j, _), value in zip(found, hidden[len(labels) :], strict=True):
            findings[i][j] = value or tokens.findings[i][j]
        return Values(findings, of_labels)

    def _hidden(self, conversation: LinkedConversation, mentions: Sequence[str]) -> list[str | None]:
        """The replacement of each mention, None for its token."""
        words = [list(name_words(text)) for text in mentions]
        taken = Taken(mentions, conversation.texts)
        pool = [name for name in family_names() if not taken.is_word(name)]
        draw = KeyedDraws(self._secret, conversation.id).draw("hiding")
        originals = [match[0] for several in words for match in several]
        p, t = self._settings.p, self._settings.t
        if self._settings.variant == "sequence":
            names = iter(markov_sequence(len(originals), pool, p, t, draw))
        else:
            names = iter(markov_per_value(originals, pool, p, draw, t))
        written = (with_words(mention, own, names) for mention, own in zip(mentions, words, strict=True))
        return [None if value is None or taken.is_original(value) else value for value in written]


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


_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST_COUNTED = 3
"""Letters of a name that is counted: initials repeat without being anybody's."""


class LeakCheck:
    """Looks for names that stand out where a surrogate is used at most ``t`` times."""

    def __init__(self, t: int) -> None:
        self._t = t
        self._listed = _listed()

    def __call__(
        self, conversation: LinkedConversation, values: Sequence[Sequence[str]], texts: Sequence[str]
    ) -> dict[str, int]:
        """Count what stands out in a conversation; nothing if no name of a person was replaced in its texts.

        ``values`` stand in place of each finding, and ``texts`` are those after replacement.
        """
        mentions: set[str] = set()
        inserted: set[str] = set()
        for before, found, after in zip(conversation.texts, conversation.findings, values, strict=True):
            for finding, value in zip(found, after, strict=True):
                # Whatever stands for something else, a street or an organisation, was inserted as well.
                inserted.update(word.casefold() for word in _words(value))
                if kind_of(finding.info_type) == "person":
                    mentions.update(_words(before[finding.start : finding.end]))
        true = {word.casefold() for word in mentions} - inserted
        if not true:
            return {}
        words = [word for text in texts for word in _words(text)]
        lower = {word for word in words if word.islower()}
        spoken = {word for word in mentions if word.islower()}
        names: Counter[str] = Counter()
        for word in words:
            name = word.casefold()
            # Will is a name and will is none, unless it was found as one.
            is_true = name in true and (not word.islower() or word in spoken)
            looks_like_one = name in self._listed and not word.islower() and name not in lower
            names[name] += is_true or name in inserted or looks_like_one
        shown = leaks_by_token(names, true, self._t) or leaks_by_mode(names, true)
        suspected = suspects(names, inserted | true, self._t)
        return {HIDDEN: 1, SHOWN: int(shown), SUSPECTED: int(bool(suspected))}


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if len(word) >= _SHORTEST_COUNTED]


@built_once
def _listed() -> frozenset[str]:
    """Given and family names of the lists of surrogates, in lower case."""
    return frozenset(name.casefold() for pool in people().pools.values() for name in pool)
