"""Save the tiny models of the tests, whose every probability is known; needs the package onnx."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

NUMBERS = {"first": [0], "last": [-1], "axis": [1], "shift": [0, 1, 0, 0, 0, 0]}
"""Constants of nodes that move the values of each token to the one behind it."""


def save(
    folder: Path, ids: Mapping[str, int], specials: int, tables: Mapping[str, Any], inputs: str, nodes: str
) -> None:
    """Write a tokenizer of word pieces in small letters, of which the first are special, and a network.

    ``nodes`` are lines of an operator, its inputs and its output, the last of which are the logits.
    """
    tokenizer = Tokenizer(models.WordPiece(dict(ids), unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens([*ids][:specials])
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    constants = {**tables, **{name: np.array(value, np.int64) for name, value in NUMBERS.items()}}
    width = next(iter(tables.values())).shape[1]
    graph = helper.make_graph(
        [_node(*line.split()) for line in nodes.splitlines()],
        "tiny",
        [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["rows", "places"])
            for name in inputs.split()
        ],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["rows", "places", width])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    (folder / "model.onnx").write_bytes(model.SerializeToString())


def _node(operator: str, *names: str) -> onnx.NodeProto:
    attributes = {"to": TensorProto.FLOAT} if operator == "Cast" else {}
    return helper.make_node(operator, names[:-1], names[-1:], **attributes)
