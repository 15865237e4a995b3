"""Positions dropped by a gate are unchanged; the others equal a literal implementation of the rule."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")
pytest.importorskip("onnx", reason="needs onnx; pip install '.[train]'")

from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.torch_network import NetworkConfig, TokenNetwork
from tacenda.models.training.early_exit import Gate
from tacenda.models.training.exporting import write_onnx
from tacenda.models.training.packaging import calibrated

CLASSES, WIDTH, LAYERS = 5, 16, 4
EVERYTHING, NOTHING = -1e9, 1e9


@pytest.fixture
def network():
    torch.manual_seed(3)
    config = NetworkConfig(
        classes=CLASSES, layers=LAYERS, width=WIDTH, heads=4, inner=32, vocabulary=50, positions=64
    )
    made = TokenNetwork(config).eval()
    for layer in made.layers:
        torch.nn.init.normal_(layer.attention_in.weight, std=0.5)
    return made


@pytest.fixture
def given():
    rng = np.random.default_rng(4)
    ids = rng.integers(0, 50, (6, 23))
    return ids, np.ones_like(ids), rng.integers(0, 3, ids.shape)


def gate(least, seed=0):
    return Gate(np.random.default_rng(seed).normal(size=WIDTH).astype(np.float32), least)


def answered(network, gates, given, path, quantised=False):
    return exported(network, gates, given, path, quantised).scores(*given)


def exported(network, gates, given, path, quantised):
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    ranges = calibrated(weights, LAYERS, 4, [given], gates) if quantised else None
    write_onnx(weights, LAYERS, 4, path, ranges=ranges, gates=gates)
    return OnnxSession(path, CLASSES)


def by_the_rule(network, gates, given):
    """Every layer on all positions, then dropped positions restored."""
    ids, _, cases = (torch.from_numpy(one) for one in given)
    with torch.no_grad():
        hidden = network.words(ids) + network.places(torch.arange(ids.shape[1])) + network.cases(cases)
        hidden = network.norm(hidden)
        going = torch.ones(ids.shape, dtype=torch.bool)
        for number, layer in enumerate(network.layers):
            hidden = torch.where(going[..., None], layer(hidden, torch.zeros(1)), hidden)
            if number in gates:
                going &= hidden @ torch.from_numpy(gates[number].weight) > gates[number].least
        logits = network.classify(hidden)
        outside = torch.zeros(CLASSES)
        outside[0] = 20.0
        return torch.where(going[..., None], logits, outside).numpy()


@pytest.mark.parametrize(
    "gates",
    [
        {2: gate(0.5)},
        {0: gate(0.0)},
        {0: gate(0.0), 1: gate(1.0, 1), 2: gate(2.0, 2)},
        {0: gate(1.0), 2: gate(2.0, 1)},
        {1: gate(EVERYTHING), 2: gate(0.3)},
        {0: gate(NOTHING), 1: gate(NOTHING)},
    ],
)
def test_the_gated_graph_equals_its_definition(network, given, tmp_path, gates):
    expected = by_the_rule(network, gates, given)
    assert (expected[..., 0] == 20).any() or EVERYTHING in [g.least for g in gates.values()]
    assert np.allclose(answered(network, gates, given, tmp_path / "m.onnx"), expected, atol=1e-4)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_row_has_the_same_scores_alone_and_in_any_call(network, given, tmp_path, threads):
    gates = {0: gate(0.0), 1: gate(1.0, 1), 2: gate(2.0, 2)}
    exported(network, gates, given, tmp_path / "m.onnx", quantised=True)
    session = OnnxSession(tmp_path / "m.onnx", CLASSES, threads)
    alone = [session.scores(*(one[i : i + 1] for one in given))[0] for i in range(len(given[0]))]
    assert len({(row[:, 0] != 20).sum() for row in alone}) > 1, "as many places pass in every row"
    for rows in ([0, 1], [5, 3, 1], [2, 2, 2], [4, 3, 2, 1, 0, 5], [1] * 40 + [3]):
        together = session.scores(*(one[rows] for one in given))
        for row, scores in zip(rows, together, strict=True):
            assert np.array_equal(scores, alone[row])


def test_a_gate_that_all_pass_changes_nothing(network, given, tmp_path):
    without = answered(network, {}, given, tmp_path / "without.onnx")
    assert np.allclose(
        answered(network, {1: gate(EVERYTHING)}, given, tmp_path / "m.onnx"), without, atol=1e-5
    )


def test_quantised_places_that_pass_the_last_gate_are_nearly_as_without_it(network, given, tmp_path):
    without = answered(network, {}, given, tmp_path / "without.onnx", quantised=True)
    gated = answered(network, {2: gate(0.5)}, given, tmp_path / "m.onnx", quantised=True)
    passed = gated[..., 0] != 20
    assert 0.1 < passed.mean() < 0.9
    assert np.abs(gated - without)[passed].max() < 0.1 * np.abs(without).max()


def test_rows_of_one_place_and_one_row(network, tmp_path):
    for shape in ((1, 1), (1, 30), (9, 1)):
        given = tuple(np.ones(shape, np.int64) for _ in range(3))
        assert answered(network, {0: gate(0.0), 2: gate(NOTHING)}, given, tmp_path / "m.onnx").shape == (
            *shape,
            CLASSES,
        )


def test_a_run_may_open_the_gates(network, given, tmp_path):
    gates = {0: gate(0.0), 2: gate(1.0, 1)}
    closed = exported(network, gates, given, tmp_path / "gated.onnx", quantised=True)
    (whole,) = closed.scores_of([given], whole=True)
    (held,) = closed.scores_of([given])
    assert closed.gated
    assert (held[..., 1:] == 0).all(axis=-1).any()
    assert not (whole[..., 1:] == 0).all(axis=-1).any()
    opened = {number: Gate(one.weight, -np.inf) for number, one in gates.items()}
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    ranges = calibrated(weights, LAYERS, 4, [given], gates)
    write_onnx(weights, LAYERS, 4, tmp_path / "open.onnx", ranges=ranges, gates=opened)
    assert np.array_equal(whole, OnnxSession(tmp_path / "open.onnx", CLASSES).scores(*given))


def test_a_network_without_gates_has_none_to_open(network, given, tmp_path):
    assert not exported(network, {}, given, tmp_path / "m.onnx", quantised=False).gated
