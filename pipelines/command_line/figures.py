"""Figures as text and as JSON, for commands that measure something."""

from argparse import Namespace
from collections.abc import Iterable, Mapping
from typing import Any

import orjson

from tacenda.pipelines.command_line.terminal import answer, say
from tacenda.transforms.storage.files import absolute
from tacenda.transforms.storage.publishing import publish_bytes


def figure(value: float | None) -> str:
    """A share or coefficient with three digits; a dash where there is none."""
    return "–" if value is None else f"{value:.3f}"


def indented_json(figures: Any) -> bytes:
    """Figures as an indented JSON document that ends with a line feed."""
    return orjson.dumps(figures, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def give_figures(arguments: Namespace, figures: Mapping[str, Any], lines: Iterable[str]) -> None:
    """Write figures to the file of ``--output``, if given; print them as JSON (``--json``) or as lines."""
    written = indented_json(figures)
    if arguments.output:
        publish_bytes(absolute(arguments.output), written)
    if arguments.json:
        answer(written.decode())
    else:
        say("\n".join(lines))
