"""A small causal network of words, trained from random weights: does a corpus teach a network as another does?

One layer of gated recurrent units reads the words so far and predicts the next. It is small on purpose: it
is trained anew for each version of a corpus and seed, on a processor.
"""

from collections.abc import Iterator, Sequence

import torch
from torch import nn

_WIDTH = 64
_EPOCHS = 4
_ROWS = 32
_LONGEST = 128
"""Words of a text that are read."""
_RATE = 0.003


class _Network(nn.Module):
    def __init__(self, words: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, _WIDTH, padding_idx=0)
        self.reader = nn.GRU(_WIDTH, _WIDTH, batch_first=True)
        self.head = nn.Linear(_WIDTH, words)

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        """Scores of the next word, ``[rows, places, words]``."""
        read, _ = self.reader(self.embedding(rows))
        scores: torch.Tensor = self.head(read)
        return scores


def held_out_nats(
    texts: Sequence[Sequence[int]], held_out: Sequence[Sequence[int]], words: int, seed: int
) -> float:
    """Train on texts and judge on others, in one thread: sums depend on the number of threads.

    Args:
        texts: each as numbers of words, from 1 on; 0 stands before and behind a text.
        held_out: the same, to judge by.
        words: size of the vocabulary, with 0.
        seed: of the weights and the order of the texts.

    Returns:
        Mean nats a word of ``held_out``.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        return _held_out_nats(texts, held_out, words, seed)
    finally:
        torch.set_num_threads(threads)


def _held_out_nats(
    texts: Sequence[Sequence[int]], held_out: Sequence[Sequence[int]], words: int, seed: int
) -> float:
    generator = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        network = _Network(words)
    optimizer = torch.optim.Adam(network.parameters(), lr=_RATE)
    kept = [text for text in texts if text]
    network.train()
    for _ in range(_EPOCHS):
        for rows in _batches(kept, torch.randperm(len(kept), generator=generator).tolist()):
            optimizer.zero_grad()
            loss = _nats(network, rows) / (rows[:, 1:] > 0).sum()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
    network.eval()
    total, count = 0.0, 0
    judged = [text for text in held_out if text]
    with torch.no_grad():
        for rows in _batches(judged, list(range(len(judged)))):
            total += float(_nats(network, rows))
            count += int((rows[:, 1:] > 0).sum())
    return total / max(count, 1)


def _batches(texts: Sequence[Sequence[int]], order: Sequence[int]) -> Iterator[torch.Tensor]:
    """Rows that begin with 0 and are filled up with it."""
    for first in range(0, len(order), _ROWS):
        chosen = [texts[i][:_LONGEST] for i in order[first : first + _ROWS]]
        width = max(map(len, chosen)) + 1
        yield torch.tensor([[0, *text, *[0] * (width - 1 - len(text))] for text in chosen])


def _nats(network: _Network, rows: torch.Tensor) -> torch.Tensor:
    """The sum over all words of minus the logarithm of their probability."""
    scores = network(rows[:, :-1])
    return nn.functional.cross_entropy(
        scores.flatten(0, 1), rows[:, 1:].flatten(), ignore_index=0, reduction="sum"
    )
