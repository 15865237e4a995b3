"""Prints how fast sample conversations are made, and what is in 500 of them.

python tests/benchmarks/bench_generating.py [SECONDS]
"""

import sys
import time
from collections import Counter, defaultdict

from tacenda.transforms.generating.sample.corpus import conversation, conversations


def main(seconds: float = 5.0) -> None:
    corpus = list(conversations(1, 0, 500))
    labels = Counter(span["label"] for record in corpus for turn in record["turns"] for span in turn["spans"])
    shapes = defaultdict(list)
    for record in corpus:
        words = sum(len(turn["text"].split()) for turn in record["turns"])
        shapes[record["context"]].append((len(record["turns"]), words))
    for label, count in labels.most_common():
        print(f"{count:6} {label}")
    print("context               turns least mean most   words mean")
    for context, pairs in shapes.items():
        turns, words = zip(*pairs, strict=True)
        mean = sum(turns) / len(turns)
        print(f"{context:20} {min(turns):11} {mean:4.1f} {max(turns):4} {sum(words) / len(words):12.0f}")
    made = 0
    started = time.process_time()
    while time.process_time() - started < seconds:
        conversation(1, made)
        made += 1
    print(f"{made / (time.process_time() - started):,.0f} conversations a second of one core")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
