"""A portion: one batch of conversations with the results of a job's steps so far.

All executors, the Beam transforms and the Python API take portions through the same steps.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

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


@dataclass(frozen=True, slots=True)
class Portion:
    """A batch with its results.

    ``rejections`` are those of all steps so far. ``rows_in`` is counted on reading, independently of the
    output, so that lost rows show up in the balance. ``reviews_matched`` is the number of conversations with
    an entry in a spans file, ``rows_valid`` that of rows that fit the schema of their shape.
    """

    outcome: Outcome
    rejections: tuple[Rejection, ...] = ()
    rows_in: int = 0
    reviews_matched: int = 0
    rows_valid: int = 0

    @classmethod
    def read(cls, reading: Reading, wrong: Mapping[int, str]) -> "Portion":
        """The portion of a reading, before any step, without ``wrong`` conversations (errors by number)."""
        rows_in = sum(reading[0].rows) + sum(rejection.rows for rejection in reading[1])
        batch, rejections = _without(reading, wrong)
        return cls(Outcome.untouched(batch), tuple(rejections), rows_in)


class Portions(Iterable[Portion]):
    """The readings of a work unit as portions; repeated conversation ids are rejected.

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

    def __iter__(self) -> Iterator[Portion]:
        # map keeps no reference, so that the source of a batch is freed while the batch is processed.
        return map(self._first_of_each, self._readings)

    def _first_of_each(self, reading: Reading) -> Portion:
        batch, _ = reading
        repeated: set[int] = set()
        for i, (given, written) in enumerate(zip(batch.given, batch.ids, strict=True)):
            key = id_hash(given)
            if key in self._seen or id_hash(written) in self._known:
                repeated.add(i)
            else:
                self._seen.add(key)
                self.hashes.append(key)
        return Portion.read(reading, dict.fromkeys(repeated, "DuplicateConversationId"))


def run_chain(chain: AnyChain, portion: Portion, known: Sequence[ModelResults] = ()) -> Portion:
    """Run a chain on a portion; ``known`` are the results of models that ran before."""
    batch = portion.outcome.batch
    outcome = chain.run(batch, known)
    matched = sum(i in chain.reviews for i in batch.ids) if isinstance(chain, ScoreChain) else 0
    return replace(
        portion,
        outcome=outcome,
        rejections=(*portion.rejections, *outcome.rejections),
        reviews_matched=matched,
    )


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
