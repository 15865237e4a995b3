"""The input of ONNX Runtime, and what is rejected."""

from pathlib import Path

import numpy as np
import pytest

from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.transforms.schema.errors import UserError


def test_scores(tiny: Path) -> None:
    ids = np.full((2, 3), 4, np.int64)
    logits = OnnxSession(tiny / "model.onnx", 4).scores(ids, np.ones_like(ids), np.zeros_like(ids))
    assert logits.shape == (2, 3, 4)
    assert logits.dtype == np.float32
    assert (logits.argmax(axis=2) == 1).all()


def test_rejects_an_invalid_network(tiny: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"has 4 classes, its description has 3$"):
        OnnxSession(tiny / "model.onnx", 3)
    (tmp_path / "model.onnx").write_bytes(b"not a network")
    with pytest.raises(UserError, match=r"ONNX Runtime cannot load it \(\w+\)$"):
        OnnxSession(tmp_path / "model.onnx", 3)
