from pathlib import Path

import numpy as np
import pytest

from tacenda.models.masked_lm.loading import load
from tacenda.models.token_classifier import loading
from tacenda.models.token_classifier.loading import package_of
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.text.column import TextColumn


@pytest.fixture(autouse=True)
def _fresh() -> None:
    loading._read.forget()


def test_words_are_scored_in_the_cells_of_the_column(folder: Path) -> None:
    column = TextColumn(["from", "my name", "is Pamela"], (0, 1, 3))
    words, scores = load(package_of(str(folder)), 1).score(column, 1)
    assert [(word.cell, word.start, word.end) for word in words] == [
        (1, 0, 2),
        (1, 3, 7),
        (2, 0, 2),
        (2, 3, 9),
    ]
    # my after [CLS], name after my; pam after is, and ##ela after pam.
    assert np.exp(scores[[0, 1, 3]]) == pytest.approx([0.5, 0.5, 0.001 * 0.2], rel=1e-5)


def test_a_tokenizer_without_a_mask_is_refused(folder: Path) -> None:
    tokenizer = folder / "tokenizer.json"
    tokenizer.write_text(tokenizer.read_text().replace("[MASK]", "[NONE]"))
    with pytest.raises(UserError, match="has no token"):
        load(package_of(str(folder)), 1)


@pytest.mark.parametrize(
    ("name", "message"), [("model.onnx", "no model.onnx"), ("tokenizer.json", "no tokenizer.json")]
)
def test_a_missing_file_is_named(folder: Path, name: str, message: str) -> None:
    (folder / name).unlink()
    with pytest.raises(UserError, match=message):
        package_of(str(folder))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [("18", '"x"', "'vocab_size' is not a number"), ("32", "2", "positions are too few")],
)
def test_a_config_that_does_not_fit_is_refused(folder: Path, old: str, new: str, message: str) -> None:
    config = folder / "config.json"
    config.write_text(config.read_text().replace(old, new))
    with pytest.raises(UserError, match=message):
        package_of(str(folder))


def test_a_vocabulary_of_another_size_is_refused(folder: Path) -> None:
    config = folder / "config.json"
    config.write_text(config.read_text().replace("18", "19"))
    with pytest.raises(UserError, match="has 18 classes"):
        load(package_of(str(folder)), 1)
