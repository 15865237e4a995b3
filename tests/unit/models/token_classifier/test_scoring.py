"""Token probabilities for any blocks; and errors of a broken network."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tacenda.models.token_classifier import gate_sample
from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.onnx_session import Floats, Ints, OnnxSession
from tacenda.models.token_classifier.scoring import Scorer, softmax
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.text.column import TextColumn

TEXTS = ["hello Pam", "mr zzyzx from New York", "", "maybe " * 50, "Dwight"]
FIRST_CELL = [0, 2, 2, 5]


@pytest.fixture
def session(tiny: Path) -> OnnxSession:
    return OnnxSession(tiny / "model.onnx", 4)


@pytest.mark.parametrize(("places", "context"), [(16, 4), (8, 2), (400, 8)])
@pytest.mark.parametrize("budget", [1, 64, 4096])
def test_scores_do_not_depend_on_blocks(
    encoder: TurnEncoder, session: OnnxSession, places: int, context: int, budget: int
) -> None:
    whole = Scorer(encoder, session, 4, 4000, 0, True, 1).score(TextColumn(TEXTS, FIRST_CELL))
    cut = Scorer(encoder, session, 4, places, context, True, budget).score(TextColumn(TEXTS, FIRST_CELL))
    assert np.array_equal(cut.encoded.ids, whole.encoded.ids)
    assert np.array_equal(cut.probabilities, whole.probabilities)
    assert np.allclose(cut.probabilities.sum(axis=1), 1)


def test_case_can_be_ignored(encoder: TurnEncoder, session: OnnxSession) -> None:
    with_case = Scorer(encoder, session, 4, 16, 4, True).score(TextColumn(["Will"])).probabilities
    without = Scorer(encoder, session, 4, 16, 4, False).score(TextColumn(["Will"])).probabilities
    assert with_case[0, 1] == pytest.approx(0.451, abs=1e-3)
    assert without[0, 1] == pytest.approx(0.1, abs=1e-3)


class Gated:
    """Drops "maybe" in every row, unless all of it is requested; otherwise the tiny model."""

    budget = 64
    pads = True
    gated = True

    def __init__(self, plain: OnnxSession, held: int) -> None:
        self.plain, self.held = plain, held
        self.asked_whole = 0

    def scores(self, ids: Ints, mask: Ints, types: Ints) -> Floats:
        return self.plain.scores(ids, mask, types)

    def scores_of(self, several: Iterable[tuple[Ints, Ints, Ints]], whole: bool = False) -> Iterator[Floats]:
        for ids, mask, types in several:
            logits = self.scores(ids, mask, types)
            self.asked_whole += len(ids) * whole
            if not whole:
                logits[ids == self.held] = [20, 0, 0, 0]
            yield logits


def test_a_sample_of_dropped_places_is_fully_scored_and_counts(
    tiny: Path, encoder: TurnEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_sample, "SAMPLED", 0.25)
    (held,) = encoder.encode(TextColumn(["maybe"])).ids.tolist()
    session = Gated(OnnxSession(tiny / "model.onnx", 4), held)
    scorer = Scorer(encoder, session, 4, 16, 2, casing=True)
    several = [["hello maybe " + "it is " * (i % 5)] * (1 + i % 9) for i in range(120)]
    first_cell = np.cumsum([0, *map(len, several)]).tolist()
    scored = scorer.score(TextColumn([text for one in several for text in one], first_cell))
    back, sampled = scored.held_back
    assert np.array_equal(back, scored.encoded.ids == held)
    assert 0.1 < sampled.sum() / back.sum() < 0.4
    assert session.asked_whole > 0
    assert (scored.probabilities[back & ~sampled, 0] > 0.999).all()
    assert np.allclose(scored.probabilities[sampled, 1], 0.3, atol=1e-3)
    # Which are sampled is the conversation's own affair.
    alone = [scorer.score(TextColumn(one, [0, len(one)])).held_back.sampled for one in several]
    assert np.array_equal(np.concatenate(alone), sampled)


class Broken:
    """Returns a wrong shape, or values that are not numbers."""

    budget = 64
    pads = True
    gated = False

    def __init__(self, what: str) -> None:
        self.what = what

    def scores(self, ids: Ints, mask: Ints, types: Ints) -> Floats:
        logits = np.zeros((*ids.shape, 4), np.float32)
        if self.what == "short":
            return logits[:, :-1]
        logits[0, 1] = np.nan
        return logits

    def scores_of(self, several: Iterable[tuple[Ints, Ints, Ints]]) -> Iterator[Floats]:
        return (self.scores(*one) for one in several)


@pytest.mark.parametrize(("what", "error"), [("short", "ModelMisshaped"), ("nan", "TokensUnscored")])
def test_an_invalid_network_output_is_an_error(encoder: TurnEncoder, what: str, error: str) -> None:
    with pytest.raises(RecordError, match=rf"^{error}$"):
        Scorer(encoder, Broken(what), 4, 16, 4, True).score(TextColumn(["hello"]))


def test_a_token_without_score_fails(
    encoder: TurnEncoder, session: OnnxSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tacenda.models.token_classifier import scoring

    honest = scoring.blocks
    for lossy in (lambda *a: list(honest(*a))[1:], lambda *a: list(honest(*a)) * 2):
        monkeypatch.setattr(scoring, "blocks", lossy)
        with pytest.raises(RecordError, match=r"^TokensUnscored$"):
            Scorer(encoder, session, 4, 16, 4, True).score(TextColumn(TEXTS, FIRST_CELL))


def test_softmax_of_large_numbers() -> None:
    rows = np.array([[1000, 1000, 0], [-1000, -1000, -1000]], np.float32)
    assert np.allclose(softmax(rows), [[0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3]])
    assert softmax(rows[:0]).shape == (0, 3)
