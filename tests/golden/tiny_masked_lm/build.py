"""Builds a tiny masked language model with known probabilities; needs the package onnx.

    python tests/golden/tiny_masked_lm/build.py

A token's logits are those after the one before it.
"""

import json
from pathlib import Path

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

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


def main() -> None:
    ids = {name: i for i, name in enumerate(VOCABULARY)}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(VOCABULARY[:5])
    tokenizer.save(str(HERE / "tokenizer.json"), pretty=False)
    table = np.zeros((len(ids), len(ids)))
    for (before, after), probability in PROBABILITY.items():
        table[ids[before], ids[after]] = probability
    rest = 1 - table.sum(axis=1, keepdims=True)
    table = np.where(table == 0, rest / (table == 0).sum(axis=1, keepdims=True), table)
    _save(HERE / "model.onnx", np.log(table).astype(np.float32))
    config = {"architectures": ["TinyForMaskedLM"], "vocab_size": len(ids), "max_position_embeddings": 32}
    (HERE / "config.json").write_text(json.dumps(config, indent=2) + "\n")


def _save(path: Path, after: npt.NDArray[np.float32]) -> None:
    constants = {
        "after": after,
        "first": np.array([0], np.int64),
        "last": np.array([-1], np.int64),
        "axis": np.array([1], np.int64),
        "shift": np.array([0, 1, 0, 0, 0, 0], np.int64),
    }
    nodes = [
        helper.make_node("Gather", ["after", "input_ids"], ["behind"]),
        helper.make_node("Slice", ["behind", "first", "last", "axis"], ["but_last"]),
        helper.make_node("Pad", ["but_last", "shift"], ["logits"]),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["rows", "places"])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["rows", "places", len(after)])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    path.write_bytes(model.SerializeToString())


if __name__ == "__main__":
    main()
