"""Early-exit subgraph of an ONNX model: forwards only tokens that may still be entities.

A gate is a linear function of the hidden state. Tokens that it drops skip all further layers: their state
stays fixed, and other tokens keep attending to it (token-level early exit: Li et al., Accelerating BERT
Inference for Sequence Labeling via Early-Exit, ACL 2021).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper

from tacenda.models.training.graph import Graph

_SURELY_OUTSIDE = 20.0
"""Logit of class O for dropped tokens; their other logits are 0."""


class Gate(NamedTuple):
    """Passes tokens whose hidden state times ``weight`` (width) exceeds ``least``."""

    weight: npt.NDArray[np.float32]
    least: float


class GatedPlaces:
    """Tracks which tokens of each row are still active, and the hidden state of all.

    Rows of a tensor have the same length, so every row keeps as many tokens as pass in the row where most do.
    The surplus ones keep their state and stay class O, so that no token depends on other rows. Token numbers
    count through all rows.
    """

    def __init__(self, graph: Graph, width: int) -> None:
        self._graph, self._width = graph, width
        self._everyone = self._number = self._in_row = self._known = self._passes = ""

    def attended(self, hidden: str, name: str) -> str:
        """The latest state of all tokens (rows, places, width)."""
        if not self._number:
            return hidden
        self._put(hidden, name)
        return self._graph.add("Reshape", [self._everyone, self._all], f"{name}.attended")

    def unchanged(self, after: str, before: str, name: str) -> str:
        """The state after a layer; surplus tokens keep the state before it."""
        if not self._number:
            return after
        return self._graph.add("Where", [self._each_passes(name), after, before], f"{name}.unchanged")

    def held_back(self, hidden: str, gate: Gate, name: str) -> str:
        """Add a gate; the state of the tokens kept after it (rows, tokens kept, width)."""
        graph = self._graph
        first = not self._number
        if first:
            self._begin()
        self._put(hidden, name)
        # Not a matrix product, whose rounding may depend on the number of rows.
        raised = graph.add("Mul", [hidden, graph.constant(f"{name}.weight", gate.weight)], f"{name}.raised")
        value = graph.add("ReduceSum", [raised, self._last], f"{name}.value", keepdims=0)
        if not first:
            # Tokens dropped by an earlier gate must not pass a later one.
            value = graph.add("Where", [self._passes, value, self._least_of_all], f"{name}.own_value")
        # A run can set this to minus infinity to switch the gate off.
        least = graph.setting(f"{name}.least", gate.least)
        would_pass = graph.add("Greater", [value, least], f"{name}.would_pass")
        passing = graph.add("Cast", [would_pass], f"{name}.passing", to=TensorProto.INT64)
        counts = graph.add("ReduceSum", [passing, self._last], f"{name}.counts", keepdims=0)
        most = graph.add("ReduceMax", [counts], f"{name}.most", keepdims=1)
        # At least two a row: not every operator takes an empty tensor, and for a single token the runtime may
        # switch to a routine that rounds differently.
        enough = graph.add("Max", [most, self._two], f"{name}.enough")
        left = graph.add("Min", [enough, self._wide], f"{name}.left")
        best, chosen = f"{name}.best", f"{name}.chosen"
        graph.nodes.append(helper.make_node("TopK", [value, left], [best, chosen], name=chosen, axis=1))
        self._passes = graph.add("Greater", [best, least], f"{name}.passes")
        if self._in_row:
            chosen = graph.add("GatherElements", [self._in_row, chosen], f"{name}.in_row", axis=1)
        self._in_row = chosen
        self._number = graph.add("Add", [chosen, self._first], f"{name}.number")
        self._known = graph.add("Gather", [self._everyone, self._number], f"{name}.out")
        return self._known

    def restored(self, logits: str, classes: int) -> str:
        """The logits of all tokens (rows, places, classes); those of dropped tokens are class O."""
        if not self._number:
            return logits
        graph = self._graph
        outside = np.zeros((1, classes), np.float32)
        outside[0, 0] = _SURELY_OUTSIDE
        blank = graph.constant("outside", outside)
        logits = graph.add("Where", [self._each_passes("logits"), logits, blank], "logits_passing")
        column = graph.constant("classes", np.array([classes], np.int64))
        count = graph.add("Mul", [self._rows, self._wide], "count_of_all")
        flat = graph.add("Concat", [count, column], "flat_logits_shape", axis=0)
        everywhere = graph.add("Expand", [blank, flat], "outside_all")
        at = graph.add("Unsqueeze", [self._number, self._last], "logits_at")
        put = graph.add("ScatterND", [everywhere, at, logits], "flat_logits")
        shape = graph.add("Concat", [self._rows, self._wide, column], "logits_shape", axis=0)
        return graph.add("Reshape", [put, shape], "all_logits")

    def _begin(self) -> None:
        """Add what all gates need: constants, the input's shape, and the first token number of each row."""
        graph = self._graph
        self._least_of_all = graph.constant("least_of_all", np.array(-np.inf, np.float32))
        self._two = graph.constant("two", np.array([2], np.int64))
        self._last = graph.constant("last", np.array([-1], np.int64))
        self._flat = graph.constant("flat", np.array([-1, self._width], np.int64))
        shape = graph.add("Shape", ["input_ids"], "shape")
        column = graph.constant("width", np.array([self._width], np.int64))
        self._all = graph.add("Concat", [shape, column], "shape_of_all", axis=0)
        halves = graph.constant("one_and_one", np.array([1, 1], np.int64))
        self._rows, self._wide = graph.split(shape, halves, ["rows", "wide"])
        none, single = (graph.constant(f"scalar_{n}", np.array(n, np.int64)) for n in (0, 1))
        count = graph.add("Squeeze", [self._rows], "scalar_rows")
        first = graph.add(
            "Mul", [graph.add("Range", [none, count, single], "row"), self._wide], "first_of_row"
        )
        self._first = graph.add("Unsqueeze", [first, self._last], "first_of_rows")

    def _each_passes(self, name: str) -> str:
        """Which of the kept tokens passed the gate, with a trailing axis for broadcasting."""
        return self._graph.add("Unsqueeze", [self._passes, self._last], f"{name}.each_passes")

    def _put(self, hidden: str, name: str) -> None:
        """Write the state of the kept tokens into the state of all."""
        if hidden == self._known:
            return
        graph = self._graph
        if self._number:
            at = graph.add("Unsqueeze", [self._number, self._last], f"{name}.at")
            self._everyone = graph.add("ScatterND", [self._everyone, at, hidden], f"{name}.everyone")
        else:
            self._everyone = graph.add("Reshape", [hidden, self._flat], f"{name}.everyone")
        self._known = hidden
