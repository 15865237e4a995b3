"""What the embedded network costs, language by language, beside another package or a GPU.

    python -m tests.benchmarks.bench_network DATA [--beside PACKAGE] [--device cuda] [--rounds 3] [--figures network]

Text of development files, to 40,000 characters of each, is tokenised and read by one core. ``--device`` also measures
the network alone on a GPU, and how far its output is from a CPU's; needs torch, but nothing of Beam. One process
encodes for it, so its rate times the cores is the other bound of a job.
"""

import time
from collections import defaultdict
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.models.token_classifier.encoding import read_encoder
from tacenda.models.token_classifier.loading import embedded_path
from tacenda.models.token_classifier.onnx_session import OnnxSession, Session
from tacenda.models.token_classifier.package import MODEL, TOKENIZER, Package, read_package
from tacenda.models.token_classifier.packing import blocks, packed, stream
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.token_classifier.torch_session import package_session
from tacenda.models.training.gold_tokens import column_of
from tacenda.transforms.text.column import TextColumn
from tests.benchmarks.bench_accuracy import LATIN
from tests.benchmarks.figures import Figure, options, report
from tests.benchmarks.findings_hash import first_conversations
from tests.benchmarks.rounds import alternate, ratio, speed

_CHARACTERS = 40_000


def main() -> None:
    """Measure, print, and keep the figures if asked to."""
    parser = options(__doc__, rounds=3)
    parser.add_argument("data", type=Path)
    parser.add_argument("--beside", type=Path, help="another package")
    parser.add_argument("--device", help="a GPU")
    chosen = parser.parse_args()
    packages = [read_package(path) for path in (embedded_path(), chosen.beside) if path]
    scorers = [_scorer(one, _on_cpu(one)) for one in packages]
    figures, text = [], _text(chosen.data)
    for language, column in text.items():
        stages = {str(i): partial(_seconds, one, column) for i, one in enumerate(scorers)}
        own, *other = alternate(stages, chosen.rounds).values()
        beside = (f"version {packages[-1].version}", ratio(*other, own)) if other else ()
        size = len(column.text.encode()) / 1e6
        figures.append(Figure("the network", language, "MB/s", speed(size, own), *beside))
    report(figures, chosen.rounds, chosen.figures)
    if chosen.device:
        _on_gpu(packages[0], chosen.device, text)


def _text(data: Path) -> dict[str, TextColumn]:
    """The first conversations of each development file, by language."""
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in sorted(data.glob("*.dev.jsonl.gz")):
        for record in first_conversations(path, _CHARACTERS):
            found[record["lang"]].append(record)
    return {language: column_of(found[language]) for language in sorted(LATIN & {*found})}


def _on_cpu(package: Package) -> Session:
    return OnnxSession(package.path / MODEL, len(package.labels), 1)


def _scorer(package: Package, session: Session) -> Scorer:
    encoder = read_encoder(package.path / TOKENIZER, package.lists)
    return Scorer(encoder, session, len(package.labels), package.max_places, package.context, package.casing)


def _seconds(scorer: Scorer, column: TextColumn) -> float:
    began = time.process_time()
    scorer.score(column)
    return time.process_time() - began


def _on_gpu(package: Package, device: str, text: Mapping[str, TextColumn]) -> None:
    encoder = read_encoder(package.path / TOKENIZER, package.lists)
    gpu = package_session(package.path / MODEL, device)
    sizes, marks = (package.max_places, package.context), (encoder.classifying, encoder.padding)
    inputs: list[Any] = []
    began = time.perf_counter()
    for column in text.values():
        of = stream(encoder.encode(column), column.first_cell, encoder.separating)
        inputs += packed(of, list(blocks(of, *sizes)), gpu.budget, True, *marks).inputs()
    took = time.perf_counter() - began
    megabytes = sum(len(column.text.encode()) for column in text.values()) / 1e6
    print(f"encoded and packed by one core: {megabytes / took:.2f} MB/s")
    places = sum(ids.size for ids, _, _ in inputs)
    for _ in range(3):
        began = time.perf_counter()
        for one in inputs:
            gpu.scores(*one)
        took = time.perf_counter() - began
        print(f"the network on {device}: {megabytes / took:.1f} MB/s, {places / took / 1e6:.1f} M places/s")
    told, cpu = (_scorer(package, one).score(text["en"]) for one in (gpu, _on_cpu(package)))
    kept = ~cpu.held_back.all
    there, here = told.probabilities[kept], cpu.probabilities[kept]
    print(
        f"of {len(here):,} tokens of English {np.mean(np.abs(there - here).max(axis=1) > 0.05):.2%} differ by more "
        f"than .05 from a CPU's, {np.mean(there.argmax(axis=1) != here.argmax(axis=1)):.2%} have another class"
    )


if __name__ == "__main__":
    main()
