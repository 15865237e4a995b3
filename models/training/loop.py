"""The training loop: seeded and resumable; the learning rate depends on the step alone."""

import math
import os
import time
from collections.abc import Callable, Sequence
from itertools import chain, count, islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn.functional import binary_cross_entropy_with_logits

from tacenda.models.token_classifier.torch_network import TokenNetwork
from tacenda.models.training.batches import LENGTHS, Batch, Batches
from tacenda.models.training.corpora import IGNORED, OUTSIDE, PROPER, silences
from tacenda.models.training.network import autocast, partial_label_loss
from tacenda.models.training.recipe import Recipe
from tacenda.transforms.schema.errors import UserError

CHECKPOINT, BEST = "checkpoint.pt", "best.pt"

_GOLD, _ASIDE = 0.5, 0.3
"""Weights in the loss of gold beside soft targets, which have 1, and of the second task."""

_WARM_UP, _DECAY = 0.05, 0.3
"""First part of the steps, in which the learning rate rises, and last part, in which it falls to zero."""

_WEIGHT_DECAY = 0.01

_DEV_BATCHES = 40
"""Approximate number of batches for the dev loss."""


def rate_factor(step: int, steps: int) -> float:
    """Factor of the learning rate at a step: rising, constant, then falling to zero."""
    warm, fall = (max(1, int(steps * part)) for part in (_WARM_UP, _DECAY))
    if step < warm:
        return (step + 1) / warm
    return 1 - math.sqrt(max(0, step - (steps - fall)) / fall)


def train(
    network: TokenNetwork,
    batches: Batches,
    dev: Batches,
    recipe: Recipe,
    work: Path,
    said: Callable[[dict[str, Any]], None],
) -> int:
    """Train in place, resuming from the checkpoint of an earlier call with the same data and recipe.

    ``said`` is called with progress figures: step, loss, tokens a second. Checkpoints in ``work`` contain
    weights, optimiser state and step, and are replaced atomically. The loss on ``dev`` is computed at every
    checkpoint; the weights with the lowest are kept in ``best.pt`` and loaded at the end. Returns their step.

    Raises:
        UserError: the loss is no longer a number.
    """
    # Second task, in training only: from the last layer, the logit that a token is of a proper noun.
    network.add_module("proper", torch.nn.Linear(network.config.width, 1, device=network.norm.weight.device))
    optimizer, loss_of, dev_loss_of = (
        _Optimizer(network, recipe.rate),
        _Loss(network, batches),
        _Loss(network, dev),
    )
    held_out = list(dev.once())
    held_out = held_out[:: max(1, len(held_out) // _DEV_BATCHES)]
    step, best = 0, math.inf
    if (work / CHECKPOINT).is_file():
        state = torch.load(work / CHECKPOINT, weights_only=True)
        step, best = state["step"], state["best"]
        network.load_state_dict(state["network"])
        optimizer.load(state["optimizer"])
    read: Any = network.read
    if recipe.compiled:
        # One graph per row length. Word embeddings are looked up outside: their gradients are sparse.
        torch._dynamo.config.recompile_limit = 2 * len(LENGTHS)
        read = torch.compile(read, dynamic=False)

    def save(at: int) -> None:
        nonlocal best
        # Not compiled: compiling every shape would cost more than it saves.
        now = dev_loss_of.mean(network.eval(), held_out)
        network.train()
        said({"step": at, "dev_loss": round(now, 4)})
        state = {"network": network.state_dict(), "step": at}
        if now < best:
            best = now
            _save(work / BEST, state)
        _save(work / CHECKPOINT, {**state, "optimizer": optimizer.states(), "best": best})

    network.train()
    began, seen, losses = time.monotonic(), 0, []
    # Earlier batches are generated and discarded, which is cheap.
    endless = chain.from_iterable(map(batches.epoch, count()))
    for at, batch in enumerate(islice(endless, step, max(step, recipe.steps)), step):
        loss = loss_of(read, batch)
        loss.backward()
        optimizer.step(rate_factor(at, recipe.steps))
        losses.append(float(loss.detach()))
        seen += int(batch.mask.sum())
        if (at + 1) % 50 == 0:
            rate = seen / (time.monotonic() - began)
            said({"step": at + 1, "loss": round(float(np.mean(losses)), 4), "tokens_a_second": round(rate)})
            losses.clear()
        if at + 1 == recipe.steps or (at + 1) % recipe.checkpoint_every == 0:
            save(at + 1)
    if math.isinf(best):
        raise UserError("training: the loss is no longer a number; use a lower --rate")
    kept = torch.load(work / BEST, weights_only=True)
    network.load_state_dict(kept["network"])
    return int(kept["step"])


class _Optimizer:
    """AdamW, and for word embeddings Adam of the rows that a batch has: the others need no time."""

    def __init__(self, network: TokenNetwork, rate: float) -> None:
        words = list(network.words.parameters())
        self._dense = [p for p in network.parameters() if p is not words[0]]
        network.words.sparse = True
        self._all: list[tuple[torch.optim.Optimizer, float]] = [
            (torch.optim.AdamW(self._dense, weight_decay=_WEIGHT_DECAY, fused=True), rate),
            (torch.optim.SparseAdam(words), rate / 2),
        ]

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
        self._words, self._proper = network.words, network.get_submodule("proper")

    def __call__(self, read: Any, batch: Batch) -> torch.Tensor:
        device = self._device
        ids, mask, cases = (torch.from_numpy(a).to(device) for a in (batch.ids, batch.mask, batch.cases))
        with autocast(device):
            logits, left = read(self._words(ids), mask, cases)
        target = torch.from_numpy(batch.targets).to(device).flatten()
        corpus = torch.from_numpy(batch.corpus).to(device)[:, None].expand(-1, batch.ids.shape[1]).flatten()
        aside = logits.sum() * 0.0
        tagged = (target != IGNORED) & self._tags[corpus]
        if tagged.any():
            proper = self._proper(left[-1].flatten(0, 1)[tagged].float()).squeeze(-1)
            right = (target[tagged] == PROPER).float()
            aside = _ASIDE * binary_cross_entropy_with_logits(proper, right, reduction="sum") / len(target)
        known = (target > IGNORED) & ~tagged
        if not known.any():
            return aside
        target, corpus, logits = target[known], corpus[known], logits.flatten(0, 1)[known]
        labelled = target != OUTSIDE
        own = torch.nn.functional.one_hot(target, logits.shape[-1]).bool()
        allowed = torch.where(labelled[:, None], own, self._silence[corpus])
        weights = torch.where(labelled, 1.0, self._silence_weight[corpus])
        if batch.soft is None:
            return partial_label_loss(logits, allowed, weights) + aside
        told = torch.from_numpy(batch.soft).to(device).flatten(0, 1)[known]
        weights = torch.where(told.any(-1), _GOLD * weights, weights)
        taught = -(told * torch.log_softmax(logits.float(), -1)).sum() / len(told)
        return partial_label_loss(logits, allowed, weights) * weights.mean() + taught + aside

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
    partial = path.with_suffix(".partial")
    torch.save(state, partial)
    os.replace(partial, path)
