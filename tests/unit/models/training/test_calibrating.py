"""Ranges are those seen in a network's products; an export reads back what was written."""

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")
onnx = pytest.importorskip("onnx", reason="needs onnx; pip install '.[train]'")

from tacenda.models.training.calibrating import MARGIN, calibrated
from tacenda.models.training.exporting import write_onnx
from tacenda.models.training.gated_places import Gate
from tacenda.models.training.network import NetworkConfig, TokenNetwork
from tacenda.models.training.restoring import restored
from tacenda.transforms.schema.errors import UserError

HEADS, LAYERS, WIDTH = 2, 3, 16
GATES = {0: Gate(np.linspace(-1, 1, WIDTH, dtype=np.float32), 0.25)}


@pytest.fixture
def weights() -> dict[str, np.ndarray]:
    torch.manual_seed(5)
    config = NetworkConfig(
        classes=4, layers=LAYERS, width=WIDTH, heads=HEADS, inner=32, vocabulary=50, positions=64
    )
    made = TokenNetwork(config).eval()
    torch.nn.init.normal_(made.norm.weight)
    return {name: tensor.detach().numpy() for name, tensor in made.state_dict().items()}


@pytest.fixture
def calls() -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(1)
    ids = [rng.integers(0, 50, shape) for shape in ((3, 9), (1, 30))]
    return [(one, np.ones_like(one), one % 3) for one in ids]


def test_a_range_spans_all_that_was_seen_and_a_margin(weights, calls) -> None:  # type: ignore[no-untyped-def]
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


def test_what_was_exported_is_read_back_and_exported_again_to_the_same_bytes(  # type: ignore[no-untyped-def]
    weights, calls, tmp_path: Path
) -> None:
    ranges = calibrated(weights, LAYERS, HEADS, calls, GATES)
    write_onnx(weights, LAYERS, HEADS, tmp_path / "once.onnx", ranges=ranges, gates=GATES)
    network = restored(tmp_path / "once.onnx")
    assert (network.layers, network.heads, list(network.gates)) == (LAYERS, HEADS, [0])
    for name, value in weights.items():
        assert np.allclose(network.weights[name], value, atol=np.abs(value).max() / 200), name
    write_onnx(network.weights, LAYERS, HEADS, tmp_path / "again.onnx", ranges=ranges, gates=network.gates)
    once, again = (
        {t.name: onnx.numpy_helper.to_array(t) for t in onnx.load(tmp_path / f"{n}.onnx").graph.initializer}
        for n in ("once", "again")
    )
    for name, value in once.items():
        if value.dtype == np.int8:
            assert np.array_equal(value, again[name]), name
        else:
            assert np.allclose(value, again[name], rtol=1e-6), name


@pytest.mark.parametrize("content", [b"", b"no graph at all"])
def test_another_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "m.onnx").write_bytes(content)
    with pytest.raises(UserError, match=r"m\.onnx"):
        restored(tmp_path / "m.onnx")
