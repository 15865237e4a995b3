"""A network whose scores depend on other rows of a call is detected, and then gets its rows one by one."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tacenda.models.token_classifier.batch_invariance import Batching, measure_batching
from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.loading import embedded_path, loaded, package_of
from tacenda.models.token_classifier.onnx_session import Floats, Ints, OnnxSession
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.pipelines.chain.detectors import check_detectors
from tacenda.transforms.text.column import TextColumn

TEXTS = ["pam is from new york", "mr brien", "scranton is it " * 9, "hello", "mr beet", "call it maybe"]


class Network:
    """Scores of each position by a rule; ``neighbours`` is the influence of other rows in the call."""

    budget, pads, gated, arithmetic = 256, True, False, "by hand"

    def __init__(self, neighbours: Callable[[Ints, Ints], Floats] | None = None) -> None:
        self._neighbours = neighbours
        self.calls: list[tuple[int, ...]] = []

    def scores(self, ids: Ints, mask: Ints, types: Ints) -> Floats:
        self.calls.append(ids.shape)
        logits = np.stack([np.sin(ids * k) for k in range(4)], -1).astype(np.float32)
        if self._neighbours is not None:
            logits += self._neighbours(ids, mask)
        return logits

    def scores_of(self, several: Iterable[tuple[Ints, Ints, Ints]], whole: bool = False) -> Iterator[Floats]:
        return (self.scores(*one) for one in several)


def of_the_tensor(ids: Ints, mask: Ints) -> Floats:
    """Like a scale computed over the whole call."""
    return np.full((*ids.shape, 1), 1e-6 * (ids * mask).max(), np.float32)


def of_padding(ids: Ints, mask: Ints) -> Floats:
    """Like a mask that leaks a little."""
    return (1e-6 * (mask == 0).sum(1, keepdims=True) * np.ones(ids.shape))[..., None].astype(np.float32)


@pytest.mark.parametrize(
    ("neighbours", "batching"),
    [(None, Batching.ANY), (of_padding, Batching.SAME_LENGTH), (of_the_tensor, Batching.ALONE)],
)
def test_batch_invariance_is_measured(
    encoder: TurnEncoder, neighbours: Callable[[Ints, Ints], Floats] | None, batching: Batching
) -> None:
    assert measure_batching(Network(neighbours), encoder, 96) is batching


@pytest.mark.parametrize("neighbours", [None, of_padding, of_the_tensor])
def test_a_conversation_has_the_same_scores_in_any_batch_of_any_network(
    encoder: TurnEncoder, neighbours: Callable[[Ints, Ints], Floats] | None
) -> None:
    network = Network(neighbours)
    batching = measure_batching(network, encoder, 16)
    scorer = Scorer(encoder, network, 4, 16, 4, False, batching=batching)
    alone = [scorer.score(TextColumn([text])).probabilities for text in TEXTS]
    network.calls.clear()
    together = scorer.score(TextColumn(TEXTS))
    assert (max(rows for rows, _ in network.calls) == 1) is (batching is Batching.ALONE)
    for i, one in enumerate(alone):
        own = slice(together.encoded.first_token[i], together.encoded.first_token[i + 1])
        assert np.array_equal(together.probabilities[own], one)


def test_the_shipped_network_reads_many_rows_at_once() -> None:
    package = package_of(None)
    session = OnnxSession(embedded_path() / "model.onnx", len(package.labels))
    encoder = TurnEncoder(embedded_path() / "tokenizer.json")
    assert measure_batching(session, encoder, package.max_places) is Batching.SAME_LENGTH


def test_a_network_without_batch_invariance_is_reported(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TACENDA_CACHE", str(tmp_path))
    package = package_of(str(tiny))
    known = ModelSettings(str(tiny), package.fingerprint, package.decision)
    assert check_detectors(None, [known]) == []
    honest = OnnxSession.scores

    def dependent(self: OnnxSession, ids: Ints, mask: Ints, types: Ints, whole: bool = False) -> Floats:
        logits = honest(self, ids, mask, types, whole)
        return np.asarray(logits + of_the_tensor(ids, mask), np.float32)

    monkeypatch.setattr(OnnxSession, "scores", dependent)
    monkeypatch.setenv("TACENDA_CACHE", str(tmp_path / "another"))
    # Other settings of the network, so that it is loaded again.
    (note,) = check_detectors(
        None, [ModelSettings(str(tiny), package.fingerprint, package.decision, threads=2)]
    )
    assert note.startswith("model tiny: ")
    assert "one row at a time" in note


def test_the_measurement_is_cached_for_the_machine(
    tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TACENDA_CACHE", str(tmp_path))
    package = package_of(str(tiny))
    settings = ModelSettings(str(tiny), package.fingerprint, package.decision, places=999)
    assert loaded(settings).batching is Batching.ANY
    assert list(tmp_path.rglob("batching-*"))
