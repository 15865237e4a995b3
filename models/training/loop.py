"""The training loop: seeded and resumable; the learning rate depends on the step alone."""

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from tacenda.models.training.batches import LENGTHS, Batch, Batches
from tacenda.models.training.corpora import IGNORED, OUTSIDE, silences
from tacenda.models.training.distilling import Teacher
from tacenda.models.training.network import TokenNetwork, partial_label_loss
from tacenda.transforms.schema.errors import UserError

CHECKPOINT, BEST = "checkpoint.pt", "best.pt"

_DEV_BATCHES = 40
"""Approximate number of batches for the dev loss."""

_SEEDS_APART = 1 << 32
"""More than any number of steps, so that the random states of different seeds do not coincide."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Number of steps and learning rates (AdamW, decaying to zero along a half cosine)."""

    steps: int
    rate: float = 3e-4
    embedding_rate: float = 1e-4
    warm_up: float = 0.05
    weight_decay: float = 0.01
    checkpoint_every: int = 250

    def factor(self, step: int) -> float:
        """Learning rate factor at a step."""
        warm = max(1, int(self.steps * self.warm_up))
        if step < warm:
            return (step + 1) / warm
        return 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, self.steps - warm)))


def train(
    network: TokenNetwork,
    batches: Batches,
    schedule: Schedule,
    checkpoints: Path,
    *,
    compiled: bool = True,
    said: Callable[[dict[str, Any]], None] = lambda line: None,
    dev: Batches | None = None,
    class_weights: npt.NDArray[np.float32] | None = None,
    teacher: Teacher | None = None,
    seed: int = 0,
) -> None:
    """Train in place, resuming from the checkpoint of an earlier call with the same schedule and data.

    ``said`` is called with progress figures: step, loss, tokens a second. Checkpoints contain weights,
    optimiser state and step, and are replaced atomically. With ``dev``, its loss is computed at every
    checkpoint; the weights with the lowest are kept in ``best.pt`` and loaded at the end. ``class_weights``
    (classes) weight the loss of labelled tokens. With a ``teacher``, the distillation loss is added.
    """
    embedding = set(network.words.parameters())
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in network.parameters() if p not in embedding], "rate": schedule.rate},
            {"params": list(embedding), "rate": schedule.embedding_rate},
        ],
        weight_decay=schedule.weight_decay,
        fused=True,
    )
    loss_of = _Loss(network, batches, class_weights, teacher)
    dev_loss_of = None if dev is None else _Loss(network, dev, None)
    held_out = [] if dev is None else list(dev.once())
    held_out = held_out[:: max(1, len(held_out) // _DEV_BATCHES)]
    checkpoint = checkpoints / CHECKPOINT
    step, best = 0, math.inf
    if checkpoint.is_file():
        step, best = _resumed(checkpoint, network, optimizer, asdict(schedule))
    run: Any = network.seen_through
    if compiled:
        # One graph per row length, for the network and its teacher.
        torch._dynamo.config.recompile_limit = 4 * len(LENGTHS)
        run = torch.compile(run, dynamic=False)
        if teacher is not None:
            teacher.compile()

    def save(at: int) -> None:
        nonlocal best
        if dev_loss_of is not None:
            # Not compiled: compiling every shape would cost more than it saves.
            now = dev_loss_of.mean(network.eval(), held_out)
            network.train()
            said({"step": at, "dev_loss": round(now, 4)})
            if now < best:
                best = now
                _save(checkpoints / BEST, {"network": network.state_dict(), "step": at})
        state = {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "step": at}
        described = json.dumps(asdict(schedule), sort_keys=True)
        _save(checkpoint, {**state, "schedule": described, "best": best})

    network.train()
    began, seen, losses = time.monotonic(), 0, []
    for at, batch in enumerate(_from(batches, step), step):
        if at >= schedule.steps:
            break
        torch.manual_seed(seed * _SEEDS_APART + at)
        for group in optimizer.param_groups:
            group["lr"] = group["rate"] * schedule.factor(at)
        loss = loss_of(run, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        losses.append(float(loss.detach()))
        seen += int(batch.mask.sum())
        if (at + 1) % 50 == 0:
            rate = seen / (time.monotonic() - began)
            said({"step": at + 1, "loss": round(float(np.mean(losses)), 4), "tokens_a_second": round(rate)})
            losses.clear()
        if (at + 1) % schedule.checkpoint_every == 0 and at + 1 < schedule.steps:
            save(at + 1)
    if step < schedule.steps:
        save(schedule.steps)
    if dev is not None:
        if math.isinf(best):
            raise UserError("training: the loss is no longer a number; use a lower --rate")
        network.load_state_dict(torch.load(checkpoints / BEST, weights_only=True)["network"])


class _Loss:
    """The loss of a batch, given what its corpora annotate."""

    def __init__(
        self,
        network: TokenNetwork,
        batches: Batches,
        class_weights: npt.NDArray[np.float32] | None,
        teacher: Teacher | None = None,
    ) -> None:
        self._device = next(network.parameters()).device
        corpora = batches.corpora
        self._silence = torch.from_numpy(silences(corpora)).to(self._device)
        self._silence_weight = torch.tensor([c.silence_weight for c in corpora], device=self._device)
        self._taught = torch.tensor([c.taught for c in corpora], device=self._device)
        if class_weights is None:
            class_weights = np.ones(network.config.classes, np.float32)
        self._class_weights = torch.from_numpy(class_weights).to(self._device)
        self._teacher = teacher

    def __call__(self, run: Any, batch: Batch) -> torch.Tensor:
        device = self._device
        ids, mask, cases = (torch.from_numpy(a).to(device) for a in (batch.ids, batch.mask, batch.cases))
        with torch.autocast(device.type, dtype=torch.bfloat16):
            logits, left = run(ids, mask, cases)
        taught: float | torch.Tensor = 0.0
        if self._teacher is not None:
            # All rows where possible: a fixed shape is compiled once.
            taught_corpora = self._taught[torch.from_numpy(batch.corpus).to(device)]
            rows = None if self._taught.all() else taught_corpora
            taught = self._teacher.loss((ids, mask, cases), logits, left, rows)
        target = torch.from_numpy(batch.targets).to(device).flatten()
        corpus = torch.from_numpy(batch.corpus).to(device)[:, None].expand(-1, batch.ids.shape[1]).flatten()
        known = target != IGNORED
        target, corpus, logits = target[known], corpus[known], logits.flatten(0, 1)[known]
        labelled = target != OUTSIDE
        own = torch.nn.functional.one_hot(target, logits.shape[-1]).bool()
        allowed = torch.where(labelled[:, None], own, self._silence[corpus])
        weights = torch.where(labelled, self._class_weights[target], self._silence_weight[corpus])
        return partial_label_loss(logits, allowed, weights) + taught

    def mean(self, network: TokenNetwork, batches: Sequence[Batch]) -> float:
        """Mean loss over the labelled and unlabelled places of some batches, without training."""
        total = places = 0.0
        with torch.no_grad():
            for batch in batches:
                known = int((batch.targets != IGNORED).sum())
                total += float(self(network.seen_through, batch)) * known
                places += known
        return total / max(places, 1.0)


def _from(batches: Batches, step: int) -> Iterator[Batch]:
    """Endless batches starting at a step; earlier ones are generated and discarded, which is cheap."""
    number = 0
    while True:
        for batch in batches.epoch(number):
            if step > 0:
                step -= 1
                continue
            yield batch
        number += 1


def _save(path: Path, state: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    os.replace(partial, path)


def _resumed(
    path: Path, network: TokenNetwork, optimizer: torch.optim.Optimizer, schedule: dict[str, Any]
) -> tuple[int, float]:
    """Load a checkpoint; its step, and the lowest dev loss so far."""
    state = torch.load(path, weights_only=True)
    if state["schedule"] != json.dumps(schedule, sort_keys=True):
        raise UserError(f"{path}: the checkpoint was made with another schedule; begin in another folder")
    network.load_state_dict(state["network"])
    optimizer.load_state_dict(state["optimizer"])
    return int(state["step"]), float(state.get("best", math.inf))
