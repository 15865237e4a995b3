"""Gates forward what the network may find, and are tested on text they did not learn from."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.training.early_exit import OF_INTEREST, learnt_gates
from tacenda.models.training.gold_tokens import real_rows
from tacenda.models.training.network import from_bert

from .conftest import gold


@pytest.fixture
def network(base):
    torch.manual_seed(3)
    made = from_bert(base, 5)
    torch.nn.init.normal_(made.classify.weight)
    return made


@pytest.fixture
def encoder(base):
    return TurnEncoder(base / "tokenizer.json")


def gates(network, encoder, lost, dev=None):
    return learnt_gates(network, encoder, gold(60), gold(40, seed=2) if dev is None else dev, 48, 8, lost)


def test_a_gate_behind_every_layer_but_the_last_loses_no_more_than_it_may(network, encoder):
    made = gates(network, encoder, 0.05)
    assert made
    assert set(made) <= set(range(network.config.layers - 1))
    rows = real_rows(gold(40, seed=2), encoder, 48, 8, padded=False)
    for layer, (gate, report) in made.items():
        assert 0 < report.passing < 1
        assert report.lost <= 0.05
        inside, passes = [], []
        for given in rows.inputs():
            with torch.no_grad():
                tokens, *rest = map(torch.from_numpy, given)
                logits, left = network.read(network.words(tokens), *rest)
            inside.append(1 - torch.softmax(logits, -1)[..., 0].flatten().numpy())
            passes.append(left[layer].flatten(0, 1).numpy() @ gate.weight > gate.least)
        interest = np.concatenate(inside) > OF_INTEREST
        assert interest.any()
        # Learnt in bf16 and asked in float32: a place or two may lie on the other side.
        assert 1 - np.concatenate(passes)[interest].mean() <= 0.05 + 0.02
        assert np.concatenate(passes).mean() == pytest.approx(report.passing, abs=0.05)


def test_more_that_may_be_lost_is_less_that_passes(network, encoder):
    strict, loose = gates(network, encoder, 0.01), gates(network, encoder, 0.2)
    assert all(loose[layer][1].passing < strict[layer][1].passing for layer in strict)


def test_the_same_text_gives_the_same_gates(network, encoder):
    one, other = gates(network, encoder, 0.05), gates(network, encoder, 0.05)
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[i][0].weight, other[i][0].weight) for i in one)
    assert [one[i][1:] for i in one] == [other[i][1:] for i in one]


def test_no_gates_where_none_may_lose_or_nothing_is_of_interest(network, encoder):
    assert gates(network, encoder, 0.0) == {}
    with torch.no_grad():
        network.classify.weight.zero_()
        network.classify.bias.copy_(torch.tensor([50.0, 0, 0, 0, 0]))
    assert gates(network, encoder, 0.05) == {}
