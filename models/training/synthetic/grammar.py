"""Template grammar: ``<this|that>`` is a choice, ``{slot}`` a value, ``{slot.key}`` the same value every
time.

``{lawyer=PROFESSION}`` is a literal word with a label. ``‹`` and ``›`` are literal angle brackets.
"""

from collections.abc import Sequence
from functools import cache
from typing import Protocol, Union

from tacenda.models.training.synthetic.segment import Segment
from tacenda.transforms.generating.draw import Draw


class Scene(Protocol):
    """Source of the values that fill a template."""

    draw: Draw

    def value(self, slot: str, key: str) -> Sequence[Segment]:
        """The segments of a slot."""


Node = Union[str, "Slot", "Labelled", "Choice"]
Nodes = tuple[Node, ...]


class Slot:
    """A placeholder for a value."""

    __slots__ = ("key", "name")

    def __init__(self, text: str) -> None:
        self.name, _, self.key = text.partition(".")


class Labelled:
    """A literal word with a label."""

    __slots__ = ("segment",)

    def __init__(self, text: str) -> None:
        word, _, label = text.partition("=")
        self.segment: Segment = (word, label)


class Choice:
    """Equally likely alternatives."""

    __slots__ = ("branches",)

    def __init__(self, branches: list[Nodes]) -> None:
        self.branches = branches


def _parse(text: str, at: int, inside: bool) -> tuple[Nodes, int]:
    nodes: list[Node] = []
    literal: list[str] = []

    def flush() -> None:
        if literal:
            nodes.append("".join(literal).replace("‹", "<").replace("›", ">"))
            literal.clear()

    while at < len(text):
        char = text[at]
        if inside and char in "|>":
            break
        if char == "{":
            end = text.index("}", at)
            flush()
            inner = text[at + 1 : end]
            nodes.append(Labelled(inner) if "=" in inner else Slot(inner))
            at = end + 1
        elif char == "<":
            flush()
            branches = []
            while True:
                branch, at = _parse(text, at + 1, inside=True)
                branches.append(branch)
                if at >= len(text):
                    raise ValueError("a choice is not closed with >")
                if text[at] == ">":
                    break
            nodes.append(Choice(branches))
            at += 1
        else:
            literal.append(char)
            at += 1
    flush()
    return tuple(nodes), at


@cache
def compiled(template: str) -> Nodes:
    """Parse a template.

    Raises:
        ValueError: a choice or slot is not closed.
    """
    nodes, _ = _parse(template, 0, inside=False)
    return nodes


def render(nodes: Nodes, scene: Scene, out: list[Segment]) -> None:
    """Fill in a template and append its segments."""
    for node in nodes:
        if isinstance(node, str):
            out.append((node, ""))
        elif isinstance(node, Slot):
            out.extend(scene.value(node.name, node.key))
        elif isinstance(node, Labelled):
            out.append(node.segment)
        else:
            render(scene.draw.pick(node.branches), scene, out)
