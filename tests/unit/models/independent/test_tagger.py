import numpy as np

from tacenda.models.independent.features import BUCKETS_LOG2, NUMBER
from tacenda.models.independent.tagger import CLASSES, LinearTagger, shipped_tagger


def _tagger() -> LinearTagger:
    weights = np.random.default_rng(3).integers(-127, 128, (1 << BUCKETS_LOG2, len(CLASSES)), np.int8)
    return LinearTagger(weights, np.arange(len(CLASSES), dtype=np.int32), 0.25, {"files": ["a"]})


def test_a_score_is_the_sum_of_bias_and_weights() -> None:
    tagger = _tagger()
    buckets = np.random.default_rng(4).integers(0, 1 << BUCKETS_LOG2, (7, NUMBER), np.int32)
    told = tagger.scores(buckets)
    assert told.dtype == np.int32
    for row, several in zip(told, buckets, strict=True):
        assert row.tolist() == (tagger.bias + tagger.weights[several].astype(int).sum(axis=0)).tolist()


def test_a_tagger_is_written_and_read_whole_and_to_equal_bytes() -> None:
    tagger = _tagger()
    again = LinearTagger.from_bytes(tagger.to_bytes())
    assert np.array_equal(again.weights, tagger.weights)
    assert np.array_equal(again.bias, tagger.bias)
    assert (again.scale, again.provenance) == (tagger.scale, tagger.provenance)
    assert again.to_bytes() == tagger.to_bytes()


def test_the_shipped_tagger_names_its_files() -> None:
    shipped = shipped_tagger()
    assert shipped.provenance["files"]
    assert 0 < shipped.scale < 1
    assert np.abs(shipped.weights).max() == 127
