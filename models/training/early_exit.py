"""Early exit: train gates between layers on the network's own final output.

A gate predicts which tokens may still turn out to be personal data; the others skip the remaining layers
(``gated_places``). No gold is needed: the target is the network's own output. The threshold of a gate is
chosen by how much of that output it loses on development text.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from onnx import TensorProto, helper
from torch import Tensor, nn
from torch.nn import functional

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.torch_network import TokenNetwork
from tacenda.models.training.gold_tokens import drawn, real_rows
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


OF_INTEREST = 0.1
"""Probability of personal data above which a token counts as lost: half the lowest threshold
(``thresholds.LIMITS``), which applies to words next to a found one. A second look has lower thresholds and so
loses some less likely findings (``docs/evidence/accuracy.md``)."""

_NEARLY = 0.05
"""Probability above which a gate is trained to pass a token; lower than what it is evaluated by."""

_ROUNDS, _FINE_ROUNDS, _STEP = 5, 3, 4096
_RATE, _FINE_RATE = 1e-2, 2e-3
_PASSING_WEIGHT = 10.0


class GateReport(NamedTuple):
    """A gate on development text: the share of tokens that pass, and of tokens of interest that do not."""

    passing: float
    lost: float

    def to_dict(self) -> dict[str, float]:
        """Plain data."""
        return {"passing": round(self.passing, 4), "lost": round(self.lost, 5)}


class _States(NamedTuple):
    """Hidden states (tokens, width) after each layer but the last; each token's probability of not being O."""

    hidden: list[npt.NDArray[np.float16]]
    inside: npt.NDArray[np.float32]


def learnt_gates(
    network: TokenNetwork,
    encoder: TurnEncoder,
    train: Sequence[Mapping[str, Any]],
    dev: Sequence[Mapping[str, Any]],
    max_places: int,
    context: int,
    lost: float,
) -> dict[int, tuple[Gate, GateReport]]:
    """Train a gate after each layer but the last, by layer index; gates that would pass everything are left
    out.

    Args:
        network: the trained network.
        encoder: its tokenizer.
        train: conversations to train gates on.
        dev: conversations to choose thresholds on.
        max_places: as in ``blocks``.
        context: as in ``blocks``.
        lost: share of the tokens of interest that each gate may drop; 0 for no gates.
    """
    if not lost:
        return {}
    learnt = _states(network, encoder, drawn(train), max_places, context)
    judged = _states(network, encoder, drawn(dev), max_places, context)
    of_interest = judged.inside > OF_INTEREST
    gates = {}
    for layer, (hidden, of_dev) in enumerate(zip(learnt.hidden, judged.hidden, strict=True)):
        weight = _direction(hidden, learnt.inside)
        values = of_dev.astype(np.float32) @ weight
        least = _least(values[of_interest], lost)
        if least is None:
            continue
        passes = values > least
        report = GateReport(float(np.mean(passes)), float(np.mean(~passes[of_interest])))
        if report.passing < 1:
            gates[layer] = Gate(weight, least), report
    return gates


def _states(
    network: TokenNetwork,
    encoder: TurnEncoder,
    records: Sequence[Mapping[str, Any]],
    max_places: int,
    context: int,
) -> _States:
    """Run the network on conversations and collect its hidden states and output."""
    rows = real_rows(records, encoder, max_places, context, padded=False)
    network = network.eval().float().cpu()
    hidden: list[list[npt.NDArray[np.float16]]] = [[] for _ in network.layers[:-1]]
    inside: list[npt.NDArray[np.float32]] = [np.zeros(0, np.float32)]
    for ids, mask, cases in rows.inputs():
        tokens, seen, types = (torch.from_numpy(one) for one in (ids, mask, cases))
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            logits, left = network.read(network.words(tokens), seen, types)
        for one, state in zip(hidden, left, strict=False):
            one.append(_flat(state).half().numpy())
        inside.append(1 - torch.softmax(_flat(logits), -1)[:, 0].numpy())
    nothing = np.zeros((0, network.config.width), np.float16)
    return _States([np.concatenate([nothing, *one]) for one in hidden], np.concatenate(inside))


def _flat(tensor: Tensor) -> Tensor:
    return tensor.float().flatten(0, 1)


def _direction(hidden: npt.NDArray[np.float16], inside: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The weights of a logistic regression from hidden state to personal data."""
    torch.manual_seed(0)
    linear = nn.Linear(hidden.shape[1], 1)
    optimizer = torch.optim.Adam(linear.parameters(), _RATE)
    states, target = torch.from_numpy(hidden), torch.from_numpy(inside > _NEARLY).float()
    for number in range(_ROUNDS + _FINE_ROUNDS):
        if number == _ROUNDS:
            optimizer.param_groups[0]["lr"] = _FINE_RATE
        for some in torch.randperm(len(states)).split(_STEP):
            value, wanted = linear(states[some].float())[:, 0], target[some]
            importance = 1 + (_PASSING_WEIGHT - 1) * wanted
            loss = functional.binary_cross_entropy_with_logits(value, wanted, importance)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    weight: npt.NDArray[np.float32] = linear.weight.detach().numpy()[0]
    return weight


def _least(values: npt.NDArray[np.float32], lost: float) -> float | None:
    """The greatest limit that at most a share ``lost`` of the values do not exceed; None without values."""
    if not len(values):
        return None
    held_back = int(lost * len(values))
    return float(np.nextafter(np.sort(values)[held_back], np.float32(-np.inf)))
