"""Tokens/s and KB/s of the model stage, beside the bare network on perfectly packed rows, in one run.

    python -m tests.benchmarks.bench_model [--model PATH] [--conversations 300] [--rounds 3] [--json FILE] [FILE.jsonl[.gz] …]

A file holds conversations ({"turns": [{"text": …}]}) a line; without files, the generated sample is read. CPU seconds
of one process with one thread; each figure is the best of its rounds, and the rounds of all alternate, so that a slow
spell of the machine hits all of them.

  ceiling    the corpus' tokens end to end in full rows: no separator, no context, no padding; the best of some shapes
  rows       the network on the rows that the stage makes: the ceiling less separators, context and padding
  stage      the detector: tokeniser, packing, network, decision, findings
  job        the chain of `anonymize`: all default detectors beside the model, replacement, second look, score
"""

import argparse
import gzip
import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from models.token_classifier.axis import Axis
from models.token_classifier.detector import TokenClassifierDetector
from models.token_classifier.labels import LabelMap
from models.token_classifier.loading import loaded, package_of
from models.token_classifier.settings import ModelSettings
from pipelines.chain import Chain
from pipelines.detectors import DEFAULT, MODEL, build_detectors
from transforms.detecting.catalogue import ranks
from transforms.detecting.detector import TwoLookDetector
from transforms.detecting.inspect_config import parse_inspect_config
from transforms.generating.corpus import conversations
from transforms.schema.conversation import Annotation, ConversationBatch
from transforms.schema.likelihood import Likelihood
from transforms.scoring.score_table import ScoreTable

SHAPES = ((1, 128), (2, 128), (1, 192), (1, 256), (1, 96), (2, 96), (4, 64), (8, 32), (16, 16))
"""Rows and places of a call, the classifying token in it."""


def main() -> None:
    arguments = _arguments()
    batch = _batch(list(_read(arguments.files, arguments.conversations)))
    package = package_of(arguments.model)
    label_map = LabelMap(arguments.label_map) if arguments.label_map else None
    settings = ModelSettings(arguments.model, package.fingerprint, package.decision, label_map)
    inspect = parse_inspect_config({})
    scorer = loaded(settings).scorer
    encoded = scorer._encoder.encode(batch.texts)
    rows = list(_rows_of_stage(scorer, batch))
    names = tuple(dict.fromkeys((*DEFAULT, MODEL)))
    second = build_detectors(names, inspect, None, Likelihood.VERY_UNLIKELY, [settings])
    second = [d for d in second if not isinstance(d, TwoLookDetector)]
    chain = Chain(
        build_detectors(names, inspect, None, models=[settings]),
        second,
        ranks(),
        ScoreTable.load("appendix", {}, {}),
    )
    detector = TokenClassifierDetector(inspect, settings)
    stages: dict[str, Callable[[], object]] = {
        **{
            f"ceiling {count}x{places}": partial(_run, scorer, list(_full(encoded, scorer, count, places)))
            for count, places in SHAPES
            if places <= package.max_places + 1
        },
        "rows": lambda: _run(scorer, rows),
        "stage": lambda: detector.find(batch.texts, batch.first_cell),
        "job": lambda: chain.run(batch),
    }
    best = _best(stages, arguments.rounds)
    ceiling = min((name for name in best if name.startswith("ceiling")), key=best.__getitem__)
    size = sum(len(text.encode()) for text in batch.texts)
    tokens = len(encoded.ids)
    places = sum(ids.size for ids, _, _ in rows)
    print(
        f"{len(batch):,} conversations, {len(batch.texts):,} turns, {size / 1e3:,.0f} KB, {tokens:,} tokens"
    )
    print(
        f"{size / tokens:.2f} bytes a token; {places / tokens:.3f} places a token (separators, context, padding)"
    )
    print(f"unseen characters {Axis(batch.texts).unseen(encoded)[0]}")
    figures: dict[str, Any] = {}
    for name in (ceiling, "rows", "stage", "job"):
        seconds = best[name]
        figures[name.split()[0]] = {
            "tokens_per_s": tokens / seconds,
            "kb_per_s": size / 1e3 / seconds,
            "of_ceiling": best[ceiling] / seconds,
        }
        print(
            f"{name:<16} {tokens / seconds / 1e3:7.1f} k tokens/s {size / 1e3 / seconds:7.1f} KB/s"
            f"  {best[ceiling] / seconds:6.1%} of the ceiling"
        )
    print(f"{'':<16} {places / best['rows'] / 1e3:7.1f} k places/s in the rows of the stage")
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(figures, indent=2) + "\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*")
    parser.add_argument("--model", help="folder of a package; the embedded one where it is left out")
    parser.add_argument("--label-map")
    parser.add_argument("--conversations", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json")
    return parser.parse_args()


def _best(stages: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, run in stages.items():
            begin = time.process_time()
            run()
            best[name] = min(best.get(name, np.inf), time.process_time() - begin)
    return best


def _run(scorer: Any, rows: Sequence[tuple[Any, Any, Any]]) -> None:
    for _ in scorer._session.scores_of(rows):
        pass


def _full(encoded: Any, scorer: Any, count: int, places: int) -> Iterator[tuple[Any, Any, Any]]:
    """All tokens in full rows; the last that fill no row are left out, as if they were free."""
    fresh = places - 1
    whole = len(encoded.ids) // (count * fresh) * (count * fresh)
    ids = np.full((whole // fresh, places), scorer._encoder.classifying, np.int64)
    ids[:, 1:] = encoded.ids[:whole].reshape(-1, fresh)
    types = np.zeros_like(ids)
    types[:, 1:] = encoded.cases[:whole].reshape(-1, fresh) * scorer._casing
    for at in range(0, len(ids), count):
        yield ids[at : at + count], np.ones((count, places), np.int64), types[at : at + count]


def _rows_of_stage(scorer: Any, batch: ConversationBatch) -> Iterator[tuple[Any, Any, Any]]:
    class Listening:
        pads = scorer._session.pads

        def scores_of(self, several: Any) -> Iterator[Any]:
            for one in several:
                heard.append(one)
                yield np.zeros((*one[0].shape, scorer._classes), np.float32)

    heard: list[tuple[Any, Any, Any]] = []
    session, scorer._session = scorer._session, Listening()
    scorer.score(batch.texts, batch.first_cell)
    scorer._session = session
    return iter(heard)


def _read(files: Sequence[str], count: int) -> Iterator[list[str]]:
    if not files:
        for conversation in conversations(1, 0, count):
            yield [turn["text"] for turn in conversation["turns"]]
    for path in files:
        with gzip.open(path, "rt") if path.endswith(".gz") else open(path) as lines:
            for line in islice(lines, count):
                yield [turn["text"] for turn in json.loads(line)["turns"]]


def _batch(several: Sequence[Sequence[str]]) -> ConversationBatch:
    batch = ConversationBatch()
    for i, texts in enumerate(several):
        batch.ids.append(str(i))
        batch.contexts.append("")
        batch.annotations.append(Annotation.NONE)
        batch.positions.append(i)
        batch.frames.append(None)
        batch.rows.append(1)
        batch.origins.append(None)
        batch.texts.extend(texts)
        batch.speakers.extend([None] * len(texts))
        batch.turns.extend(range(len(texts)))
        batch.parts.extend([None] * len(texts))
        batch.spans.extend([()] * len(texts))
        batch.first_cell.append(len(batch.texts))
    return batch


if __name__ == "__main__":
    main()
