"""How far readers of the same conversations agree: Cohen's kappa and Krippendorff's alpha, by tag.

The units are the words of the conversations that several people read; a reader gives each word the tag of the
mark that covers it, or none. For one tag, a word has it or not.
"""

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tacenda.transforms.reviewing.marks import Reading, Talk
from tacenda.transforms.schema.token import TOKEN
from tacenda.transforms.scoring.rater_agreement import cohen_kappa, krippendorff_alpha

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement on one tag, or on all (``tag`` None).

    ``kappa`` is by pair of readers. Both measures are None where every word has the same value, so that
    agreement by chance is certain. ``marked`` is the number of words that each reader marked.
    """

    tag: str | None
    alpha: float | None
    kappa: Mapping[tuple[str, str], float | None]
    marked: Mapping[str, int]
    words: int


def measure_agreement(talks: Mapping[str, Talk], readings: Sequence[Reading]) -> list[Agreement]:
    """Agreement on all tags together, then on each tag that somebody used.

    Args:
        talks: the conversations by id.
        readings: of all readers; conversations with one reader do not count.
    """
    by_talk: dict[str, dict[str, Reading]] = {}
    for reading in readings:
        by_talk.setdefault(reading.conversation_id, {})[reading.reader] = reading
    units: list[dict[str, str | None]] = []
    for name, of_readers in sorted(by_talk.items()):
        if len(of_readers) > 1:
            values = {reader: word_tags(talks[name], one) for reader, one in of_readers.items()}
            count = len(next(iter(values.values())))
            units += [{reader: tags[i] for reader, tags in values.items()} for i in range(count)]
    tags = sorted({tag for unit in units for tag in unit.values() if tag is not None})
    return [_agreement(None, units), *(_agreement(tag, units) for tag in tags)]


def word_tags(talk: Talk, reading: Reading) -> list[str | None]:
    """The tag that a reader gave each word of a conversation, without ``MISSED_``; None for unmarked words.

    Replacement tokens are no words: nothing in them is readable.
    """
    tags: list[str | None] = []
    for turn, (speaker, text) in enumerate(talk.turns):
        for on_label, said in ((True, speaker or ""), (False, text)):
            marks = [m for m in reading.marks if (m.turn, m.on_label) == (turn, on_label)]
            hidden = [match.span() for match in TOKEN.finditer(said)]
            for word in _WORD.finditer(said):
                if any(start < word.end() and word.start() < end for start, end in hidden):
                    continue
                over = [m for m in marks if m.start < word.end() and word.start() < m.end]
                best = min(over, key=lambda m: (m.start, -m.end, m.label), default=None)
                tags.append(None if best is None else best.label.removeprefix("MISSED_"))
    return tags


def _agreement(tag: str | None, units: Sequence[Mapping[str, str | None]]) -> Agreement:
    def value(of: str | None) -> Hashable:
        return of if tag is None else of == tag

    readers = sorted({reader for unit in units for reader in unit})
    kappa = {}
    for one, other in combinations(readers, 2):
        both = [unit for unit in units if one in unit and other in unit]
        if both:
            kappa[one, other] = cohen_kappa(Counter((value(u[one]), value(u[other])) for u in both))
    marked = {
        reader: sum(
            unit.get(reader) is not None if tag is None else unit.get(reader) == tag for unit in units
        )
        for reader in readers
    }
    alpha = krippendorff_alpha([value(of) for of in unit.values()] for unit in units)
    return Agreement(tag, alpha, kappa, marked, len(units))
