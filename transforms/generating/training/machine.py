"""Machine text without personal data: tool calls, schemas, code, configuration, logs and documentation."""

import json
import re
from typing import Any

from tacenda.transforms.generating.data_folder import separated
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.training import lists
from tacenda.transforms.generating.training.texts import Turn

_GAP = re.compile(r"<(\w+)>")
_REPEATED = re.compile(r"(\d)\* ")
_FIELDS = {"v": "verb", "n": "noun", "m": "noun", "a": "adjective", "w": "word"}


class _Words:
    """Names, sentences and values, drawn from the lists of a file."""

    def __init__(self, draw: Draw, document: dict[str, Any]) -> None:
        self.draw = draw
        self._lists = {kind: separated(words) for kind, words in document["machine"].items()}
        self.forms: dict[str, list[str]] = document["forms"]

    def filled(self, gap: str) -> str:
        """What a gap of a form stands for: a list, a way to write a name, or a number below its own."""
        if gap.isdecimal():
            return str(self.draw.between(1, int(gap)))
        return self.one(gap) if gap in self._lists else str(getattr(self, gap)())

    def one(self, kind: str) -> str:
        return self.draw.pick(self._lists[kind])

    def parts(self) -> list[str]:
        parts = [self.one("verb")] if self.draw.chance(0.6) else []
        parts += [self.one("adjective")] if self.draw.chance(0.3) else []
        return [*parts, *self.one("noun").split()]

    def snake(self) -> str:
        return "_".join(self.parts())

    def camel(self) -> str:
        first, *rest = self.parts()
        return first + "".join(part.title() for part in rest)

    def title(self) -> str:
        return "".join(part.title() for part in self.parts())

    def kebab(self) -> str:
        return "-".join(self.parts())

    def sentence(self) -> str:
        """A sentence of documentation."""
        values = {key: self.one(kind) for key, kind in _FIELDS.items()}
        return self.one("doc").format(**values, V=self.one("verb").title(), c=",")

    def value(self) -> Any:
        draw = self.draw
        texts = (self.one("word"), self.one("word").title(), self.one("unit"), self.kebab(), self.one("noun"))
        others = (draw.between(0, 5000), draw.between(1, 999) / 10, draw.chance(0.5), None)
        return draw.pick((*texts, *others, [self.one("word"), self.one("word")]))

    def table(self, count: int) -> dict[str, Any]:
        return {self.snake(): self.value() for _ in range(count)}


def _tool_call(words: _Words) -> str:
    draw = words.draw
    arguments: Any = words.table(draw.between(1, 5))
    if draw.chance(0.5):
        arguments = json.dumps(arguments)
    call: Any = {"name": draw.pick((words.snake, words.camel))(), "arguments": arguments}
    if draw.chance(0.4):
        call = {"id": f"call_{draw.digits(12)}", "type": "function", "function": call}
    return json.dumps([call] if draw.chance(0.3) else call, indent=draw.pick((None, None, 2)))


def _schema(words: _Words) -> str:
    draw = words.draw
    fields = {}
    for _ in range(draw.between(1, 6)):
        fields[words.snake()] = {"type": words.one("type"), "description": words.sentence()}
    schema: Any = {"type": "object", "properties": fields, "required": list(fields)[:1]}
    schema = {"name": words.snake(), "description": words.sentence(), "parameters": schema}
    return json.dumps(schema, indent=draw.pick((None, 2, 4)))


def _result(words: _Words) -> str:
    rows = [words.table(words.draw.between(2, 5)) for _ in range(words.draw.between(1, 4))]
    return json.dumps({words.draw.pick(("results", "data", "items")): rows, "status": "success"})


def _settings(words: _Words) -> str:
    lines = []
    for _ in range(words.draw.between(2, 8)):
        value = json.dumps(words.value())
        lines.append(
            f"{'  ' * words.draw.below(3)}{words.draw.pick((words.snake, words.camel, words.kebab))()}: {value}"
        )
    return "\n".join(lines)


def _written(words: _Words, name: str) -> str:
    """Code, logs or documentation by the lines of a form.

    A line ``3* text`` comes one to three times, ``? text`` half of the time.
    """
    lines: list[str] = []
    for line in words.draw.pick(words.forms[name]).splitlines():
        most = _REPEATED.match(line)
        if line.startswith("? ") and words.draw.chance(0.5):
            continue
        form = line[most.end() :] if most else line.removeprefix("? ")
        for _ in range(words.draw.between(1, int(most[1])) if most else 1):
            lines.append(_GAP.sub(lambda gap: words.filled(gap[1]), form))
    return "\n".join(lines).strip()


_JSON = (_tool_call, _tool_call, _schema, _schema, _result, _settings)


def turns(draw: Draw, lang: str, name: str) -> list[Turn]:
    """One turn of machine text, or a few."""
    del lang
    words = _Words(draw, lists.document(name))
    texts = []
    for _ in range(draw.between(1, 2)):
        at = draw.below(len(_JSON) + len(words.forms))
        texts.append(
            _JSON[at](words) if at < len(_JSON) else _written(words, [*words.forms][at - len(_JSON)])
        )
    return [{"speaker": "", "text": text, "spans": []} for text in texts]
