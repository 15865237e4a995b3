"""Interrupted and resumed training has the same result as uninterrupted training."""

from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")

import torch

from tacenda.models.token_classifier.encoding import Case, TurnEncoder
from tacenda.models.training.batches import Batches
from tacenda.models.training.corpora import LabelScheme
from tacenda.models.training.loop import BEST, Schedule, train
from tacenda.models.training.network import from_bert
from tacenda.transforms.schema.errors import UserError
from tests.tiny_bert import TINY, gold

SCHEDULE = Schedule(12, rate=1e-2, checkpoint_every=4)


class KilledError(Exception):
    pass


@pytest.fixture
def make(base, scheme):
    torch.set_num_threads(1)

    def made(seed=1):
        torch.manual_seed(seed)
        encoder = TurnEncoder(base / "tokenizer.json")
        return {
            "network": from_bert(base, len(scheme.classes)),
            "batches": Batches(gold(60), scheme, encoder, 512, seed),
            "dev": Batches(gold(10, seed=2), scheme, encoder, 512, seed),
            "compiled": False,
            "seed": seed,
        }

    return made


def test_learns_and_keeps_the_best(make, tmp_path):
    lines: list[dict[str, Any]] = []
    parts = make()
    train(schedule=SCHEDULE, checkpoints=tmp_path, said=lines.append, **parts)
    losses = {line["step"]: line["dev_loss"] for line in lines if "dev_loss" in line}
    assert list(losses) == [4, 8, 12]
    assert losses[12] < losses[4]
    best = torch.load(tmp_path / BEST, weights_only=True)
    assert best["step"] == min(losses, key=lambda step: losses[step])
    assert all(torch.equal(t, best["network"][name]) for name, t in parts["network"].state_dict().items())


def test_the_rate_is_constant_and_then_falls():
    factors = [Schedule(100).factor(step) for step in range(100)]
    assert factors[0] == 0.2 < factors[2]
    assert set(factors[4:71]) == {1.0}
    assert factors[71:] == sorted(factors[71:], reverse=True)
    assert 0 < factors[99] < 0.02


def test_only_more_steps_at_the_constant_rate_go_on_from_a_checkpoint(make, tmp_path):
    one = Schedule(10, checkpoint_every=2)
    parts = make()

    def stop(line):
        if line["step"] == 4:
            raise KilledError

    with pytest.raises(KilledError):
        train(schedule=one, checkpoints=tmp_path, said=stop, **parts)
    train(schedule=Schedule(4, checkpoint_every=2), checkpoints=tmp_path / "b", **make())
    for other, folder in (
        (Schedule(10, rate=0.5, checkpoint_every=2), ""),
        (Schedule(20, checkpoint_every=2), "b"),
    ):
        with pytest.raises(UserError, match="another schedule"):
            train(schedule=other, checkpoints=tmp_path / folder, **make())


def test_soft_targets_and_proper_nouns_are_learnt(make, tmp_path, scheme):
    """The teacher takes words in lower case for places, of which gold is silent; proper nouns are apart."""
    parts = make()
    labels = LabelScheme.load(
        'classes: ["O", "PERSON_NAME", "LOCATION"]\ncorpora:\n'
        '  office: {annotates: ["PERSON_NAME"], weight: 1}\n'
        "  ud: {annotates: [], weight: 1, tags: true}\n"
        '  other: {annotates: ["*"], weight: 0}'
    )

    class Sure:
        def of(self, texts, first_cell, tokens):
            return np.eye(3, dtype=np.float32)[np.where(tokens.cases == Case.LOWER, 2, 1)]

    tagged = gold(60, seed=4, source="ud/x")
    for record in tagged:
        for turn in record["turns"]:
            turn["spans"] = [{**span, "label": "PROPN"} for span in turn["spans"]]
    records = [*gold(60), *tagged, *gold(1, source="other")]
    encoder = TurnEncoder(TINY / "tokenizer.json")
    parts["batches"] = Batches(records, labels, encoder, 512, 1, teachers=[Sure()])
    train(schedule=Schedule(30, rate=1e-2), checkpoints=tmp_path, **{**parts, "dev": None})
    network = parts["network"].eval()
    right = total = names = 0
    for batch in Batches(gold(20, seed=5), scheme, encoder, 512, 1).once():
        ids, *rest = (torch.from_numpy(a) for a in (batch.ids, batch.mask, batch.cases))
        with torch.no_grad():
            logits, left = network.read(network.words(ids), *rest)
            proper = network.proper(left[-1]).squeeze(-1) > 0
        target = torch.from_numpy(batch.targets)
        names += int((logits.argmax(-1)[target == 0] == 2).sum()) / int((target == 0).sum())
        right += int((proper == (target > 0))[target >= 0].sum())
        total += int((target >= 0).sum())
    assert names > 0.9
    assert right / total > 0.8
