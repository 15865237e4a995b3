"""A ledger of what stays readable, by the step that lost it.

    python -m tests.benchmarks.bench_leaks GOLD…

runs the default detectors over gold conversations and gives each span that is readable in part or whole one of the causes
of `transforms/evaluating/leak_causes.py`, by file and, over all of them, by infoType of the gold. Nothing of the text is
printed. A value is in doubt if it occurs in the file unmarked at least as often as marked.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tacenda.pipelines.chain.detectors import build_detectors
from tacenda.pipelines.evaluate import parser as arguments_of_evaluate
from tacenda.pipelines.measurement.evaluation import EvaluatedConfig, detecting_chain
from tacenda.transforms.detecting.detector import TwoLookDetector
from tacenda.transforms.evaluating.gold_labels import gold_labels
from tacenda.transforms.evaluating.gold_reading import plan_gold, read_gold
from tacenda.transforms.evaluating.leak_causes import CAUSES, cause
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.text.column import TextColumn


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("gold", type=Path, nargs="+")
    by_file: dict[str, Counter[str]] = {}
    by_label: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for path in parser.parse_args().gold:
        by_file[path.name.split(".")[0]] = counts = Counter()
        for label, told in _causes(path):
            for counter in (counts, by_label[label]):
                counter["spans"] += 1
                counter[told or "covered"] += 1
    _show("file", {**by_file, "all": sum(by_file.values(), Counter())})
    most = sorted(by_label.items(), key=lambda item: item[1]["covered"] - item[1]["spans"])
    _show("infoType", dict(most[:12]))


def _causes(path: Path) -> Iterator[tuple[str, str | None]]:
    """The label of every span that counts, and why it is readable; None if it is not."""
    config = EvaluatedConfig.load(None, arguments_of_evaluate().parse_args(["--input", str(path)]))
    chain, detecting = detecting_chain(config.looking), config.looking.detecting
    detectors = build_detectors(detecting.names, detecting.rules, None, models=detecting.models)
    labels = gold_labels()
    plan = plan_gold([str(path.resolve())], 1 << 24)
    batches = [gold.batch for part in plan.parts for gold in read_gold(part, plan.shape, labels)]
    marked, said = Counter[str](), Counter[str]()
    for batch in batches:
        for text, spans in zip(batch.texts, batch.spans, strict=True):
            marked.update(_folded(text[span.start : span.end]) for span in spans)
    for batch in batches:
        for text in batch.texts:
            words = f" {_folded(text)} "
            said.update({value: words.count(f" {value} ") for value in _values_in(words, marked)})
    for batch in batches:
        left = chain.run(batch).findings
        column = TextColumn(batch.texts, batch.first_cell)
        found: list[list[Finding]] = [[] for _ in batch.texts]
        unsure: list[list[Finding]] = [[] for _ in batch.texts]
        for detector in detectors:
            if isinstance(detector, TwoLookDetector):
                looks = detector.find_twice(column)
            else:
                looks = detector.find(column), [[]] * len(batch.texts)
            for cell, (sure, other) in enumerate(zip(*looks, strict=True)):
                found[cell] += sure
                unsure[cell] += other
        yield from _of_batch(batch, left, found, unsure, labels, marked, said)


def _of_batch(
    batch: ConversationBatch,
    left: Sequence[Sequence[Finding]],
    found: Sequence[Sequence[Finding]],
    unsure: Sequence[Sequence[Finding]],
    labels: Any,
    marked: Mapping[str, int],
    said: Mapping[str, int],
) -> Iterator[tuple[str, str | None]]:
    for i in range(len(batch)):
        cells = batch.cells(i)
        covered: set[str] = set()
        open_spans = []
        for cell in cells:
            text = batch.texts[cell]
            for span in batch.spans[cell]:
                if labels.kind(span.label) != "core":
                    continue
                place = (span.start, span.end)
                value = _folded(text[span.start : span.end])
                if cause(text, place, left[cell], (), ()) is None:
                    covered.add(value)
                    yield span.label, None
                else:
                    open_spans.append((cell, span.label, place, value))
        for cell, label, place, value in open_spans:
            doubt = said[value] >= 2 * marked[value] > 0
            yield (
                label,
                cause(
                    batch.texts[cell], place, left[cell], found[cell], unsure[cell], value in covered, doubt
                ),
            )


def _folded(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def _values_in(words: str, values: Mapping[str, int]) -> Iterator[str]:
    """Those of the marked values of up to five words that a text has."""
    listed = words.split()
    for length in range(1, 6):
        for i in range(len(listed) - length + 1):
            value = " ".join(listed[i : i + length])
            if value in values:
                yield value


def _show(name: str, rows: Mapping[str, Counter[str]]) -> None:
    print(f"\n{name:24}{'spans':>8}{'left':>7}" + "".join(f"{told:>20}" for told in CAUSES))
    for row, counts in rows.items():
        left = counts["spans"] - counts["covered"]
        print(f"{row:24}{counts['spans']:>8,}{left:>7,}" + "".join(f"{counts[told]:>20,}" for told in CAUSES))


if __name__ == "__main__":
    main()
