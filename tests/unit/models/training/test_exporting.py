"""The exported network gives the results of the trained one; the quantised one nearly."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")
onnx = pytest.importorskip("onnx", reason="needs onnx; pip install '.[train]'")

import pytest
from onnx import numpy_helper

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.loading import embedded_path
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.training.exporting import write_onnx
from tacenda.models.training.graph import unsaturated
from tacenda.models.training.network import from_bert
from tacenda.models.training.packaging import TOLERANCE, calibrated, largest_difference

from .conftest import gold

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")
pytest.importorskip("onnx", reason="needs onnx; pip install '.[train]'")

from tacenda.models.token_classifier.torch_network import NetworkConfig, TokenNetwork
from tacenda.models.training.packaging import MARGIN


@pytest.fixture
def network(base):
    torch.manual_seed(3)
    made = from_bert(base, 5)
    torch.nn.init.normal_(made.classify.weight)
    torch.nn.init.normal_(made.cases.weight)
    torch.nn.init.normal_(made.layers[0].inner.bias)
    return made


def session(network, path, quantised, *, is_apart=False):
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    sizes = network.config.layers, network.config.heads
    ranges = calibrated(weights, *sizes, some_calls(network.config.vocabulary)) if quantised else None
    write_onnx(weights, *sizes, path, ranges=ranges, apart=is_apart)
    return OnnxSession(path, network.config.classes)


def some_calls(vocabulary):
    rng = np.random.default_rng(2)
    ids = rng.integers(0, vocabulary, (20, 40))
    return [(ids, np.ones_like(ids), rng.integers(0, 4, ids.shape))]


def apart(network, session, base):
    records = [*gold(40), {"turns": [{"text": "pam " * 300, "spans": []}]}]
    return largest_difference(network, session, TurnEncoder(base / "tokenizer.json"), records, 40, 8)


def test_float32_is_the_trained_network(network, base, tmp_path):
    assert apart(network, session(network, tmp_path / "m.onnx", False), base) < TOLERANCE / 10


def test_int8_is_smaller_and_near(network, base, tmp_path):
    small, exact = tmp_path / "s.onnx", tmp_path / "e.onnx"
    session(network, exact, False)
    assert 1e-6 < apart(network, session(network, small, True), base) < 0.2
    assert small.stat().st_size < 0.6 * exact.stat().st_size


def test_another_network_is_distinguished(network, base, tmp_path):
    exported = session(network, tmp_path / "m.onnx", False)
    with torch.no_grad():
        network.layers[1].outer.weight[0] += 0.5
    assert apart(network, exported, base) > TOLERANCE


def test_export_is_the_same_every_time(network, tmp_path):
    for name in ("a", "b"):
        session(network, tmp_path / name, True)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert np.isfinite(
        OnnxSession(tmp_path / "a", 5).scores(*(np.ones((1, 3), np.int64) for _ in range(3)))
    ).all()


@pytest.mark.parametrize("quantised", [True, False])
def test_weights_in_a_separate_file_are_equal(network, tmp_path, quantised):
    session(network, tmp_path / "a", quantised)
    session(network, tmp_path / "b", quantised, is_apart=True)
    assert {p.name for p in tmp_path.iterdir()} == {"a", "b", "b.data"}
    assert (tmp_path / "b").stat().st_size < 0.3 * (tmp_path / "b.data").stat().st_size
    ids = np.arange(4, 10, dtype=np.int64).reshape(2, 3)
    one, other = (OnnxSession(tmp_path / n, 5).scores(ids, np.ones_like(ids), ids % 3) for n in "ab")
    assert np.array_equal(one, other)
    assert not OnnxSession(tmp_path / "b", 5).pads


def saturating(weights):
    """The number of pairs of products that do not fit in 16 bits for some uint8 inputs."""
    pairs = weights[: len(weights) // 2 * 2].astype(np.int64).reshape(-1, 2, weights.shape[1])
    ups, downs = (255 * pairs.clip(0)).sum(1), (255 * pairs.clip(None, 0)).sum(1)
    return int(((ups > np.iinfo(np.int16).max) | (downs < np.iinfo(np.int16).min)).sum())


def products(path):
    """The int8 weights (inputs, outputs) of a network's products."""
    graph = onnx.load(str(path)).graph
    names = {node.input[1] for node in graph.node if node.op_type == "MatMulIntegerToFloat"}
    return {t.name: numpy_helper.to_array(t) for t in graph.initializer if t.name in names}


def test_no_processor_saturates(network, tmp_path):
    with torch.no_grad():
        network.layers[0].inner.weight[:, :8] = 3.0
    path = tmp_path / "m.onnx"
    session(network, path, True)
    tensors = products(path)
    assert len(tensors) == 4 * network.config.layers + 1
    assert {name: saturating(weights) for name, weights in tensors.items()} == dict.fromkeys(tensors, 0)
    assert saturating(np.full((2, 1), 127, np.int8)) == 1


def test_the_embedded_network_saturates_on_no_processor():
    tensors = products(embedded_path() / "model.onnx")
    assert len(tensors) > 16
    assert {name: saturating(weights) for name, weights in tensors.items()} == dict.fromkeys(tensors, 0)


def test_weights_stay_near_and_pairs_that_cannot_saturate_as_they_are():
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(64, 40)).astype(np.float32)
    weights[:, 0] = 0
    # Neighbours of one column that are far larger than the rest: a coarser scale would cost the others more.
    weights[:2, 1] = 20, -20
    eights, scales = unsaturated(weights)
    assert eights.dtype == np.int8
    assert saturating(eights) == 0
    assert np.linalg.norm(eights * scales - weights) < 0.02 * np.linalg.norm(weights)
    alone = np.zeros((4, 2), np.float32)
    alone[::2] = 3
    eights, scales = unsaturated(alone)
    assert eights[::2].tolist() == [[127, 127]] * 2


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
