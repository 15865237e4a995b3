"""Ranges are those seen in a network's products."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")
pytest.importorskip("onnx", reason="needs onnx; pip install '.[train]'")

from tacenda.models.training.network import NetworkConfig, TokenNetwork
from tacenda.models.training.packaging import MARGIN, calibrated

HEADS, LAYERS, WIDTH = 2, 3, 16


@pytest.fixture
def weights():
    torch.manual_seed(5)
    config = NetworkConfig(
        classes=4, layers=LAYERS, width=WIDTH, heads=HEADS, inner=32, vocabulary=50, positions=64
    )
    made = TokenNetwork(config).eval()
    torch.nn.init.normal_(made.norm.weight)
    return {name: tensor.detach().numpy() for name, tensor in made.state_dict().items()}


@pytest.fixture
def calls():
    rng = np.random.default_rng(1)
    ids = [rng.integers(0, 50, shape) for shape in ((3, 9), (1, 30))]
    return [(one, np.ones_like(one), one % 3) for one in ids]


def test_a_range_spans_all_that_was_seen_and_a_margin(weights, calls):  # type: ignore[no-untyped-def]
    of_both = calibrated(weights, LAYERS, HEADS, calls)
    of_each = [calibrated(weights, LAYERS, HEADS, [call]) for call in calls]
    assert set(of_both) == {"classify"} | {
        f"layers.{i}.{part}"
        for i in range(LAYERS)
        for part in ("attention_in", "attention_out", "inner", "outer")
    }
    for name, (least, greatest) in of_both.items():
        assert least == min(one[name].least for one in of_each) < greatest
        assert greatest == max(one[name].greatest for one in of_each)
    ids, _, cases = calls[1]
    hidden = weights["words.weight"][ids] + weights["places.weight"][: ids.shape[1]]
    hidden = torch.from_numpy(hidden + weights["cases.weight"][cases])
    scale, shift = (torch.from_numpy(weights[f"norm.{part}"]) for part in ("weight", "bias"))
    first = torch.nn.functional.layer_norm(hidden, (WIDTH,), scale, shift, 1e-12)
    expected = float(first.min()) * MARGIN, float(first.max()) * MARGIN
    assert of_each[1]["layers.0.attention_in"] == pytest.approx(expected, rel=1e-4)
