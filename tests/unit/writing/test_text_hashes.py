from collections.abc import Sequence

import pytest

from tacenda.transforms.writing.columns import text_hash


def test_the_same_words_by_the_same_speakers_hash_alike() -> None:
    assert text_hash(["a", None], ["x", "y"]) == text_hash(["a", None], ["x", "y"])
    assert len(text_hash([], [])) == 32


@pytest.mark.parametrize(
    ("speakers", "texts"),
    [
        (["b", None], ["x", "y"]),
        (["a", None], ["xy", ""]),
        (["a", None], ["y", "x"]),
        (["a", ""], ["x", "y"]),
        (["a"], ["x"]),
        (["a", None], ["x", "y "]),
    ],
)
def test_any_change_changes_the_hash(speakers: Sequence[str | None], texts: Sequence[str]) -> None:
    assert text_hash(speakers, texts) != text_hash(["a", None], ["x", "y"])
