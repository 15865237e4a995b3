"""Half of the units give nearly what all gave, if the others repeat them."""

import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")

from tacenda.models.training.fitting import pruned
from tacenda.models.training.network import from_bert

Inputs = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


@pytest.fixture
def network(base):
    torch.manual_seed(2)
    made = from_bert(base, 5).eval()
    torch.nn.init.normal_(made.classify.weight)
    return made


def texts(network, seed):
    rng = torch.Generator().manual_seed(seed)
    ids = torch.randint(0, network.config.vocabulary, (40, 24), generator=rng)
    mask = torch.ones_like(ids)
    mask[:, 20:] = 0
    return [(ids, mask, torch.zeros_like(ids))]


def test_all_units_are_the_same_network(network):
    (inputs,) = texts(network, 1)
    same = pruned(network, [inputs], network.config.inner)
    assert torch.allclose(same(*inputs), network(*inputs), atol=0.02)


@torch.no_grad()
def test_units_that_repeat_others_are_not_missed(network):
    half = network.config.inner // 2
    for layer in network.layers:
        layer.inner.weight[half:] = layer.inner.weight[:half]
        layer.inner.bias[half:] = layer.inner.bias[:half]
    small = pruned(network, texts(network, 1), half)
    assert small.config.inner == half
    (inputs,) = texts(network, 9)
    whole, rest = network(*inputs)[:, :20], small(*inputs)[:, :20]
    assert float((whole - rest).norm() / whole.norm()) < 0.2
    for layer in small.layers:
        layer.outer.weight /= 2
    assert float((whole - small(*inputs)[:, :20]).norm() / whole.norm()) > float(
        (whole - rest).norm() / whole.norm()
    )


def test_a_network_cannot_grow(network):
    with pytest.raises(ValueError, match="more inner units than it has"):
        pruned(network, texts(network, 1), network.config.inner + 1)
