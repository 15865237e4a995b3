"""Every token once in ``once``; epochs depend only on seed and number; one shape per length."""

from collections import Counter

import numpy as np
import pytest

from tacenda.models.token_classifier.encoding import TokenColumns, TurnEncoder
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.package import read_package
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.training.batches import Batches, SoftTargets
from tacenda.models.training.corpora import IGNORED, OUTSIDE, LabelScheme
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn
from tests.tiny_bert import TINY, gold

PLACES = 512


@pytest.fixture(scope="module")
def encoder():
    return TurnEncoder(TINY / "tokenizer.json")


def same(left, right):
    return len(left) == len(right) and all(
        np.array_equal(a.ids, b.ids) and np.array_equal(a.targets, b.targets)
        for a, b in zip(left, right, strict=True)
    )


def test_once_has_every_token_of_every_conversation_once(encoder, scheme):
    records = gold(70)
    batches = Batches(records, scheme, encoder, PLACES, seed=1)
    seen: Counter[tuple[int, int]] = Counter()
    for batch in batches.once():
        known = batch.targets != IGNORED
        assert not (known & (batch.mask == 0)).any()
        seen.update(zip(batch.ids[known].tolist(), batch.targets[known].tolist(), strict=True))
    encoded = encoder.encode(TextColumn([t["text"] for r in records for t in r["turns"]]))
    assert sum(seen.values()) == len(encoded.ids)
    assert Counter(i for i, _ in seen.elements()) == Counter(encoded.ids.tolist())


def test_targets_are_the_classes_of_the_spans(encoder, scheme):
    text = "my name is Pam from New York"
    spans = [(11, 14, "PERSON_NAME"), (20, 28, "LOCATION"), (0, 2, "TITLE")]
    turn = {"text": text, "spans": [{"start": s, "end": e, "label": label} for s, e, label in spans]}
    (batch,) = Batches([{"source": "x", "turns": [turn]}], scheme, encoder, PLACES, 1).once()
    assert batch.targets[0, 1:8].tolist() == [IGNORED, OUTSIDE, OUTSIDE, 1, OUTSIDE, 2, 2]
    assert (batch.targets[0, 8:] == IGNORED).all()


def test_epochs_are_pure_in_seed_and_number(encoder, scheme):
    def epoch(seed, number):
        return list(Batches(gold(60), scheme, encoder, PLACES, seed).epoch(number))

    assert same(epoch(1, 0), epoch(1, 0))
    assert not same(epoch(1, 0), epoch(1, 1))
    assert not same(epoch(1, 0), epoch(2, 0))


def test_what_would_never_fill_a_batch_is_refused(encoder, scheme):
    with pytest.raises(UserError, match="--batch 255: a row may have 256 word pieces; give at least as many"):
        Batches(gold(1), scheme, encoder, 255, 1)
    weightless = LabelScheme.load(
        'classes: ["O", "PERSON_NAME"]\ncorpora: {"office": {annotates: ["*"], weight: 0}}'
    )
    next(Batches([*gold(1), *gold(1, source="x")], weightless, encoder, PLACES, 1).epoch(0))
    for records in (gold(2), [*gold(2), *gold(1, source="x", turns=[])]):
        with pytest.raises(UserError, match="no conversation of a corpus whose 'weight' is above 0"):
            next(Batches(records, weightless, encoder, PLACES, 1).epoch(0))


def test_a_heavier_corpus_is_drawn_more_often(encoder):
    scheme = LabelScheme.load(
        'classes: ["O", "PERSON_NAME"]\ncorpora: {"office": {annotates: ["*"], weight: 3}}'
    )
    tokens = [
        sum(int(b.mask.sum()) for b in Batches(gold(20, source=source), scheme, encoder, PLACES, 1).epoch(0))
        for source in ("office", "another")
    ]
    assert 2 < tokens[0] / tokens[1] < 4


TEXTS = ["  hello Pam from Scranton", "call New York", ""]


def whole_words(texts):
    cells = [[(m.start(), m.end()) for m in __import__("re").finditer(r"\S+", text)] for text in texts]
    bounds = np.array([pair for cell in cells for pair in cell], np.int32)
    zeros = np.zeros(len(bounds), np.int32)
    first = np.cumsum([0, *map(len, cells)]).astype(np.int32)
    return TokenColumns(zeros, bounds[:, 0], bounds[:, 1], zeros.astype(np.int8), first)


def test_own_tokens_have_the_packages_probabilities_and_others_means_of_them():
    package = read_package(TINY)
    classes = len(package.labels)
    encoder = TurnEncoder(TINY / "tokenizer.json")
    session = OnnxSession(TINY / "model.onnx", classes, 1)
    scorer = Scorer(encoder, session, classes, package.max_places, package.context, package.casing)
    column = TextColumn(TEXTS, [0, 2, 3])
    own = scorer.score(column)
    soft = SoftTargets(TINY, classes)
    assert np.allclose(soft.of(TEXTS, [0, 2, 3], own.encoded), own.probabilities)
    words = soft.of(TEXTS, [0, 2, 3], whole_words(TEXTS))
    assert words.shape == (7, classes)
    assert np.allclose(words.sum(1), 1, atol=1e-5)
    assert words[1].argmax() == own.probabilities[own.encoded.starts == 8][0].argmax()


def test_other_classes_are_refused():
    with pytest.raises(UserError, match=r"has \d+ classes, the labels name 99"):
        SoftTargets(TINY, 99)
