"""Early-exit subgraph of an ONNX model: forwards only tokens that may still be entities.

A gate is a linear function of the hidden state. What it holds back goes through no further layer: it stays as
it is, and the others go on attending to it there (token-level early exit: Li et al., Accelerating BERT
Inference for Sequence Labeling via Early-Exit, ACL 2021).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, helper

from tacenda.models.training.graph import Graph

_SURELY_OUTSIDE = 20.0
"""The logit of class O where a place was held back; all others are 0."""


class Gate(NamedTuple):
    """Passes places whose hidden state times ``weight`` (width) is more than ``least``."""

    weight: npt.NDArray[np.float32]
    least: float


class GatedPlaces:
    """Which places of each row still go on, and the hidden state of all.

    A tensor has rows of one length, so as many places are carried on in every row as pass in the one where most
    do. Those that are only carried along keep their state and stay class O: what a place comes to never depends
    on the other rows. Numbers of places count those of all rows end to end.
    """

    def __init__(self, graph: Graph, width: int) -> None:
        self._graph, self._width = graph, width
        self._everyone = self._number = self._in_row = self._known = self._passes = ""

    def attended(self, hidden: str, name: str) -> str:
        """The state of all places (rows, places, width), of those that go on as they are now."""
        if not self._number:
            return hidden
        self._put(hidden, name)
        return self._graph.add("Reshape", [self._everyone, self._all], f"{name}.attended")

    def unchanged(self, after: str, before: str, name: str) -> str:
        """The state after a layer, of places that are only carried along as it was before."""
        if not self._number:
            return after
        return self._graph.add("Where", [self._each_passes(name), after, before], f"{name}.unchanged")

    def held_back(self, hidden: str, gate: Gate, name: str) -> str:
        """The state of those that are carried on behind a gate (rows, places carried on, width)."""
        graph = self._graph
        first = not self._number
        if first:
            self._begin()
        self._put(hidden, name)
        # Not as a product of matrices: how the runtime rounds that may depend on how many rows they have.
        raised = graph.add("Mul", [hidden, graph.constant(f"{name}.weight", gate.weight)], f"{name}.raised")
        value = graph.add("ReduceSum", [raised, self._last], f"{name}.value", keepdims=0)
        if not first:
            # What an earlier gate held back passes no later one.
            value = graph.add("Where", [self._passes, value, self._least_of_all], f"{name}.own_value")
        # A run sets it to minus infinity where it wants to see what the gate holds back.
        least = graph.setting(f"{name}.least", gate.least)
        would_pass = graph.add("Greater", [value, least], f"{name}.would_pass")
        passing = graph.add("Cast", [would_pass], f"{name}.passing", to=TensorProto.INT64)
        counts = graph.add("ReduceSum", [passing, self._last], f"{name}.counts", keepdims=0)
        most = graph.add("ReduceMax", [counts], f"{name}.most", keepdims=1)
        # At least two a row: not every operator takes an empty tensor, and for a single place the runtime may
        # take another routine, which rounds otherwise.
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
        """The logits of all places (rows, places, classes): of those held back, that they are class O."""
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
        """What all gates need: a few numbers, the shape of a call, and the first place of each row."""
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
        """Which of the places that are carried on pass, as a column beside their states."""
        return self._graph.add("Unsqueeze", [self._passes, self._last], f"{name}.each_passes")

    def _put(self, hidden: str, name: str) -> None:
        """Take over the state of those that are carried on among that of all."""
        if hidden == self._known:
            return
        graph = self._graph
        if self._number:
            at = graph.add("Unsqueeze", [self._number, self._last], f"{name}.at")
            self._everyone = graph.add("ScatterND", [self._everyone, at, hidden], f"{name}.everyone")
        else:
            self._everyone = graph.add("Reshape", [hidden, self._flat], f"{name}.everyone")
        self._known = hidden
