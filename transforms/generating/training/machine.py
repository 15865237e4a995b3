"""Machine text without personal data: tool calls, schemas, code, configuration, logs and documentation."""

import json
import re
from collections.abc import Callable
from typing import Any

from tacenda.transforms.generating.data_folder import separated
from tacenda.transforms.generating.draw import Draw

_GAP = re.compile(r"<(\w+)>")
_REPEATED = re.compile(r"(\d)\* ")
_NAMES: dict[str, Callable[[list[str]], str]] = {
    "snake": "_".join,
    "kebab": "-".join,
    "camel": lambda parts: parts[0] + "".join(part.title() for part in parts[1:]),
    "title": lambda parts: "".join(part.title() for part in parts),
}
"""Ways to write a name of several words."""


class _Words:
    """Names, sentences and values, drawn from the lists of a file."""

    def __init__(self, draw: Draw, document: dict[str, Any]) -> None:
        self.draw = draw
        self._lists = {kind: separated(words) for kind, words in document["machine"].items()}

    def one(self, gap: str) -> str:
        """What a gap of a form stands for: a list, a way to write a name, or a number up to its own."""
        draw = self.draw
        if gap.isdecimal():
            return str(draw.between(1, int(gap)))
        if gap == "sentence":
            kinds = {"v": "verb", "n": "noun", "m": "noun", "a": "adjective", "w": "word"}
            values = {key: self.one(kind) for key, kind in kinds.items()}
            return self.one("doc").format(**values, V=self.one("verb").title(), c=",")
        if gap not in _NAMES:
            return draw.pick(self._lists[gap])
        parts = [self.one("verb")] if draw.chance(0.6) else []
        parts += [self.one("adjective")] if draw.chance(0.3) else []
        return _NAMES[gap]([*parts, *self.one("noun").split()])

    def value(self) -> Any:
        """A value of a setting or an argument."""
        draw = self.draw
        texts = (self.one("word"), self.one("word").title(), *map(self.one, ("unit", "kebab", "noun")))
        others = (draw.between(0, 5000), draw.between(1, 999) / 10, draw.chance(0.5), None)
        return draw.pick((*texts, *others, [self.one("word"), self.one("word")]))

    def table(self, least: int, most: int) -> dict[str, Any]:
        """Names and values."""
        return {self.one("snake"): self.value() for _ in range(self.draw.between(least, most))}


def _tool_call(words: _Words) -> str:
    draw = words.draw
    arguments: Any = words.table(1, 5)
    if draw.chance(0.5):
        arguments = json.dumps(arguments)
    call: Any = {"name": words.one(draw.pick(("snake", "camel"))), "arguments": arguments}
    if draw.chance(0.4):
        call = {"id": f"call_{draw.digits(12)}", "type": "function", "function": call}
    return json.dumps([call] if draw.chance(0.3) else call, indent=draw.pick((None, None, 2)))


def _schema(words: _Words) -> str:
    fields = {
        words.one("snake"): {"type": words.one("type"), "description": words.one("sentence")}
        for _ in range(words.draw.between(1, 6))
    }
    schema = {"type": "object", "properties": fields, "required": list(fields)[:1]}
    named = {"name": words.one("snake"), "description": words.one("sentence"), "parameters": schema}
    return json.dumps(named, indent=words.draw.pick((None, 2, 4)))


def _result(words: _Words) -> str:
    rows = [words.table(2, 5) for _ in range(words.draw.between(1, 4))]
    return json.dumps({words.draw.pick(("results", "data", "items")): rows, "status": "success"})


def _settings(words: _Words) -> str:
    draw = words.draw
    names = ("snake", "camel", "kebab")
    return "\n".join(
        f"{'  ' * draw.below(3)}{words.one(draw.pick(names))}: {json.dumps(words.value())}"
        for _ in range(draw.between(2, 8))
    )


def _written(words: _Words, forms: list[str]) -> str:
    """Code, logs or documentation by the lines of a form.

    A line ``3* text`` comes one to three times, ``? text`` half of the time.
    """
    lines: list[str] = []
    for line in words.draw.pick(forms).splitlines():
        most = _REPEATED.match(line)
        if line.startswith("? ") and words.draw.chance(0.5):
            continue
        form = line[most.end() :] if most else line.removeprefix("? ")
        for _ in range(words.draw.between(1, int(most[1])) if most else 1):
            lines.append(_GAP.sub(lambda gap: words.one(gap[1]), form))
    return "\n".join(lines).strip()


_JSON = (_tool_call, _tool_call, _schema, _schema, _result, _settings)


def turns(draw: Draw, document: Any) -> list[dict[str, Any]]:
    """One turn of machine text, or two."""
    words, forms = _Words(draw, document), [*document["forms"].values()]
    made: list[dict[str, Any]] = []
    for _ in range(draw.between(1, 2)):
        kind = draw.pick((*_JSON, *forms))
        text = _written(words, kind) if isinstance(kind, list) else kind(words)
        made.append({"speaker": "", "text": text, "spans": []})
    return made
