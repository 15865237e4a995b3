"""Builds a tiny masked language model with known probabilities; needs the package onnx.

    python -m tests.golden.tiny_masked_lm.build

A token's logits are those after the one before it.
"""

import json
from pathlib import Path

import numpy as np

from tests.golden import tiny

HERE = Path(__file__).parent
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "my", "name", "is", "pam", "##ela", "from", "."]
VOCABULARY += ["eva", "mia", "ines", "moss", "berg", "bo"]
PROBABILITY = {
    ("[CLS]", "my"): 0.5,
    ("my", "name"): 0.5,
    ("name", "is"): 0.9,
    ("is", "pam"): 0.001,
    ("pam", "##ela"): 0.2,
    ("is", "from"): 0.3,
    ("is", "bo"): 0.2,
    ("is", "eva"): 0.15,
    ("is", "mia"): 0.1,
    ("is", "ines"): 0.05,
    ("eva", "moss"): 0.5,
    ("mia", "berg"): 0.5,
    ("ines", "berg"): 0.5,
}
"""Of the second token after the first; the others share the rest equally."""

NODES = """\
Gather after input_ids behind
Slice behind first last axis but_last
Pad but_last shift logits"""


def main() -> None:
    ids = {name: i for i, name in enumerate(VOCABULARY)}
    table = np.zeros((len(ids), len(ids)))
    for (before, after), probability in PROBABILITY.items():
        table[ids[before], ids[after]] = probability
    rest = 1 - table.sum(axis=1, keepdims=True)
    table = np.where(table == 0, rest / (table == 0).sum(axis=1, keepdims=True), table)
    tables = {"after": np.log(table).astype(np.float32)}
    tiny.save(HERE, ids, 5, tables, "input_ids", NODES)
    config = {"architectures": ["TinyForMaskedLM"], "vocab_size": len(ids), "max_position_embeddings": 32}
    (HERE / "config.json").write_text(json.dumps(config, indent=2) + "\n")


if __name__ == "__main__":
    main()
