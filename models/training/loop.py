"""The training loop: seeded, resumable, with the learning rate a function of the step alone."""

import json
import math
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from models.training.batches import Batch, Batches
from models.training.corpora import IGNORED, OUTSIDE
from models.training.network import TokenNetwork, partial_label_loss


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast; rates are those of AdamW, decaying to zero along a half cosine."""

    steps: int
    rate: float = 3e-4
    embedding_rate: float = 1e-4
    warm_up: float = 0.05
    weight_decay: float = 0.01
    checkpoint_every: int = 250

    def factor(self, step: int) -> float:
        """What the rates are multiplied by at a step."""
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
) -> None:
    """Train in place; goes on from the checkpoint of an earlier call with the same schedule and data.

    ``said`` gets a line of figures now and then: step, loss, tokens a second. Checkpoints hold weights, the
    state of the optimiser and the step; they are written to another name first, so a kill never leaves half
    a file.
    """
    device = next(network.parameters()).device
    embedding = set(network.words.parameters())
    optimizer = torch.optim.AdamW(
        [
            {"params": [p for p in network.parameters() if p not in embedding], "rate": schedule.rate},
            {"params": list(embedding), "rate": schedule.embedding_rate},
        ],
        weight_decay=schedule.weight_decay,
        fused=True,
    )
    silence = torch.from_numpy(np.stack([c.silence for c in batches.corpora])).to(device)
    silence_weight = torch.tensor([c.silence_weight for c in batches.corpora], device=device)
    checkpoint = checkpoints / "checkpoint.pt"
    step = _resumed(checkpoint, network, optimizer, asdict(schedule)) if checkpoint.is_file() else 0
    run: Any = torch.compile(network, dynamic=False) if compiled else network
    network.train()
    began, seen, losses = time.monotonic(), 0, []
    for at, batch in enumerate(_from(batches, step), step):
        if at >= schedule.steps:
            break
        torch.manual_seed(at)
        for group in optimizer.param_groups:
            group["lr"] = group["rate"] * schedule.factor(at)
        ids, mask, cases = (torch.from_numpy(a).to(device) for a in (batch.ids, batch.mask, batch.cases))
        with torch.autocast(device.type, dtype=torch.bfloat16):
            logits = run(ids, mask, cases)
        loss = _loss(logits, batch, silence, silence_weight)
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
        if (at + 1) % schedule.checkpoint_every == 0:
            _save(checkpoint, network, optimizer, at + 1, asdict(schedule))
    _save(checkpoint, network, optimizer, schedule.steps, asdict(schedule))


def _loss(logits: torch.Tensor, batch: Batch, silence: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    device = logits.device
    target = torch.from_numpy(batch.targets).to(device).flatten()
    corpus = torch.from_numpy(batch.corpus).to(device)[:, None].expand(-1, batch.ids.shape[1]).flatten()
    known = target != IGNORED
    target, corpus, logits = target[known], corpus[known], logits.flatten(0, 1)[known]
    labelled = target != OUTSIDE
    allowed = torch.where(
        labelled[:, None], torch.nn.functional.one_hot(target, logits.shape[-1]).bool(), silence[corpus]
    )
    weights = torch.where(labelled, torch.ones_like(weight[corpus]), weight[corpus])
    return partial_label_loss(logits, allowed, weights)


def _from(batches: Batches, step: int) -> Iterator[Batch]:
    """The endless row of batches from a step on; earlier ones are made and thrown away, which is cheap."""
    number = 0
    while True:
        for batch in batches.epoch(number):
            if step > 0:
                step -= 1
                continue
            yield batch
        number += 1


def _save(
    path: Path, network: TokenNetwork, optimizer: torch.optim.Optimizer, step: int, schedule: dict[str, Any]
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".partial")
    state = {
        "network": network.state_dict(),
        "optimizer": optimizer.state_dict(),
        "step": step,
        "schedule": json.dumps(schedule, sort_keys=True),
    }
    torch.save(state, partial)
    os.replace(partial, path)


def _resumed(
    path: Path, network: TokenNetwork, optimizer: torch.optim.Optimizer, schedule: dict[str, Any]
) -> int:
    state = torch.load(path, weights_only=True)
    if state["schedule"] != json.dumps(schedule, sort_keys=True):
        raise ValueError("the checkpoint was made with another schedule")
    network.load_state_dict(state["network"])
    optimizer.load_state_dict(state["optimizer"])
    return int(state["step"])
