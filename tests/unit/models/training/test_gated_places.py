"""Places that a gate holds back stay as they are; the others come out as a plain reading of the rule says."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install 'tacet[train]'")
pytest.importorskip("onnx", reason="needs onnx; pip install 'tacet[train]'")

from models.token_classifier.onnx_session import OnnxSession
from models.training.exporting import write_onnx
from models.training.gated_places import Gate
from models.training.network import NetworkConfig, TokenNetwork

CLASSES, WIDTH, LAYERS = 5, 16, 4
EVERYTHING, NOTHING = -1e9, 1e9


@pytest.fixture
def network() -> TokenNetwork:
    torch.manual_seed(3)
    config = NetworkConfig(
        classes=CLASSES, layers=LAYERS, width=WIDTH, heads=4, inner=32, vocabulary=50, positions=64
    )
    made = TokenNetwork(config).eval()
    for layer in made.layers:
        torch.nn.init.normal_(layer.attention_in.weight, std=0.5)
    return made


@pytest.fixture
def given() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    ids = rng.integers(0, 50, (6, 23))
    return ids, np.ones_like(ids), rng.integers(0, 3, ids.shape)


def gate(least: float, seed: int = 0) -> Gate:
    return Gate(np.random.default_rng(seed).normal(size=WIDTH).astype(np.float32), least)


def answered(
    network: TokenNetwork,
    gates: Mapping[int, Gate],
    given: tuple[np.ndarray, ...],
    path: Path,
    quantised: bool = False,
) -> np.ndarray:
    weights = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    write_onnx(weights, LAYERS, 4, path, quantised=quantised, gates=gates)
    return OnnxSession(path, CLASSES).scores(*given)


def by_the_rule(
    network: TokenNetwork, gates: Mapping[int, Gate], given: tuple[np.ndarray, ...]
) -> np.ndarray:
    """Every layer over all places, and what was held back put back as it was."""
    ids, _, cases = (torch.from_numpy(one) for one in given)
    with torch.no_grad():
        hidden = network.words(ids) + network.places(torch.arange(ids.shape[1])) + network.cases(cases)
        hidden = network.norm(hidden)
        going = torch.ones(ids.shape, dtype=torch.bool)
        for number, layer in enumerate(network.layers):
            hidden = torch.where(going[..., None], layer(hidden, torch.zeros(1)), hidden)
            if number in gates:
                value = hidden @ torch.from_numpy(gates[number].weight)
                value[~going] = -torch.inf
                most = max(1, int((value > gates[number].least).sum(1).max()))
                going = torch.zeros_like(going).scatter(1, value.topk(most).indices, True)
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
def test_the_graph_does_what_the_rule_says(
    network: TokenNetwork, given: tuple[np.ndarray, ...], tmp_path: Path, gates: Mapping[int, Gate]
) -> None:
    expected = by_the_rule(network, gates, given)
    assert (expected[..., 0] == 20).any() or EVERYTHING in [g.least for g in gates.values()]
    assert np.allclose(answered(network, gates, given, tmp_path / "m.onnx"), expected, atol=1e-4)


def test_a_gate_that_all_pass_changes_nothing(
    network: TokenNetwork, given: tuple[np.ndarray, ...], tmp_path: Path
) -> None:
    without = answered(network, {}, given, tmp_path / "without.onnx")
    assert np.allclose(
        answered(network, {1: gate(EVERYTHING)}, given, tmp_path / "m.onnx"), without, atol=1e-5
    )


def test_quantised_places_that_pass_the_last_gate_are_nearly_as_without_it(
    network: TokenNetwork, given: tuple[np.ndarray, ...], tmp_path: Path
) -> None:
    without = answered(network, {}, given, tmp_path / "without.onnx", quantised=True)
    gated = answered(network, {2: gate(0.5)}, given, tmp_path / "m.onnx", quantised=True)
    passed = gated[..., 0] != 20
    assert 0.1 < passed.mean() < 0.9
    assert np.abs(gated - without)[passed].max() < 0.1 * np.abs(without).max()


def test_rows_of_one_place_and_one_row(network: TokenNetwork, tmp_path: Path) -> None:
    for shape in ((1, 1), (1, 30), (9, 1)):
        given = tuple(np.ones(shape, np.int64) for _ in range(3))
        assert answered(network, {0: gate(0.0), 2: gate(NOTHING)}, given, tmp_path / "m.onnx").shape == (
            *shape,
            CLASSES,
        )
