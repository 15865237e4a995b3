"""Training batches in a few fixed shapes, to limit compilation of the network to one graph a shape."""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from tacenda.models.token_classifier.encoding import Case, TokenColumns, TurnEncoder, read_encoder
from tacenda.models.token_classifier.onnx_session import Floats, Ints, OnnxSession
from tacenda.models.token_classifier.package import MODEL, TOKENIZER, read_package
from tacenda.models.token_classifier.packing import blocks, stream
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.training.augmenting import Turn, augmented
from tacenda.models.training.corpora import IGNORED, OUTSIDE, PROPER, TAG, Corpus, LabelScheme
from tacenda.models.training.surrounding import ordinary_words, surrounded
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn


class SoftTargets:
    """The class probabilities of a package on any text; its classes must be those of the training, in order.

    Raises:
        UserError: the package is invalid, or has another number of classes.
    """

    def __init__(self, package: Path, classes: int) -> None:
        own = read_package(package)
        if len(own.labels) != classes:
            raise UserError(f"--teacher {package}: has {len(own.labels)} classes, the labels name {classes}")
        session = OnnxSession(package / MODEL, classes, 1)
        encoder = read_encoder(package / TOKENIZER, own.lists)
        self._scorer = Scorer(encoder, session, classes, own.max_places, own.context, own.casing)

    def of(self, texts: Sequence[str], first_cell: Sequence[int], tokens: TokenColumns) -> Floats:
        """Probabilities (tokens, classes): means of those of the first and the last letter of each token."""
        column = TextColumn(texts, list(first_cell))
        scored = self._scorer.score(column)
        starts, _ = scored.encoded.places(column.origins)
        first, last = tokens.places(column.origins)
        if not len(first) or not len(starts):
            return np.zeros((len(first), scored.probabilities.shape[1]), np.float32)
        # The teacher's token of each letter; those before its first token count as in it.
        own = np.maximum(np.searchsorted(starts, np.arange(len(column.text)), side="right") - 1, 0)
        both = scored.probabilities[own[first]] + scored.probabilities[own[last - 1]]
        return np.asarray(both * np.float32(0.5), np.float32)


LENGTHS = (24, 40, 64, 96, 128, 176, 256)
"""Row lengths in places; a block is padded to the next of these."""

_CONVERSATIONS_AT_ONCE = 2000
_UNLISTED = 0.15
"""Share of blocks read without the lists, since augmented text has more listed names than other text."""
LONGEST_BLOCK = 250
"""Longest block in training, in places of a conversation."""


class Batch(NamedTuple):
    """Rows of one length.

    ``targets`` (rows, places) are class indexes, IGNORED for places without a loss, or PROPER; ``corpus``
    (rows) is the index of the corpus, which determines what an unlabelled token means. ``soft`` (rows, places,
    classes) are probabilities by other networks, all 0 where they have no say; None without one.
    """

    ids: Ints
    mask: Ints
    cases: Ints
    targets: Ints
    corpus: Ints
    soft: Floats | None = None


_Row = tuple[npt.NDArray[Any], npt.NDArray[Any], Ints, int, Floats | None]
"""A block waiting for its batch to fill: ids, cases, targets, corpus, soft targets."""


class Batches:
    """Training batches from gold conversations, determined by the seed.

    Every epoch draws each conversation as many times as its corpus' weight says (fractions at random),
    augments it, and cuts it into blocks of random size, so that the network learns with little context and
    with much.

    Raises:
        UserError: a batch is too small for the longest row.
    """

    def __init__(
        self,
        records: Sequence[dict[str, Any]],
        scheme: LabelScheme,
        encoder: TurnEncoder,
        places_a_batch: int,
        seed: int,
        longest: Sequence[int] = (48, 96, 160, LONGEST_BLOCK),
        teachers: Sequence[SoftTargets] = (),
    ) -> None:
        if places_a_batch < max(LENGTHS):
            raise UserError(
                f"--batch {places_a_batch}: a row may have {max(LENGTHS)} word pieces; give at least as many"
            )
        self._records, self._scheme, self._encoder = records, scheme, encoder
        self._places, self._seed = places_a_batch, seed
        self._longest, self._teachers = longest, teachers
        self._words = ordinary_words(turn["text"] for record in records for turn in record["turns"])
        sources = dict.fromkeys(record["source"] for record in records)
        self.corpora = [scheme.corpus(source) for source in sources]
        self._index = {source: i for i, source in enumerate(sources)}

    def _corpus(self, record: Mapping[str, Any]) -> Corpus:
        return self.corpora[self._index[record["source"]]]

    def epoch(self, number: int) -> Iterator[Batch]:
        """The batches of one epoch, in an order determined by the seed and the epoch's number.

        Raises:
            UserError: every conversation is empty or in a corpus of weight 0.
        """
        if not any(self._corpus(record).weight > 0 for record in self._records if record["turns"]):
            raise UserError(
                "labels: the training part has no conversation of a corpus whose 'weight' is above 0; "
                "add gold, or give one of its corpora a weight"
            )
        rng = random.Random(f"{self._seed}/{number}")  # noqa: S311 - training data, no secret
        drawn: list[dict[str, Any]] = []
        for record in self._records:
            weight = self._corpus(record).weight
            drawn += [record] * (int(weight) + (rng.random() < weight % 1))
        rng.shuffle(drawn)
        return self._batches(drawn, rng)

    def once(self) -> Iterator[Batch]:
        """Every conversation once, without augmentation, in the longest blocks."""
        return self._batches(self._records, None)

    def _batches(self, records: Sequence[dict[str, Any]], rng: random.Random | None) -> Iterator[Batch]:
        waiting: dict[int, list[_Row]] = {length: [] for length in LENGTHS}
        for at in range(0, len(records), _CONVERSATIONS_AT_ONCE):
            ready = list(self._blocked(records[at : at + _CONVERSATIONS_AT_ONCE], rng, waiting))
            if rng:
                rng.shuffle(ready)
            yield from ready
        # Of the remaining rows, short ones share batches with long ones.
        left = [row for length in reversed(LENGTHS) for row in waiting[length]]
        while left:
            length = next(n for n in LENGTHS if n > len(left[0][0]))
            yield self._batch(left[: self._places // length], length)
            left = left[self._places // length :]

    def _blocked(
        self, records: Sequence[dict[str, Any]], rng: random.Random | None, waiting: dict[int, list[_Row]]
    ) -> Iterator[Batch]:
        """Yield full batches; the rest stays in ``waiting``. Without ``rng``, nothing is augmented."""
        conversations = [self._changed(r, rng) if rng else r["turns"] for r in records]
        turns = [turn for several in conversations for turn in several]
        first_cell = np.concatenate([[0], np.cumsum([len(c) for c in conversations])])
        encoded = self._encoder.encode(TextColumn([turn["text"] for turn in turns]))
        targets = np.full(len(encoded.ids) + 1, OUTSIDE, np.int64)
        targets[-1] = IGNORED  # for separators, whose token index is -1
        for cell, turn in enumerate(turns):
            first, last = encoded.first_token[cell], encoded.first_token[cell + 1]
            for span in turn["spans"]:
                left = first + np.searchsorted(encoded.ends[first:last], span["start"], side="right")
                right = first + np.searchsorted(encoded.starts[first:last], span["end"], side="left")
                targets[left:right] = PROPER if span["label"] == TAG else self._scheme.class_of(span)
        flow = stream(encoded, first_cell.tolist(), self._encoder.separating)
        target = targets[flow.token]
        soft = self._soft(records, conversations, encoded)
        if soft is not None:
            soft = soft[flow.token]  # separators, at -1, have the last row: zeros
        for block in blocks(flow, rng.choice(self._longest) if rng else LONGEST_BLOCK, 12):
            conversation = int(np.searchsorted(flow.first_place, block.start, side="right")) - 1
            length = next(n for n in LENGTHS if n > block.end - block.start)
            here = slice(block.start, block.end)
            corpus = self._index[records[conversation]["source"]]
            own = None if soft is None else soft[here]
            unlisted = rng is not None and rng.random() < _UNLISTED
            cases = flow.cases[here] % len(Case) if unlisted else flow.cases[here]
            waiting[length].append((flow.ids[here], cases, target[here], corpus, own))
            if len(waiting[length]) == self._places // length:
                yield self._batch(waiting[length], length)
                waiting[length] = []

    def _changed(self, record: dict[str, Any], rng: random.Random) -> list[Turn]:
        """The turns with other names and digits and, where that adds no proper nouns, lines beside them."""
        turns = augmented(record, rng)
        return turns if self._corpus(record).tags else surrounded(turns, self._words, rng)

    def _soft(
        self, records: Sequence[dict[str, Any]], turns: Sequence[Sequence[Any]], encoded: TokenColumns
    ) -> Floats | None:
        """The mean of what the teachers say of the tokens of corpora that they know, and a row of zeros.

        They read no lines that were put beside turns: these are surely outside, and change nothing else.
        """
        if not self._teachers:
            return None
        soft = np.zeros((len(encoded.ids) + 1, len(self._scheme.classes)), np.float32)
        counts = np.array([len(several) for several in turns], np.int64)
        taught = np.array([self._corpus(r).taught for r in records], np.bool_)
        cells = np.flatnonzero(np.repeat(taught, counts))
        if len(cells):
            read = [turn for i in np.flatnonzero(taught).tolist() for turn in turns[i]]
            ranges = [turn.get("own", (0, len(turn["text"]))) for turn in read]
            texts = [turn["text"][slice(*own)] for turn, own in zip(read, ranges, strict=True)]
            alone = self._encoder.encode(TextColumn(texts))
            bounds = np.concatenate([[0], np.cumsum(counts[taught])])
            each = [teacher.of(texts, bounds.tolist(), alone) for teacher in self._teachers]
            said = np.mean(each, axis=0)
            for k, (cell, own) in enumerate(zip(cells.tolist(), ranges, strict=True)):
                here = slice(*encoded.first_token[cell : cell + 2])
                inside = (encoded.starts[here] >= own[0]) & (encoded.ends[here] <= own[1])
                soft[here][~inside, OUTSIDE] = 1
                if inside.sum() == np.diff(alone.first_token[k : k + 2]):
                    soft[here][inside] = said[slice(*alone.first_token[k : k + 2])]
        return soft

    def _batch(self, rows: Sequence[_Row], length: int) -> Batch:
        """A batch of the fixed shape for a row length; missing rows are padding."""
        shape = self._places // length, length
        made = Batch(
            ids=np.full(shape, self._encoder.padding, np.int64),
            mask=np.zeros(shape, np.int64),
            cases=np.zeros(shape, np.int64),
            targets=np.full(shape, IGNORED, np.int64),
            corpus=np.zeros(shape[0], np.int64),
            soft=np.zeros((*shape, len(self._scheme.classes)), np.float32) if self._teachers else None,
        )
        made.ids[:, 0] = self._encoder.classifying
        for i, (ids, cases, targets, corpus, soft) in enumerate(rows):
            end = 1 + len(ids)
            made.ids[i, 1:end], made.cases[i, 1:end], made.targets[i, 1:end] = ids, cases, targets
            made.mask[i, :end] = 1
            made.corpus[i] = corpus
            if made.soft is not None:
                made.soft[i, 1:end] = soft
        return made
