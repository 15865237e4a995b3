"""How well mentions are linked where that is hard: the hard set with its gold spans, and with what is found.

    python -m tests.benchmarks.bench_linking [--draws 20] [--seed 1] [--detector rules …] [--errors]

The first table takes the gold spans as found, so that linking alone is measured; the second runs the default
detectors. ``--errors`` prints the mentions that were wrongly linked or not linked: they are nobody's.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from tacenda.pipelines import evaluate
from tacenda.transforms.evaluating.clustering import COLUMNS, UNIT, count_clusters
from tacenda.transforms.linking.entities import link_conversation
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tests.benchmarks.hard_linking import hard_conversations

MEASURES = {
    "pairwise": ("common_pairs", "key_pairs", "response_pairs"),
    "MUC": ("common_links", "key_links", "response_links"),
    "B³": (("b_cubed_recall", "b_cubed_precision"), "linked_mentions", "linked_mentions"),
    "CEAF-e": ("cluster_similarity", "key_clusters", "response_clusters"),
}
_RESAMPLES = 1_000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--detector", action="append", default=[])
    parser.add_argument("--errors", action="store_true")
    arguments = parser.parse_args()
    records = list(hard_conversations(arguments.seed, arguments.draws))
    counts = counts_of(records)
    print(f"{len(records)} conversations, {sum(len(list(mentions(record))) for record in records)} mentions")
    print("gold spans, linked:")
    for name, figures in figures_of(counts).items():
        print(
            f"  {name:9}" + "  ".join(f"{value:.3f} [{low:.3f}, {high:.3f}]" for value, low, high in figures)
        )
    if arguments.errors:
        for (kind, what), times in sum(map(errors_of, records), Counter()).most_common():
            print(f"  {times:5}  {kind:22} {what}")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "hard.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
        words = [word for name in arguments.detector for word in ("--detector", name)]
        evaluate.run(["--input", str(path), "--workers", "1", "--bootstrap", "1000", *words])


def mentions(record: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Entity and text of each gold mention."""
    for turn in record["turns"]:
        for span in turn["spans"]:
            yield span["entity"], turn["text"][span["start"] : span["end"]]


def linked(record: dict[str, Any]) -> list[int]:
    """The number of each gold mention, as linking has it."""
    turns = record["turns"]
    found = [
        [Finding(s["start"], s["end"], s["label"], Likelihood.LIKELY, "gold") for s in turn["spans"]]
        for turn in turns
    ]
    texts, speakers = [turn["text"] for turn in turns], [turn["speaker"] for turn in turns]
    entities = link_conversation(texts, speakers, found, {}).entities
    return [number for cell in entities for number in cell]


def counts_of(records: list[dict[str, Any]]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Counts of the measures, one row a conversation."""
    place, key, response = [], [], []
    for i, record in enumerate(records):
        numbers = linked(record)
        gold = [entity for entity, _ in mentions(record)]
        known = {entity: number for number, entity in enumerate(dict.fromkeys(gold))}
        place += [i] * len(gold)
        key += [known[entity] for entity in gold]
        response += numbers
    return count_clusters(*(np.array(column, np.int64) for column in (place, key, response)), len(records))


def figures_of(counts: np.ndarray[Any, np.dtype[np.int64]]) -> dict[str, list[tuple[float, float, float]]]:
    """Recall, precision and F1 of each measure, with their 95 % interval by a bootstrap over conversations."""
    draw = np.random.default_rng(1)
    resampled = [counts[draw.integers(0, len(counts), len(counts))].sum(0) for _ in range(_RESAMPLES)]
    figures = {}
    for name in MEASURES:
        values = np.array([_measure(name, row) for row in (counts.sum(0), *resampled)])
        low, high = np.percentile(values[1:], [2.5, 97.5], axis=0)
        figures[name] = list(zip(values[0].tolist(), low.tolist(), high.tolist(), strict=True))
    return figures


def _measure(name: str, sums: np.ndarray[Any, np.dtype[np.int64]]) -> tuple[float, float, float]:
    of = dict(zip(COLUMNS, sums.tolist(), strict=True))
    common, key, response = MEASURES[name]
    recalled, right = common if isinstance(common, tuple) else (common, common)
    unit = 1 if name in ("pairwise", "MUC") else UNIT
    recall, precision = of[recalled] / unit / max(of[key], 1), of[right] / unit / max(of[response], 1)
    return recall, precision, 2 * recall * precision / max(recall + precision, 1e-9)


def errors_of(record: dict[str, Any]) -> Counter[tuple[str, str]]:
    """Pairs of mentions beside each other in the conversation that were linked wrongly, or were not."""
    said = list(zip(mentions(record), linked(record), strict=True))
    wrong: Counter[tuple[str, str]] = Counter()
    for i, ((one, text), number) in enumerate(said):
        for (other, its), its_number in said[:i]:
            if (one == other) != (number == its_number):
                wrong[record["context"], f"{'two' if one == other else 'one'}: {its} | {text}"] += 1
    return wrong


if __name__ == "__main__":
    main()
