"""Figures as text and as JSON, for commands that measure something."""

from typing import Any

import orjson


def figure(value: float | None) -> str:
    """A share or coefficient with three digits; a dash where there is none."""
    return "–" if value is None else f"{value:.3f}"


def indented_json(figures: Any) -> bytes:
    """Figures as an indented JSON document that ends with a line feed."""
    return orjson.dumps(figures, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
