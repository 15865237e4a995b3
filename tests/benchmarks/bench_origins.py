"""Recall of people's names by the origin of the name, on generated calls: are names of some origins found less often?

    python -m tests.benchmarks.bench_origins [--conversations 500] [--seed 1]

A gold name counts for an origin if all of its words are in that origin's list of the generator and in no other's.
Names that are spelled out or misheard are not in the lists and do not count.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from importlib.resources import files

import yaml

from tacenda.pipelines import anonymize
from tacenda.pipelines.chain.detectors import DEFAULT, MODEL, build_detectors, detector_settings
from tacenda.pipelines.config.document import load_config
from tacenda.transforms.detecting.detector import Detector
from tacenda.transforms.generating.sample.corpus import conversations
from tacenda.transforms.text.column import TextColumn

_ENOUGH = 20


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--conversations", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    texts: list[str] = []
    first_cell = [0]
    names: list[tuple[int, int, int, str]] = []
    origins = _origins()
    for conversation in conversations(chosen.seed, 0, chosen.conversations):
        for turn in conversation["turns"]:
            for span in turn.get("spans", ()):
                if span["label"] == "PERSON_NAME":
                    start, end = span["start"], span["end"]
                    of = [origins[word.strip(".,").lower()] for word in turn["text"][start:end].split()]
                    if len(common := set.intersection(*of)) == 1:
                        names.append((len(texts), start, end, *common))
            texts.append(turn["text"])
        first_cell.append(len(texts))
    for detectors in (tuple(name for name in DEFAULT if name != MODEL), DEFAULT):
        recall = _recall(_built(detectors), texts, first_cell, names)
        spread = max(recall.values()) - min(recall.values())
        print(f"{' + '.join(detectors)}: spread {spread:.3f} over {len(recall)} origins, {len(names)} names")
        for origin, share in sorted(recall.items(), key=lambda item: item[1]):
            print(f"  {origin:26} {share:.3f}")


def _origins() -> dict[str, set[str]]:
    said = yaml.safe_load(
        files("tacenda.transforms.generating.sample").joinpath("data/names.yaml").read_text("utf-8")
    )
    origins: dict[str, set[str]] = defaultdict(set)
    for origin, lists in said["origins"].items():
        for words in lists.values():
            if isinstance(words, str):
                for word in words.replace(",", " ").split():
                    origins[word.lower()].add(origin)
    return origins


def _built(names: Sequence[str]) -> list[Detector]:
    words = [word for name in names for word in ("--detector", name)]
    arguments = anonymize.parser().parse_args(["--input", "-", "--output", "-", *words])
    settings = detector_settings(load_config(None), arguments)
    return build_detectors(settings.names, settings.rules, None, models=settings.models)


def _recall(
    detectors: Sequence[Detector],
    texts: Sequence[str],
    first_cell: Sequence[int],
    names: Sequence[tuple[int, int, int, str]],
) -> dict[str, float]:
    covered = [bytearray(len(text)) for text in texts]
    for detector in detectors:
        for cell, findings in enumerate(detector.find(TextColumn(texts, first_cell))):
            for finding in findings:
                covered[cell][finding.start : finding.end] = b"\1" * (finding.end - finding.start)
    found: Counter[str] = Counter()
    count: Counter[str] = Counter()
    for cell, start, end, origin in names:
        count[origin] += 1
        found[origin] += all(
            covered[cell][place] for place in range(start, end) if texts[cell][place].isalnum()
        )
    return {origin: found[origin] / n for origin, n in count.items() if n >= _ENOUGH}


if __name__ == "__main__":
    main()
