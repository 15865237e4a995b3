"""The training loop: seeded and resumable; the learning rate depends on the step alone."""

import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tacenda.models.token_classifier.torch_network import TokenNetwork
from tacenda.models.training.batches import LENGTHS, Batch, Batches
from tacenda.models.training.corpora import IGNORED, OUTSIDE, PROPER, silences
from tacenda.models.training.network import autocast, partial_label_loss
from tacenda.transforms.schema.errors import UserError

CHECKPOINT, BEST = "checkpoint.pt", "best.pt"

_GOLD, _ASIDE = 0.5, 0.3
"""Weights in the loss of gold beside soft targets, which have 1, and of the second task."""

_DECAY = 0.3
"""Last part of the steps, in which the learning rate falls to zero."""

_DEV_BATCHES = 40
"""Approximate number of batches for the dev loss."""

_SEEDS_APART = 1 << 32
"""More than any number of steps, so that the random states of different seeds do not coincide."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Number of steps and learning rates (AdamW; constant, then falling to zero).

    A constant rate lets a training go on for longer, or with more text, from any step before it falls (Hägele
    et al., NeurIPS 2024).
    """

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
        return 1 - math.sqrt(self.falling(step))

    def falling(self, step: int) -> float:
        """Share of the last part, in which the rate falls, that is over at a step."""
        fall = max(1, int(self.steps * _DECAY))
        return max(0, step - (self.steps - fall)) / fall


def train(
    network: TokenNetwork,
    batches: Batches,
    schedule: Schedule,
    checkpoints: Path,
    *,
    compiled: bool = True,
    said: Callable[[dict[str, Any]], None] = lambda line: None,
    dev: Batches | None = None,
    seed: int = 0,
) -> None:
    """Train in place, resuming from the checkpoint of an earlier call with the same data and learning rates.

    The number of steps may be another, as long as the rate had not begun to fall.

    ``said`` is called with progress figures: step, loss, tokens a second. Checkpoints contain weights,
    optimiser state and step, and are replaced atomically. With ``dev``, its loss is computed at every
    checkpoint; the weights with the lowest are kept in ``best.pt`` and loaded at the end.
    """
    optimizer, loss_of = _Optimizer(network, schedule), _Loss(network, batches)
    dev_loss_of = _Loss(network, dev) if dev else None
    held_out = list(dev.once()) if dev else []
    held_out = held_out[:: max(1, len(held_out) // _DEV_BATCHES)]
    checkpoint = checkpoints / CHECKPOINT
    step, best = 0, math.inf
    if checkpoint.is_file():
        step, best = _resumed(checkpoint, network, optimizer, schedule)
    read: Any = network.read
    if compiled:
        # One graph per row length. Word embeddings are looked up outside: their gradients are sparse.
        torch._dynamo.config.recompile_limit = 2 * len(LENGTHS)
        read = torch.compile(read, dynamic=False)

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
        state = {"network": network.state_dict(), "optimizer": optimizer.states(), "step": at}
        _save(checkpoint, {**state, "schedule": asdict(schedule), "best": best})

    network.train()
    began, seen, losses = time.monotonic(), 0, []
    # Earlier batches are generated and discarded, which is cheap.
    endless = chain.from_iterable(map(batches.epoch, count()))
    for at, batch in enumerate(islice(endless, step, max(step, schedule.steps)), step):
        torch.manual_seed(seed * _SEEDS_APART + at)
        loss = loss_of(read, batch)
        loss.backward()
        optimizer.step(schedule.factor(at))
        losses.append(float(loss.detach()))
        seen += int(batch.mask.sum())
        if (at + 1) % 50 == 0:
            rate = seen / (time.monotonic() - began)
            said({"step": at + 1, "loss": round(float(np.mean(losses)), 4), "tokens_a_second": round(rate)})
            losses.clear()
        if at + 1 == schedule.steps or (at + 1) % schedule.checkpoint_every == 0:
            save(at + 1)
    if dev is not None:
        if math.isinf(best):
            raise UserError("training: the loss is no longer a number; use a lower --rate")
        network.load_state_dict(torch.load(checkpoints / BEST, weights_only=True)["network"])


class _Optimizer:
    """AdamW, and for word embeddings Adam of the rows that a batch has: the others need no time."""

    def __init__(self, network: TokenNetwork, schedule: Schedule) -> None:
        words = [p for p in network.words.parameters() if p.requires_grad]
        self._dense = [p for p in network.parameters() if p.requires_grad and p not in set(words)]
        of_all = torch.optim.AdamW(self._dense, weight_decay=schedule.weight_decay, fused=True)
        self._all: list[tuple[torch.optim.Optimizer, float]] = [(of_all, schedule.rate)]
        if words:
            network.words.sparse = True
            self._all.append((torch.optim.SparseAdam(words), schedule.embedding_rate))

    def step(self, factor: float) -> None:
        """One step at a factor of the learning rates; gradients are removed."""
        torch.nn.utils.clip_grad_norm_(self._dense, 1.0)
        for optimizer, rate in self._all:
            for group in optimizer.param_groups:
                group["lr"] = rate * factor
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)

    def states(self) -> list[dict[str, Any]]:
        """The states of both, for a checkpoint."""
        return [optimizer.state_dict() for optimizer, _ in self._all]

    def load(self, states: Sequence[dict[str, Any]]) -> None:
        """Go on from the states of both."""
        for (optimizer, _), state in zip(self._all, states, strict=True):
            optimizer.load_state_dict(state)


class _Loss:
    """The loss of a batch, given what its corpora annotate."""

    def __init__(self, network: TokenNetwork, batches: Batches) -> None:
        self._device = next(network.parameters()).device
        corpora = batches.corpora
        self._silence = torch.from_numpy(silences(corpora)).to(self._device)
        self._silence_weight = torch.tensor([c.silence_weight for c in corpora], device=self._device)
        self._tags = torch.tensor([c.tags for c in corpora], device=self._device)
        self._proper, self._words = network.proper, network.words

    def __call__(self, read: Any, batch: Batch) -> torch.Tensor:
        device = self._device
        ids, mask, cases = (torch.from_numpy(a).to(device) for a in (batch.ids, batch.mask, batch.cases))
        with autocast(device):
            logits, left = read(self._words(ids), mask, cases)
        aside: float | torch.Tensor = 0.0
        target = torch.from_numpy(batch.targets).to(device).flatten()
        corpus = torch.from_numpy(batch.corpus).to(device)[:, None].expand(-1, batch.ids.shape[1]).flatten()
        tagged = (target != IGNORED) & self._tags[corpus]
        if tagged.any():
            said = self._proper(left[-1].flatten(0, 1)[tagged].float()).squeeze(-1)
            proper = (target[tagged] == PROPER).float()
            loss = torch.nn.functional.binary_cross_entropy_with_logits(said, proper, reduction="sum")
            aside = _ASIDE * loss / len(target)
        known = (target > IGNORED) & ~tagged
        if not known.any():
            return logits.sum() * 0.0 + aside
        target, corpus, logits = target[known], corpus[known], logits.flatten(0, 1)[known]
        labelled = target != OUTSIDE
        own = torch.nn.functional.one_hot(target, logits.shape[-1]).bool()
        allowed = torch.where(labelled[:, None], own, self._silence[corpus])
        weights = torch.where(labelled, 1.0, self._silence_weight[corpus])
        share: float | torch.Tensor = 1.0
        if batch.soft is not None:
            told = torch.from_numpy(batch.soft).to(device).flatten(0, 1)[known]
            weights = torch.where(told.any(-1), _GOLD * weights, weights)
            share = weights.mean()
            aside = aside - (told * torch.log_softmax(logits.float(), -1)).sum() / len(told)
        return partial_label_loss(logits, allowed, weights) * share + aside

    def mean(self, network: TokenNetwork, batches: Sequence[Batch]) -> float:
        """Mean loss over the labelled and unlabelled places of some batches, without training."""
        total = places = 0.0
        with torch.no_grad():
            for batch in batches:
                known = int((batch.targets != IGNORED).sum())
                total += float(self(network.read, batch)) * known
                places += known
        return total / max(places, 1.0)


def _save(path: Path, state: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    os.replace(partial, path)


def _resumed(
    path: Path, network: TokenNetwork, optimizer: _Optimizer, schedule: Schedule
) -> tuple[int, float]:
    """Load a checkpoint; its step, and the lowest dev loss so far."""
    state = torch.load(path, weights_only=True)
    before, step = Schedule(**state["schedule"]), int(state["step"])
    if replace(before, steps=schedule.steps) != schedule or (
        before.steps != schedule.steps and max(before.falling(step), schedule.falling(step)) > 0
    ):
        raise UserError(f"{path}: the checkpoint was made with another schedule; begin in another folder")
    network.load_state_dict(state["network"])
    optimizer.load(state["optimizer"])
    return step, float(state.get("best", math.inf))
