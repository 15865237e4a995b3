"""The network equals BERT if token types are equal, and its loss is that of partial labels."""

import math

import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")

from tacenda.models.training.network import from_bert, partial_label_loss
from tacenda.transforms.schema.errors import UserError


def test_starts_from_the_layers_that_are_kept(base):
    whole, part = from_bert(base, 3), from_bert(base, 3, (1,))
    assert (whole.config.layers, part.config.layers) == (2, 1)
    assert torch.equal(part.layers[0].inner.weight, whole.layers[1].inner.weight)


def test_starts_with_the_largest_units(base):
    whole, small = from_bert(base, 3), from_bert(base, 3, inner=16)
    assert small.layers[0].inner.weight.shape == (16, 32)
    rows = {tuple(row) for row in whole.layers[0].inner.weight.tolist()}
    assert {tuple(row) for row in small.layers[0].inner.weight.tolist()} < rows


@pytest.mark.parametrize(("layers", "inner"), [((0, 9), None), (None, 65), (None, None)])
def test_rejects_anything_but_bert_and_more_than_it_has(base, tmp_path, layers, inner):
    with pytest.raises(UserError, match="not a BERT checkpoint"):
        from_bert(base if layers or inner else tmp_path, 3, layers, inner)


def test_padding_changes_nothing(base):
    network = from_bert(base, 3).eval()
    ids = torch.tensor([[2, 4, 5, 7]])
    padded = torch.tensor([[2, 4, 5, 7, 0, 0]])
    with torch.no_grad():
        plain = network(ids, torch.ones_like(ids), torch.zeros_like(ids))
        longer = network(padded, (padded > 0).long(), torch.zeros_like(padded))
    assert torch.allclose(plain, longer[:, :4], atol=1e-6)


def test_loss_of_one_class_is_cross_entropy_and_of_all_is_nothing():
    logits = torch.tensor([[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]])
    one = torch.tensor([[False, True, False], [True, False, False]])
    plain = torch.nn.functional.cross_entropy(logits, torch.tensor([1, 0]))
    assert float(partial_label_loss(logits, one, torch.ones(2))) == pytest.approx(float(plain))
    assert float(partial_label_loss(logits, torch.ones_like(one), torch.ones(2))) == pytest.approx(0)
    two = torch.tensor([[True, True, False], [False, True, True]])
    inside = [(1 + math.e) / (1 + math.e + math.e**2), 2 / (2 + math.e**3)]
    expected = -(math.log(inside[0]) + 3 * math.log(inside[1])) / 4
    assert float(partial_label_loss(logits, two, torch.tensor([1.0, 3.0]))) == pytest.approx(expected)
