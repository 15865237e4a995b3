import numpy as np

from tacenda.models.independent.features import BUCKETS_LOG2, NUMBER, word_features
from tacenda.transforms.text.column import TextColumn

TEXTS = [
    "hi, this is Anna Lindqvist",
    "",
    "JAG HETER Åsa Öberg 😀 från Linköping",
    "call 415-220 9112, İstanbul ſtraße",
    "王小明 said so",
    "ok",
]


def test_a_word_has_the_same_features_in_any_batch() -> None:
    together = word_features(TextColumn(TEXTS))
    for cell, text in enumerate(TEXTS):
        alone, own = word_features(TextColumn([text])), together.cells == cell
        assert np.array_equal(alone.buckets, together.buckets[own])
        assert np.array_equal(alone.starts, together.starts[own])
        assert np.array_equal(alone.ends, together.ends[own])


def test_words_are_where_they_stand() -> None:
    found = word_features(TextColumn(TEXTS))
    words = [
        TEXTS[cell][start:end]
        for cell, start, end in zip(found.cells, found.starts, found.ends, strict=True)
        if cell in (0, 5)
    ]
    assert words == ["hi", "this", "is", "Anna", "Lindqvist", "ok"]


def test_features_are_buckets() -> None:
    buckets = word_features(TextColumn(TEXTS)).buckets
    assert buckets.shape[1] == NUMBER
    assert buckets.min() >= 0
    assert buckets.max() < 1 << BUCKETS_LOG2


def test_neighbours_and_capitals_matter() -> None:
    def of(text: str) -> set[int]:
        found = word_features(TextColumn([text]))
        return set(found.buckets[-1].tolist())

    assert of("mr bell") != of("the bell")
    assert of("mr bell") != of("mr Bell")
    assert len(of("mr bell") & of("the bell")) > 5


def test_a_column_without_words_has_no_features() -> None:
    assert word_features(TextColumn(["", " ... "])).buckets.shape == (0, NUMBER)
