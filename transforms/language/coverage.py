"""Find conversations with text that no active detector covers, and count languages.

A detector that does not support a language finds nothing in it, which does not mean that nothing is there. So a
conversation that is mostly in an uncovered or unrecognised language goes to quarantine, or holds the run,
unless the user accepts the language with a reason, or people read the conversation. A turn of a few words
decides nothing: a name and a code are in no language. A foreign stretch within a conversation of another
language is counted, and decides nothing either.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from tacenda.transforms.language.identifying import NONE, UNKNOWN, language_tables, main_languages, tell
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.text.column import TextColumn

Uncovered = Literal["hold", "quarantine"]

TURNS, CONVERSATIONS, UNCOVERED = "turns", "conversations", "uncovered"
"""What is counted by language; ``UNCOVERED`` counts each conversation once, by its first uncovered
language."""

LEAST_WORDS = 5
"""Fewest words with letters of a text that says in which language a conversation is."""

UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Thai, Lao, Tibetan, Burmese, Khmer, Kana, Han, Hangul: a sentence or a whole name may form one word."""

ERROR = "LanguageNotCovered"
"""The error class of a conversation quarantined for its language."""


@dataclass(frozen=True, slots=True)
class LanguageSettings:
    """``covered`` are the languages of active detectors; ``accepted``, further accepted ones with reasons."""

    covered: frozenset[str]
    accepted: Mapping[str, str] = field(default_factory=dict)
    uncovered: Uncovered = "quarantine"

    def takes(self, language: str) -> bool:
        """Whether text in a language may be released."""
        return language == NONE or language in self.covered or language in self.accepted

    def to_dict(self) -> dict[str, Any]:
        """The settings as manifest and report show them."""
        return {
            "covered": sorted(self.covered),
            "accepted": dict(sorted(self.accepted.items())),
            "uncovered": self.uncovered,
        }


@dataclass(frozen=True, slots=True)
class Languages:
    """The languages of some conversations: ``turns`` counts turns by conversation and language.

    ``uncovered`` has the conversations that are mostly in languages that the settings do not allow, and the
    first such language; ``main``, the language of most cells of each conversation, empty if none is known.
    """

    turns: Mapping[int, Mapping[str, int]]
    uncovered: Mapping[int, str]
    main: Sequence[str]

    def counts(self, without: Collection[int]) -> Counter[str]:
        """Counts of all conversations but some, under ``<what>/<language>``, which add up over batches."""
        counts: Counter[str] = Counter()
        for conversation, turns in self.turns.items():
            if conversation not in without:
                for language, times in turns.items():
                    counts[f"{TURNS}/{language}"] += times
                    counts[f"{CONVERSATIONS}/{language}"] += 1
                if conversation in self.uncovered:
                    counts[f"{UNCOVERED}/{self.uncovered[conversation]}"] += 1
        return counts


def languages_of(batch: ConversationBatch, column: TextColumn, settings: LanguageSettings) -> Languages:
    """Identify the languages of conversations; ``column`` has the texts of the batch."""
    spoken = tell(column)
    count = len(spoken.names)
    conversations = np.searchsorted(np.asarray(batch.first_cell), spoken.cells, side="right") - 1
    found: defaultdict[int, dict[str, int]] = defaultdict(dict)
    uncovered: dict[int, str] = {}
    for pair in sorted({*(conversations * count + spoken.languages).tolist()}):
        found[pair // count][spoken.names[pair % count]] = 0
    foreign = np.array([not settings.takes(name) for name in spoken.names])[spoken.languages]
    words: dict[int, list[int]] = {}
    strange = sorted({*conversations[foreign].tolist()})
    for place in np.flatnonzero(np.isin(conversations, strange)).tolist():
        length = _words_in(batch.texts[int(spoken.cells[place])])
        if length >= LEAST_WORDS and spoken.names[spoken.languages[place]] != NONE:
            counts = words.setdefault(int(conversations[place]), [0, 0])
            counts[bool(foreign[place])] += length
            if foreign[place]:
                uncovered.setdefault(int(conversations[place]), spoken.names[spoken.languages[place]])
    uncovered = {i: name for i, name in uncovered.items() if words[i][1] > words[i][0]}
    # Count each turn once per language, however many cells it has.
    turns = batch.turn_numbers()[spoken.cells]
    pairs, first = np.unique(turns * count + spoken.languages, return_index=True)
    first = first[pairs >= 0]
    languages, times = np.unique(conversations[first] * count + spoken.languages[first], return_counts=True)
    for pair, turns_in in zip(languages.tolist(), times.tolist(), strict=True):
        found[pair // count][spoken.names[pair % count]] = turns_in
    return Languages(found, uncovered, main_languages(spoken, batch.first_cell))


def _words_in(text: str) -> int:
    """Words of letters; of a script without spaces, about two letters are one."""
    letters = (word[0] if word[0].isalpha() else word[1:2] for word in text.split())
    return max(sum(map(str.isalpha, letters)), len(UNSPACED.findall(text)) // 2)


def language_statistics(
    counts: Mapping[str, int], settings: LanguageSettings, quarantined: int = 0
) -> dict[str, Any]:
    """Languages by share of turns, largest first; ``counts`` comes from :meth:`Languages.counts`.

    ``quarantined`` is the number of conversations that went to quarantine for their language. A
    turn may be in two languages and a conversation in several, so shares can add up to more than 1.
    """
    turns, conversations = _by_language(counts, TURNS), _by_language(counts, CONVERSATIONS)
    names = language_tables().names
    return {
        "by_language": {
            language: {
                "name": names.get(language, language),
                "turns": times,
                "conversations": conversations[language],
                "covered": settings.takes(language) if language != NONE else None,
                "accepted": settings.accepted.get(language),
            }
            for language, times in turns.items()
        },
        "conversations_not_covered": sum(_by_language(counts, UNCOVERED).values()),
        "conversations_undecided": undecided(counts),
        "conversations_quarantined": quarantined,
    }


def _by_language(counts: Mapping[str, int], what: str) -> dict[str, int]:
    """What is counted of each language, the most frequent first."""
    keys = sorted((key for key in counts if key.startswith(f"{what}/")), key=lambda key: (-counts[key], key))
    return {key.partition("/")[2]: counts[key] for key in keys}


def undecided(counts: Mapping[str, int]) -> int:
    """The number of conversations with words, but too few to identify a language."""
    return counts.get(f"{CONVERSATIONS}/{NONE}", 0)


def held_by_language(counts: Mapping[str, int], settings: LanguageSettings) -> str | None:
    """Why a run with these counts is held for its languages, in one line; None if it is not."""
    uncovered = _by_language(counts, UNCOVERED)
    if not uncovered or settings.uncovered != "hold":
        return None
    names = language_tables().names
    told = ", ".join(f"{names.get(language, language)} {count:,}" for language, count in uncovered.items())
    return (
        f"conversations in languages that no active detector covers: {sum(uncovered.values()):,} ({told}); set "
        "'languages.uncovered: quarantine' in the config to leave them out, or add a model that covers them"
    )


def canonical(code: str) -> str:
    """The code used here for a language given as ``nn``, ``no`` or ``sv-SE``."""
    base = code.replace("_", "-").partition("-")[0].lower()
    return language_tables().related.get(base, base)


def known_codes() -> frozenset[str]:
    """All languages that can be identified, and the code for unrecognised ones."""
    return frozenset({*language_tables().codes, UNKNOWN}) - {NONE}
