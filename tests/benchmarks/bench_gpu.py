"""How fast a GPU runs the embedded network, and how far its output is from a CPU's.

    python -m tests.benchmarks.bench_gpu TEXT.jsonl [--megabytes 12] [--device cuda]

``TEXT.jsonl`` has conversations (``{turns: [{text}]}``). Needs torch and a GPU, but nothing of Beam, so that it runs on
a machine with little else on it. One process encodes, so its rate times the cores is the other bound of a job.
"""

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import tacenda.models
from tacenda.models.token_classifier.encoding import read_encoder
from tacenda.models.token_classifier.onnx_session import OnnxSession, Session
from tacenda.models.token_classifier.package import MODEL, TOKENIZER, read_package
from tacenda.models.token_classifier.packing import blocks, packed, stream
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.token_classifier.torch_session import package_session
from tacenda.transforms.text.column import TextColumn

_MEGABYTE = 1_000_000


def _columns(path: Path, megabytes: int) -> Iterator[TextColumn]:
    """The text of the conversations in columns of a megabyte."""
    texts: list[str] = []
    first_cell, size = [0], 0
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            texts += [turn["text"] for turn in json.loads(line)["turns"]]
            first_cell.append(len(texts))
            size += sum(len(text.encode()) for text in texts[first_cell[-2] :])
            if size >= _MEGABYTE and megabytes > 0:
                yield TextColumn(texts, first_cell)
                texts, first_cell, size, megabytes = [], [0], 0, megabytes - 1


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("text", type=Path)
    parser.add_argument("--megabytes", type=int, default=12)
    parser.add_argument("--device", default="cuda")
    chosen = parser.parse_args()
    (models,) = tacenda.models.__path__
    package = read_package(Path(models) / "embedded")
    encoder, classes = read_encoder(package.path / TOKENIZER, package.lists), len(package.labels)
    sizes = package.max_places, package.context
    gpu = package_session(package.path / MODEL, chosen.device)
    warm, *columns = _columns(chosen.text, chosen.megabytes + 1)

    def scorer(session: Session) -> Scorer:
        return Scorer(encoder, session, classes, *sizes, package.casing)

    scorer(gpu).score(warm)
    megabytes = sum(len(column.text.encode()) for column in columns) / _MEGABYTE
    began, inputs = time.perf_counter(), []
    for column in columns:
        of = stream(encoder.encode(column), column.first_cell, encoder.separating)
        marks = encoder.classifying, encoder.padding
        inputs += packed(of, list(blocks(of, *sizes)), gpu.budget, True, *marks).inputs()
    print(f"encoded and packed by one core: {megabytes / (time.perf_counter() - began):.2f} MB/s")
    places = sum(ids.size for ids, _, _ in inputs)
    for _ in range(3):
        began = time.perf_counter()
        for one in inputs:
            gpu.scores(*one)
        took = time.perf_counter() - began
        print(
            f"the network on {chosen.device}: {megabytes / took:.1f} MB/s, {places / took / 1e6:.1f} M places/s"
        )
    cpu = scorer(OnnxSession(package.path / MODEL, classes, 1)).score(columns[0])
    kept = ~cpu.held_back.all
    told, here = scorer(gpu).score(columns[0]).probabilities[kept], cpu.probabilities[kept]
    apart = np.abs(told - here).max(axis=1)
    print(
        f"of {len(apart):,} tokens {np.mean(apart > 0.05):.2%} differ by more than .05 from a CPU's, "
        f"{np.mean(told.argmax(axis=1) != here.argmax(axis=1)):.2%} have another class"
    )


if __name__ == "__main__":
    main()
