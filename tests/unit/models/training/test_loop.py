"""Interrupted and resumed training has the same result as uninterrupted training."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")

import torch

from tacenda.models.token_classifier.encoding import Case, TurnEncoder
from tacenda.models.training.batches import Batches
from tacenda.models.training.corpora import LabelScheme
from tacenda.models.training.loop import BEST, rate_factor, train
from tacenda.models.training.network import from_bert
from tacenda.models.training.recipe import Recipe
from tests.tiny_bert import TINY, gold


@pytest.fixture
def trained(base, scheme, tmp_path):
    """``trained(said, steps=…, batches=…)``: the network and the step that was kept."""
    torch.set_num_threads(1)

    def run(said=lambda line: None, steps=12, every=4, batches=None):
        torch.manual_seed(1)
        encoder = TurnEncoder(base / "tokenizer.json")
        network = from_bert(base, len(scheme.classes))
        batches = batches or Batches(gold(60), scheme, encoder, 512, 1)
        dev = Batches(gold(10, seed=2), scheme, encoder, 512, 1)
        recipe = Recipe((), base, steps=steps, rate=1e-2, checkpoint_every=every)
        return network, train(network, batches, dev, recipe, tmp_path, said)

    return run


def test_learns_and_keeps_the_best(trained, tmp_path):
    lines: list[dict[str, Any]] = []
    network, step = trained(lines.append)
    losses = {line["step"]: line["dev_loss"] for line in lines if "dev_loss" in line}
    assert list(losses) == [4, 8, 12]
    assert losses[12] < losses[4]
    best = torch.load(tmp_path / BEST, weights_only=True)
    assert best["step"] == step == min(losses, key=lambda step: losses[step])
    assert all(torch.equal(t, best["network"][name]) for name, t in network.state_dict().items())


def test_the_rate_is_constant_and_then_falls():
    factors = [rate_factor(step, 100) for step in range(100)]
    assert factors[0] == 0.2 < factors[2]
    assert set(factors[4:71]) == {1.0}
    assert factors[71:] == sorted(factors[71:], reverse=True)
    assert 0 < factors[99] < 0.02


def test_soft_targets_and_proper_nouns_are_learnt(trained, scheme):
    """The teacher takes words in lower case for places, of which gold is silent; proper nouns are apart."""
    labels = LabelScheme.load(
        'classes: ["O", "PERSON_NAME", "LOCATION"]\ncorpora:\n'
        '  office: {annotates: ["PERSON_NAME"], weight: 1}\n'
        "  ud: {annotates: [], weight: 1, taught: false, tags: true}\n"
        '  other: {annotates: ["*"], weight: 0}'
    )

    class Sure:
        def of(self, texts, first_cell, tokens):
            return np.eye(3, dtype=np.float32)[np.where(tokens.cases == Case.LOWER, 2, 1)]

    encoder = TurnEncoder(TINY / "tokenizer.json")
    tagged = gold(60, seed=4, source="ud/x")
    for record in tagged:
        for turn in record["turns"]:
            turn["spans"] = [{**span, "label": "PROPN"} for span in turn["spans"]]
    labels.refuse_unknown(tagged)
    records = [*gold(60), *tagged, *gold(1, source="other")]
    batches = Batches(records, labels, encoder, 512, 1, teachers=[Sure()])
    network, _ = trained(steps=30, every=30, batches=batches)
    for batch in Batches(gold(20, seed=5), scheme, encoder, 512, 1).once():
        ids, *rest = (torch.from_numpy(a) for a in (batch.ids, batch.mask, batch.cases))
        with torch.no_grad():
            logits, left = network.eval().read(network.words(ids), *rest)
            proper = network.proper(left[-1]).squeeze(-1) > 0
        target = torch.from_numpy(batch.targets)
        assert (logits.argmax(-1)[target == 0] == 2).float().mean() > 0.9
        assert (proper == (target > 0))[target >= 0].float().mean() > 0.8
