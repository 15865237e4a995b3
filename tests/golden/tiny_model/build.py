"""Builds the tiny model of the tests, whose every probability is known; needs the package onnx.

    python -m tests.golden.tiny_model.build

A token's logits are those of its word, of its case, and of what the token before it announces ("mr" announces a
person). So it has context, and no more.
"""

import json
from pathlib import Path

import numpy as np

from tests.golden import tiny

HERE = Path(__file__).parent
LABELS = ["O", "PERSON_NAME", "LOCATION", "ORGANIZATION_NAME"]
CERTAIN = 0.999

WORDS = {
    "pam": (1, CERTAIN), "dwight": (1, CERTAIN), "schrute": (1, CERTAIN), "##ela": (1, CERTAIN),
    "josé": (1, CERTAIN), "jose": (1, CERTAIN), "o": (1, CERTAIN), "brien": (1, CERTAIN), "j": (1, CERTAIN),
    "scranton": (2, CERTAIN), "new": (2, CERTAIN), "york": (2, CERTAIN),
    "beet": (3, CERTAIN), "farms": (3, CERTAIN),
    "probably": (1, 0.5), "maybe": (1, 0.3), "perhaps": (1, 0.12), "hardly": (1, 0.06), "will": (1, 0.1),
}  # fmt: skip
"""Word to its class and the probability of this class, in small letters and after no announcement."""

PLAIN = ["hello", "my", "name", "is", "from", "the", "call", "and", "mr", "in", "##s", "it"]
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
SIGNS = ".,:;!?'\"-_()[]@/|&"

NODES = """\
Gather of_word input_ids words
Gather of_case token_type_ids cases
Gather announced input_ids announcements
Slice announcements first last axis but_last
Pad but_last shift before
Add words cases alone
Add alone before together
Cast attention_mask mask
Unsqueeze mask last mask_of_classes
Mul together mask_of_classes logits"""


def main() -> None:
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, *PLAIN]
    vocabulary = dict.fromkeys([*names, *LETTERS, *(f"##{c}" for c in LETTERS), *SIGNS])
    ids = {name: i for i, name in enumerate(vocabulary)}
    of_word = np.full((len(ids), len(LABELS)), -30, np.float32)
    of_word[:, 0] = 0
    for word, (label, probability) in WORDS.items():
        of_word[ids[word], label] = np.log(probability / (1 - probability))
    of_case = np.zeros((4, len(LABELS)), np.float32)
    of_case[1, 1] = 2
    announced = np.zeros((len(ids), len(LABELS)), np.float32)
    announced[ids["mr"], 1] = 40
    tables = {"of_word": of_word, "of_case": of_case, "announced": announced}
    tiny.save(HERE, ids, 4, tables, "input_ids attention_mask token_type_ids", NODES)
    description = {
        "name": "tiny",
        "version": "1",
        "labels": LABELS,
        "max_places": 16,
        "context": 4,
        "casing": True,
        "decision": {"rule": "sum", "threshold": 0.2},
        "languages": ["en"],
        "trained_on_personal_data": False,
    }
    (HERE / "package.json").write_text(json.dumps(description, indent=2) + "\n")


if __name__ == "__main__":
    main()
