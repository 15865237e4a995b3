"""Tokens/s and KB/s of the model stage, beside the bare network on perfectly packed rows, in the same rounds.

    python -m tests.benchmarks.bench_model [--model PATH] [--conversations 300] [--rounds 5] [FILE.jsonl[.gz] …]

A file holds conversations ({"turns": [{"text": …}]}) a line; the generated sample is always measured. CPU seconds
of one process with one thread.

  ceiling    the corpus' tokens end to end in full rows: no separator, no context, no padding; the best of some shapes
  rows       the network on the rows that the stage makes: the ceiling less separators, context and padding
  stage      the detector: tokeniser, packing, network, decision, findings
  chain      the chain of `anonymize`: all default detectors beside the model, replacement, second look, score
"""

import argparse
import gzip
import json
import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from tacenda.models.token_classifier.detector import TokenClassifierDetector
from tacenda.models.token_classifier.labels import LabelMap
from tacenda.models.token_classifier.loading import loaded, package_of
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.models.token_classifier.unseen import count_unseen
from tacenda.pipelines.chain.build import build_chain
from tacenda.pipelines.chain.detectors import DEFAULT, MODEL
from tacenda.pipelines.config.job_settings import ChainSettings, RiskSettings
from tacenda.transforms.detecting.inspect_config import parse_inspect_config
from tacenda.transforms.generating.sample.corpus import conversations
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.text.column import TextColumn
from tests.benchmarks.figures import Figure, add_flag, report
from tests.benchmarks.rounds import alternate, cpu_seconds, ratio, speed

SHAPES = ((1, 128), (2, 128), (1, 192), (1, 256), (1, 96), (2, 96), (4, 64), (8, 32), (16, 16))
"""Rows and places of a call, the classifying token in it."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*")
    parser.add_argument("--model", help="folder of a package; the embedded one where it is left out")
    parser.add_argument("--label-map")
    parser.add_argument("--no-skipping", action="store_true", help="all turns go through the network")
    parser.add_argument("--conversations", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    add_flag(parser)
    arguments = parser.parse_args()
    package = package_of(arguments.model)
    label_map = LabelMap(arguments.label_map) if arguments.label_map else None
    skipping = package.filtered and label_map is None and not arguments.no_skipping
    settings = ModelSettings(
        arguments.model, package.fingerprint, package.decision, label_map, skipping=skipping
    )
    figures = []
    for path in (None, *arguments.files):
        batch = ConversationBatch.of_turns(list(_read(path, arguments.conversations)))
        on = Path(path).name.split(".")[0] if path else "sample calls"
        figures += _measure(batch, on, settings, arguments.rounds)
    report(figures, arguments.rounds, arguments.figures)


def _measure(batch: ConversationBatch, on: str, settings: ModelSettings, rounds: int) -> list[Figure]:
    package = package_of(settings.path)
    inspect = parse_inspect_config({})
    scorer = loaded(settings).scorer
    encoded = scorer._encoder.encode(TextColumn(batch.texts))
    rows = list(_rows_of_stage(scorer, batch))
    names = tuple(dict.fromkeys((*DEFAULT, MODEL)))
    chain = build_chain(ChainSettings("anonymize", names, inspect, RiskSettings(), "", models=(settings,)))
    detector = TokenClassifierDetector(inspect, settings)
    stages: dict[str, Callable[[], object]] = {
        **{
            f"ceiling {count}x{places}": partial(_run, scorer, list(_full(encoded, scorer, count, places)))
            for count, places in SHAPES
            if places <= package.max_places + 1
        },
        "rows": lambda: _run(scorer, rows),
        "stage": lambda: detector.find(TextColumn(batch.texts, batch.first_cell)),
        "chain": lambda: chain.run(batch),
    }
    seconds = alternate(stages, rounds, cpu_seconds)
    ceiling = min(
        (name for name in stages if name.startswith("ceiling")), key=lambda n: statistics.median(seconds[n])
    )
    size, tokens = sum(len(text.encode()) for text in batch.texts), len(encoded.ids)
    places = sum(ids.size for ids, _, _ in rows)
    print(
        f"{on}: {len(batch):,} conversations, {len(batch.texts):,} turns, {size / 1e3:,.0f} KB, {tokens:,} tokens, "
        f"{places / tokens:.3f} places a token (separators, context, padding), "
        f"{count_unseen(TextColumn(batch.texts), encoded)[0]} unseen characters"
    )
    named = {
        ceiling: "bare network, full rows",
        "rows": "network, rows of the stage",
        "stage": "model stage",
        "chain": "default chain",
    }
    return [
        Figure(what, on, unit, speed(amount, seconds[name]), "the bare network", of_ceiling)
        for name, what in named.items()
        for of_ceiling in [ratio(seconds[ceiling], seconds[name])]
        for unit, amount in (("k tokens/s", tokens / 1e3), ("KB/s", size / 1e3))
    ]


def _run(scorer: Any, rows: Sequence[tuple[Any, Any, Any]]) -> None:
    for _ in scorer._session.scores_of(rows):
        pass


def _full(encoded: Any, scorer: Any, count: int, places: int) -> Iterator[tuple[Any, Any, Any]]:
    """All tokens in full rows; the rest that fills no row is dropped, as if it were free."""
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
        gated = False

        def scores_of(self, several: Any) -> Iterator[Any]:
            for one in several:
                heard.append(one)
                yield np.zeros((*one[0].shape, scorer._classes), np.float32)

    heard: list[tuple[Any, Any, Any]] = []
    session, scorer._session = scorer._session, Listening()
    scorer.score(TextColumn(batch.texts, batch.first_cell))
    scorer._session = session
    return iter(heard)


def _read(path: str | None, count: int) -> Iterator[list[tuple[None, str]]]:
    if path is None:
        for conversation in conversations(1, 0, count):
            yield [(None, turn["text"]) for turn in conversation["turns"]]
        return
    with gzip.open(path, "rt") if path.endswith(".gz") else open(path) as lines:
        for line in islice(lines, count):
            yield [(None, turn["text"]) for turn in json.loads(line)["turns"]]


if __name__ == "__main__":
    main()
