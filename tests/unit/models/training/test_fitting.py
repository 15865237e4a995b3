"""From gold to package, interrupted and resumed, on a tiny network."""

import json
from dataclasses import replace
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="needs torch; pip install '.[train]'")

from tacenda.models.training import fitting
from tacenda.models.training.corpora import words_of
from tacenda.models.training.fitting import fit
from tacenda.models.training.loop import BEST, CHECKPOINT
from tacenda.models.training.recipe import Recipe
from tacenda.transforms.schema.errors import UserError
from tests.tiny_bert import gold


def quiet(line):
    assert "text" not in line


@pytest.fixture
def fitted(scheme, tmp_path):
    """``fitted(recipe, name, said)`` in the folders ``out_name`` and ``work_name``."""

    def run(recipe, name="", said=quiet):
        return fit(recipe, scheme, tmp_path / f"out{name}", tmp_path / f"work{name}", said)

    return run


@pytest.fixture
def recipe(base, write):
    torch.set_num_threads(1)
    training = {"steps": 15, "rate": 2e-2, "checkpoint_every": 5, "dev_share": 0.3, "batch": 512}
    return Recipe((write(gold(120)),), base, **training, threads=1, max_places=48, context=8)


@pytest.mark.slow
def test_a_resumed_training_gives_the_same_result(recipe, fitted, tmp_path):
    fitted(recipe, "_a")

    def killing(line):
        if line["step"] >= 10:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fitted(recipe, "_b", said=killing)
    assert not (tmp_path / "out_b").exists()
    assert torch.load(tmp_path / "work_b" / CHECKPOINT, weights_only=True)["step"] == 5
    fitted(recipe, "_b")
    for name in ("model.onnx", "curve.json"):
        assert (tmp_path / "out_a" / name).read_bytes() == (tmp_path / "out_b" / name).read_bytes(), name


def test_a_folder_of_another_training_is_refused(recipe, fitted, write, monkeypatch):
    monkeypatch.setattr(fitting, "_trained", lambda *_: 1 / 0)
    other_gold = write(gold(120, seed=3), "other.jsonl")
    for changed in (
        recipe,
        replace(recipe, seed=2),
        replace(recipe, rate=1e-2),
        replace(recipe, gold=(other_gold,)),
        replace(recipe, dev=(other_gold,)),
        replace(recipe, dev_share=0.5),
    ):
        refused = ZeroDivisionError if changed is recipe else UserError
        with pytest.raises(refused, match=None if changed is recipe else "holds a training with another"):
            fitted(changed)


@pytest.mark.parametrize(
    ("changes", "spans", "wrong"),
    [
        ({"max_places": 251}, True, "max places must be from four times the context to 250"),
        ({"context": 13}, True, "not 48 with a context of 13"),
        ({}, False, "the development part has no gold span"),
    ],
)
def test_unusable_arguments_are_reported_before_the_training(
    recipe, fitted, tmp_path, write, changes, spans, wrong
):
    dev = gold(9, seed=3)
    if not spans:
        dev = [{**r, "turns": [{**turn, "spans": []} for turn in r["turns"]]} for r in dev]
    given = replace(recipe, dev=(write(dev, "dev.jsonl"),))
    with pytest.raises(UserError, match=wrong):
        fitted(replace(given, **changes))
    assert not (tmp_path / "work").exists()


def test_overlapping_development_text_is_not_trained_on(recipe, scheme, fitted, write):
    copies = [{**r, "source": "other"} for r in gold(120)]
    dev = write([*copies[:9], *copies[:9]], "dev.jsonl")
    sides = fitting._sides(replace(recipe, dev=(dev,)), scheme)
    assert not {words_of(r) for r in sides.train} & {words_of(r) for r in sides.dev}
    assert 9 <= sides.left_out == 120 - len(sides.train)
    dev = write(copies, "dev.jsonl")
    with pytest.raises(UserError, match="every conversation of --gold is in --dev"):
        fitted(replace(recipe, dev=(dev,)))


def test_synthetic_conversations_are_of_training_alone(recipe, fitted, monkeypatch):
    seen: dict[str, Any] = {}

    class StopError(Exception):
        pass

    def watched(network, batches, dev, *_):
        seen.update(train=batches._records, dev=dev._records)
        raise StopError

    monkeypatch.setattr(fitting, "train", watched)
    with pytest.raises(StopError):
        fitted(replace(recipe, synthetic=0.1))
    sources = [r["source"] for r in seen["train"]]
    assert sources.count("synthetic") == round(0.1 * sources.count("office"))
    assert {r["source"] for r in seen["dev"]} == {"office"}
    assert not {r["id"] for r in seen["train"]} & {r["id"] for r in seen["dev"]}


def test_the_log_has_figures_and_no_text(recipe, fitted, tmp_path):
    fitted(recipe)
    log = (tmp_path / "work" / "log.jsonl").read_text()
    assert [json.loads(line)["step"] for line in log.splitlines()] == [5, 10, 15]
    assert "Pam" not in log
    assert {p.name for p in (tmp_path / "work").iterdir()} == {"run.json", "log.jsonl", BEST, CHECKPOINT}
