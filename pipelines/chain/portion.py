"""Prepare batches for the chain and run it, in the same way in all executors and in the Python API."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from tacenda.pipelines.chain.build import AnyChain
from tacenda.pipelines.chain.detecting import ModelResults
from tacenda.pipelines.chain.outcome import Outcome
from tacenda.pipelines.chain.score_chain import ScoreChain
from tacenda.transforms.detecting.personal_labels import look_like_personal_data, say_personal
from tacenda.transforms.releasing.duplicates import id_hash
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.shapes.labels import UNCHECKED, LabelRules, with_safe_labels
from tacenda.transforms.shapes.shape import Reading, Shape
from tacenda.transforms.shapes.strange_text import error_of


def as_read(reading: Reading, wrong: Mapping[int, str] = MappingProxyType({})) -> Outcome:
    """The outcome of a reading before any step, without ``wrong`` conversations (errors by number)."""
    rows_in = sum(reading[0].rows) + sum(rejection.rows for rejection in reading[1])
    batch, rejections = _without(reading, wrong)
    return replace(Outcome.untouched(batch), rejections=list(rejections), rows_in=rows_in)


class Portions(Iterable[Outcome]):
    """The readings of a work unit, batch by batch; repeated conversation ids are rejected.

    ``hashes`` collects 8 bytes for each distinct id read, except those in ``repeated``, which earlier work
    units have, and in ``known``, which the corpus had before the run.
    """

    def __init__(
        self,
        readings: Iterable[Reading],
        repeated: frozenset[bytes] = frozenset(),
        known: Container[bytes] = frozenset(),
    ) -> None:
        self.hashes: list[bytes] = []
        self._known = known
        self._readings = readings
        self._seen = set(repeated)

    def __iter__(self) -> Iterator[Outcome]:
        # map keeps no reference, so that the source of a batch is freed while the batch is processed.
        return map(self._first_of_each, self._readings)

    def _first_of_each(self, reading: Reading) -> Outcome:
        batch, _ = reading
        repeated: set[int] = set()
        for i, (given, written) in enumerate(zip(batch.given, batch.ids, strict=True)):
            key = id_hash(given)
            if key in self._seen or id_hash(written) in self._known:
                repeated.add(i)
            else:
                self._seen.add(key)
                self.hashes.append(key)
        return as_read(reading, dict.fromkeys(repeated, "DuplicateConversationId"))


def run_chain(chain: AnyChain, read: Outcome, known: Sequence[ModelResults] = ()) -> Outcome:
    """Run a chain on a batch as it was read; ``known`` are the results of models that ran before."""
    done = chain.run(read.batch, known)
    done.rejections, done.rows_in = [*read.rejections, *done.rejections], read.rows_in
    if isinstance(chain, ScoreChain):
        done.reviews_matched = sum(i in chain.reviews for i in read.batch.ids)
    return done


def safe_labels(readings: Iterable[Reading], shape: Shape, rules: LabelRules) -> Iterator[Reading]:
    """Check or replace ids and contexts (``LabelRules``), and reject conversations that cannot be searched."""
    if rules == UNCHECKED:
        return iter(readings)
    return (with_safe_labels(_searchable(reading), shape, rules, _look, say_personal) for reading in readings)


def _searchable(reading: Reading) -> Reading:
    """A reading without the conversations of which a text cannot be searched."""
    batch, _ = reading
    strange: dict[int, str] = {}
    for cell, text in enumerate(batch.texts):
        if (error := error_of(text, _is_personal)) is not None:
            strange.setdefault(batch.conversation_of(cell), error)
    return _without(reading, strange)


def _without(reading: Reading, wrong: Mapping[int, str]) -> Reading:
    """A reading with the wrong conversations among its rejections, each with its error class."""
    if not wrong:
        return reading
    batch, rejections = reading
    lost = [
        Rejection(batch.positions[i], Stage.READ, error, batch.rows[i], batch.origins[i])
        for i, error in sorted(wrong.items())
    ]
    return batch.without(set(wrong)), [*rejections, *lost]


def _is_personal(words: str) -> bool:
    return _look([words], False)[0]


def _look(labels: Sequence[str], are_ids: bool) -> list[bool]:
    return look_like_personal_data(labels, sentences=are_ids)
