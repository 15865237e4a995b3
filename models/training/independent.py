"""Train the independent detector of the second look.

    tacenda train independent DATA_FOLDER [--without MAKER,…] [--output FILE]

Reads the files of ``sources.yaml`` that are allowed for training, in the languages of the embedded network, and
writes ``models/independent/weights.npz``: logistic regression over hashed features (``independent.features``).
A word that a corpus does not annotate may be of any class that it leaves out. Equal data give equal bytes on
one kind of machine.
"""

import argparse
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacenda.models.independent.features import BUCKETS_LOG2, word_features
from tacenda.models.independent.tagger import CLASSES, LinearTagger
from tacenda.models.token_classifier.loading import package_of
from tacenda.models.training.corpora import IGNORED, LabelScheme, read_gold
from tacenda.models.training.sources import sources
from tacenda.transforms.text.column import TextColumn

TARGET = Path(__file__).parents[1] / "independent" / "weights.npz"

_CHARACTERS = 900_000
"""Text read of each file, at most."""
_AT_ONCE = 1 << 14
_ROUNDS, _RATE, _DECAY = 6, 0.02, 2e-6
_LOWERED = 0.15
"""Share of conversations that are read without capitals, as chats and transcripts have none."""
_PLACES = frozenset(("LOCATION", "STREET_ADDRESS", "ZIP_CODE"))
_NOT_PERSONAL = frozenset(
    ("O", "DATE", "TIME", "PRODUCT", "NATIONALITY", "PROFESSION", "MEDICAL_TERM", "AGE")
)

Bools = npt.NDArray[np.bool_]


def main(argv: Sequence[str]) -> None:
    """Train with the arguments of the command line."""
    parser = argparse.ArgumentParser(
        "tacenda train independent", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--without", default="", help="makers to leave out, separated by commas")
    parser.add_argument("--output", type=Path, default=TARGET)
    chosen = parser.parse_args(argv)
    tagger = trained(chosen.data, set(filter(None, chosen.without.split(","))))
    chosen.output.write_bytes(tagger.to_bytes())


def trained(data: Path, without: Collection[str]) -> LinearTagger:
    """The tagger by all training files of a folder, less those of some makers."""
    paths = [
        data / name
        for name, source in sorted(sources().items())
        if "training" in source.uses and (data / name).is_file() and maker_of(name) not in without
    ]
    told = [examples_of(path) for path in paths]
    told = [one for one in told if len(one[0])]
    buckets, allowed, weights = (np.concatenate(several) for several in zip(*told, strict=True))
    rows, bias = _fitted(buckets, allowed, weights)
    scale = float(np.float32(np.quantile(np.abs(rows), 0.99995) / 127))
    provenance = {
        "files": [path.name for path in paths],
        "words": len(buckets),
        "command": "tacenda train independent DATA_FOLDER",
    }
    return LinearTagger(
        np.clip(np.rint(rows / scale), -127, 127).astype(np.int8),
        np.rint(bias / scale).astype(np.int32),
        scale,
        provenance,
    )


def maker_of(name: str) -> str:
    """The maker of a file, by its name."""
    return name.partition(".")[0].partition("-")[0]


def examples_of(path: Path) -> tuple[npt.NDArray[np.int32], Bools, npt.NDArray[np.float32]]:
    """Buckets of the words of a file, the classes that each may be of, and its weight."""
    scheme, languages = LabelScheme.load(), set(package_of(None).languages)
    records = list(_drawn([r for r in read_gold([path]) if r.get("lang", "en") in languages]))
    turns = [(record, turn) for record in records for turn in record["turns"]]
    found = word_features(TextColumn([_text(record, turn) for record, turn in turns]))
    known = np.ones(len(found.cells), np.bool_)
    may = np.zeros((len(found.cells), len(CLASSES)), np.bool_)
    weight = np.ones(len(found.cells), np.float32)
    bounds = np.searchsorted(found.cells, np.arange(len(turns) + 1))
    silences: dict[str, tuple[Bools, float]] = {}
    for (record, turn), first, last in zip(turns, bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        source = record["source"]
        if source not in silences:
            silences[source] = _silence(scheme, source)
        may[first:last], weight[first:last] = silences[source]
        for span in turn["spans"]:
            start = first + np.searchsorted(found.ends[first:last], span["start"], side="right")
            end = first + np.searchsorted(found.starts[first:last], span["end"])
            number = scheme.class_of(span)
            known[start:end] &= number != IGNORED
            may[start:end] = False
            may[start:end, _ours(scheme.classes[number])] = True
            weight[start:end] = 1.0
    return found.buckets[known], may[known], weight[known]


def _silence(scheme: LabelScheme, source: str) -> tuple[Bools, float]:
    """The classes that a word without a label may be of in a corpus, and the weight of these words."""
    corpus = scheme.corpus(source)
    silent = np.zeros(len(CLASSES), np.bool_)
    for number, name in enumerate(scheme.classes):
        silent[_ours(name)] |= bool(corpus.silence[number])
    silent[0] = True
    return silent, corpus.silence_weight


def _text(record: Mapping[str, Any], turn: Mapping[str, Any]) -> str:
    text: str = turn["text"]
    if zlib.crc32(b"case" + str(record["id"]).encode()) % 1000 < 1000 * _LOWERED:
        return low if len(low := text.lower()) == len(text) else text
    return text


def _ours(name: str) -> int:
    """The class of the tagger for one of the network's."""
    if name in CLASSES:
        return CLASSES.index(name)
    if name in _NOT_PERSONAL:
        return 0
    return CLASSES.index("LOCATION" if name in _PLACES else "GENERIC_ID")


def _drawn(records: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    characters = 0
    for record in sorted(records, key=lambda one: zlib.crc32(str(one["id"]).encode())):
        if characters > _CHARACTERS:
            return
        characters += sum(len(turn["text"]) for turn in record["turns"])
        yield record


def _fitted(
    buckets: npt.NDArray[np.int32], allowed: Bools, weights: npt.NDArray[np.float32]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Weights and bias of the greatest likelihood, by Adam."""
    import torch

    torch.manual_seed(18)
    torch.set_num_threads(1)
    rows = torch.nn.EmbeddingBag(1 << BUCKETS_LOG2, len(CLASSES), mode="sum")
    torch.nn.init.zeros_(rows.weight)
    bias = torch.nn.Parameter(torch.zeros(len(CLASSES)))
    steps = _ROUNDS * (len(buckets) // _AT_ONCE + 1)
    optimizer = torch.optim.Adam([rows.weight, bias], lr=_RATE)
    falling = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.02, steps)
    shuffled = np.random.default_rng(18)
    for _ in range(_ROUNDS):
        order = shuffled.permutation(len(buckets))
        for first in range(0, len(order), _AT_ONCE):
            some = order[first : first + _AT_ONCE]
            scores = rows(torch.from_numpy(buckets[some]).long()) + bias
            may = torch.from_numpy(allowed[some])
            loss = torch.logsumexp(scores, 1) - torch.logsumexp(scores.masked_fill(~may, -1e9), 1)
            weight = torch.from_numpy(weights[some])
            total = (loss * weight).sum() / weight.sum() + _DECAY * (rows.weight**2).sum()
            optimizer.zero_grad()
            total.backward()
            optimizer.step()
            falling.step()
    return rows.weight.detach().numpy(), bias.detach().numpy()
