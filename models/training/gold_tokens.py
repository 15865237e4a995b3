"""Token scores of development conversations with their gold labels, as columns.

Findings consist of whole words (``tacenda.models.token_classifier.spans``), so words are the unit: how many
of a word's letters and digits are gold, and for which classes a finding on it would be a false positive.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.decoding import Bools
from tacenda.models.token_classifier.encoding import TokenColumns, TurnEncoder
from tacenda.models.token_classifier.onnx_session import Floats, Ints
from tacenda.models.token_classifier.packing import Rows, blocks, packed, stream
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.training.corpora import IGNORED, OUTSIDE, LabelScheme
from tacenda.transforms.evaluating.gold_reading import gold_labels
from tacenda.transforms.text.column import TextColumn

Record = Mapping[str, Any]

_BUDGET = 2048
"""Places in one call."""

CHARACTERS = 1_000_000
"""Code points of text: enough to train gates and to see the extremes of activations."""


def column_of(records: Sequence[Record]) -> TextColumn:
    """The text of conversations."""
    first_cell = np.concatenate([[0], np.cumsum([len(record["turns"]) for record in records])])
    texts = [turn["text"] for record in records for turn in record["turns"]]
    return TextColumn(texts, first_cell.astype(np.int64).tolist())


def real_rows(records: Sequence[Record], encoder: TurnEncoder, max_places: int, context: int) -> Rows:
    """The rows of some conversations, none padded; ``max_places`` and ``context`` as in ``blocks``."""
    column = column_of(records)
    of = stream(encoder.encode(column), column.first_cell, encoder.separating)
    cut = list(blocks(of, max_places, context))
    return packed(of, cut, _BUDGET, False, encoder.classifying, encoder.padding)


def _size(record: Record) -> int:
    return sum(len(turn["text"]) for turn in record["turns"])


def drawn(records: Sequence[Record], characters: int = CHARACTERS) -> list[Record]:
    """Draw about ``characters`` of text, each time from the corpus (``source``) with the least text so far."""
    rng = random.Random(0)  # noqa: S311 - a sample, no secret
    taken_of: dict[str, int] = {}
    order = []
    for record in rng.sample(records, len(records)):
        corpus = _corpus(record)
        order.append((taken_of.get(corpus, 0), record))
        # Plus one, so that empty conversations count.
        taken_of[corpus] = order[-1][0] + 1 + _size(record)
    taken: list[Record] = []
    count = 0
    for _, record in sorted(order, key=lambda one: one[0]):
        if count >= characters:
            break
        taken.append(record)
        count += 1 + _size(record)
    return taken


class Places(NamedTuple):
    """Gold spans in the text of a column with their classes."""

    starts: Ints
    ends: Ints
    classes: Ints
    conversations: Ints


@dataclass(frozen=True, slots=True)
class ScoredGold:
    """Conversations with gold and scores; of ``languages``, one is empty if some have none.

    ``before`` is the number of letters and digits before each code point of the column's text,
    ``gold_before`` of those inside gold, ``neutral_before`` of those inside ignored gold. ``judged``
    (conversations, classes) tells where a finding outside gold is a false positive; ``conversation_of`` is
    the conversation of each cell, ``corpus_of`` and ``language_of`` the corpus and the language of each
    conversation.
    """

    classes: tuple[str, ...]
    corpora: tuple[str, ...]
    languages: tuple[str, ...]
    column: TextColumn
    encoded: TokenColumns
    probabilities: Floats
    spans: Places
    before: Ints
    gold_before: Ints
    neutral_before: Ints
    judged: Bools
    conversation_of: Ints
    corpus_of: Ints
    language_of: Ints

    def judged_spans(self, name: str) -> int:
        """Number of the gold spans of a class in conversations whose gold is complete for it."""
        number = self.classes.index(name)
        return int(self.judged[self.spans.conversations[self.spans.classes == number], number].sum())


def score_gold(records: Sequence[Record], scheme: LabelScheme, scorer: Scorer) -> ScoredGold:
    """Score gold conversations."""
    column = column_of(records)
    scored = scorer.score(column)
    of = np.repeat(np.arange(len(records)), [len(record["turns"]) for record in records])
    turns = (turn for record in records for turn in record["turns"])
    rows = [
        (origin + span["start"], origin + span["end"], kind, number)
        for turn, origin, number in zip(turns, column.origins[:-1].tolist(), of.tolist(), strict=True)
        for span in turn["spans"]
        if (kind := scheme.class_of(span)) != OUTSIDE
    ]
    table = np.array(rows, np.int64).reshape(-1, 4)
    ignored = table[:, 2] == IGNORED
    count = len(column.text)
    readable = np.fromiter(map(str.isalnum, column.text), np.bool_, count)
    inside, neutral = (covered(table[some, 0], table[some, 1], count) for some in (~ignored, ignored))
    corpora, corpus_of = np.unique([_corpus(r) for r in records], return_inverse=True)
    languages, language_of = np.unique([str(r.get("lang") or "") for r in records], return_inverse=True)
    return ScoredGold(
        classes=scheme.classes,
        corpora=tuple(corpora.tolist()),
        languages=tuple(languages.tolist()),
        column=column,
        encoded=scored.encoded,
        probabilities=scored.probabilities,
        spans=Places(*table[~ignored].T),
        before=running(readable),
        gold_before=running(readable & inside),
        neutral_before=running(readable & neutral),
        judged=np.array([judged(r, scheme.classes) for r in records], np.bool_),
        conversation_of=of,
        corpus_of=corpus_of,
        language_of=language_of,
    )


def judged(record: Record, classes: Sequence[str]) -> list[bool]:
    """For each class of a network, whether its findings outside the record's gold are false positives.

    True if the gold is complete, the default, or complete for the class or another class of the same kind
    (``tacenda.transforms.evaluating.gold_reading``).
    """
    if record.get("gold", "complete") == "complete":
        return [True] * len(classes)
    labels = gold_labels()
    known = {labels.class_of(label) for label in record.get("complete_for") or ()}
    return [labels.class_of(name) in known for name in classes]


def _corpus(record: Record) -> str:
    return str(record["source"]).partition("/")[0]


def covered(starts: Ints, ends: Ints, count: int) -> Bools:
    """Which of ``count`` positions are inside any range."""
    steps = np.bincount(starts, minlength=count + 1) - np.bincount(ends, minlength=count + 1)
    inside: Bools = np.cumsum(steps[:count]) > 0
    return inside


def running(values: npt.NDArray[Any]) -> Ints:
    """The sum of the values before each of them, and of all."""
    before: Ints = np.append(0, np.cumsum(values, dtype=np.int64))
    return before
