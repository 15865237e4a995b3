"""Machine text without personal data: tool calls, schemas, code, configuration, logs and documentation."""

import json
from collections.abc import Callable
from typing import Any

from tacenda.transforms.generating.data_folder import separated
from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.training import lists
from tacenda.transforms.generating.training.turns import Turn

_FIELDS = {"v": "verb", "n": "noun", "m": "noun", "a": "adjective", "w": "word"}


class _Words:
    """Names, sentences and values, drawn from the lists of a file."""

    def __init__(self, draw: Draw, given: dict[str, str]) -> None:
        self.draw = draw
        self._lists = {kind: separated(words) for kind, words in given.items()}

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

    def said(self) -> str:
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
        fields[words.snake()] = {"type": words.one("type"), "description": words.said()}
    schema: Any = {"type": "object", "properties": fields, "required": list(fields)[:1]}
    schema = {"name": words.snake(), "description": words.said(), "parameters": schema}
    return json.dumps(schema, indent=draw.pick((None, 2, 4)))


def _result(words: _Words) -> str:
    rows = [words.table(words.draw.between(2, 5)) for _ in range(words.draw.between(1, 4))]
    return json.dumps({words.draw.pick(("results", "data", "items")): rows, "status": "success"})


def _python(words: _Words) -> str:
    draw = words.draw
    name, one, two = words.snake(), words.one("noun").replace(" ", "_"), words.one("adjective")
    lines = [f"import {words.one('library')}" for _ in range(draw.between(0, 3))]
    lines += ["", f"def {name}({one}, {two}={draw.between(0, 99)}):", f'    """{words.said()}"""']
    lines += [f"    {words.snake()} = {words.camel()}({one})" for _ in range(draw.between(0, 3))]
    lines += (
        [f"    if {one} is None:", f'        raise ValueError("{words.said()}")'] if draw.chance(0.5) else []
    )
    lines += [f"    # {words.said()}"] if draw.chance(0.5) else []
    return "\n".join([*lines, f"    return {words.snake()}"]).strip()


def _braces(words: _Words) -> str:
    """Java, C++ or JavaScript."""
    draw = words.draw
    lines = [f"// {words.said()}"]
    if draw.chance(0.5):
        lines += [
            f"public class {words.title()} {{",
            f"  private final {words.one('ctype')} {words.camel()};",
        ]
        lines += [
            f"  public {words.one('ctype')} {words.camel()}({words.one('ctype')} {words.one('word')}) {{"
        ]
        return "\n".join([*lines, f"    return this.{words.camel()}({draw.between(0, 99)});", "  }", "}"])
    lines += [f"const {words.camel()} = async ({words.one('word')}, {words.camel()}) => {{"]
    lines += [f"  const {words.camel()} = await {words.one('word')}.{words.camel()}('{words.kebab()}');"]
    return "\n".join([*lines, f"  return {words.camel()}.map(x => x.{words.one('word')});", "};"])


def _query(words: _Words) -> str:
    draw = words.draw
    table, other = words.one("noun").replace(" ", "_") + "s", words.one("noun").replace(" ", "_") + "s"
    text = f"SELECT {table[0]}.{words.snake()}, COUNT(*) AS {words.snake()} FROM {table} {table[0]}"  # noqa: S608
    if draw.chance(0.5):
        text += f" JOIN {other} ON {other}.id = {table[0]}.{words.snake()}_id"
    text += f" WHERE {words.snake()} > {draw.between(0, 500)} GROUP BY {words.snake()}"
    return text.lower() if draw.chance(0.3) else text + ";"


def _shell(words: _Words) -> str:
    name = words.kebab()
    return words.draw.pick(
        (
            f"kubectl get pods -n {words.one('word')} -o wide | grep {name}",
            f"docker run --rm -it -p {words.draw.digits(4)}:80 {words.one('word')}/{name}:latest",
            f"git checkout -b {words.one('verb')}/{name} && git push --set-upstream origin {name}",
            f"find . -name '*.{words.one('word')}' -mtime +{words.draw.digits(1)} | xargs rm -f",
            f"- {words.said()}:\n\n`{words.one('word')} --{name} {{{{path/to/{words.one('noun')}}}}}`",
            f"export {words.snake().upper()}={name}; ./{words.one('verb')}.sh --{words.one('adjective')}",
            f"pip install {words.one('word')}=={words.draw.digits(1)}.{words.draw.digits(2)}",
        )
    )


def _settings(words: _Words) -> str:
    lines = []
    for _ in range(words.draw.between(2, 8)):
        value = json.dumps(words.value())
        lines.append(
            f"{'  ' * words.draw.below(3)}{words.draw.pick((words.snake, words.camel, words.kebab))()}: {value}"
        )
    return "\n".join(lines)


def _log(words: _Words) -> str:
    draw = words.draw
    lines = []
    for _ in range(draw.between(1, 6)):
        text = (
            f"{words.one('said')} {draw.pick((words.kebab(), str(draw.between(1, 9000)), words.one('word')))}"
        )
        head = draw.pick((f"[{words.one('level')}] ", f"{words.one('level')} ", f"{words.one('level')}: "))
        head += draw.pick((f"{words.one('logger')}: ", f"[{words.one('logger')}] ", ""))
        tail = draw.pick(("", f" {words.snake()}={draw.between(0, 999)}", f" ({draw.between(1, 900)} ms)"))
        lines.append(f"{head}{text}{tail}")
    return "\n".join(lines)


def _documentation(words: _Words) -> str:
    draw = words.draw
    lines = [f"{'#' * draw.between(1, 3)} {' '.join(words.parts()).title()}", ""] if draw.chance(0.6) else []
    for _ in range(draw.between(1, 4)):
        lines.append(draw.pick(("", "", "- ", "* ", "1. ")) + words.said())
    lines += ["", f"| {words.title()} | {words.one('type')} | {words.said()} |"] if draw.chance(0.3) else []
    return "\n".join(lines)


def _trace(words: _Words) -> str:
    lines = ["Traceback (most recent call last):"]
    for _ in range(words.draw.between(1, 4)):
        lines.append(
            f'  File "/app/{words.one("word")}/{words.snake()}.py", line {words.draw.between(1, 900)}, '
            f"in {words.snake()}"
        )
        lines.append(f"    {words.snake()}({words.camel()})")
    return "\n".join([*lines, f"{words.title()}Error: {words.one('said')}"])


_KINDS: tuple[Callable[[_Words], str], ...] = (
    _tool_call, _tool_call, _schema, _schema, _result, _python, _braces, _query, _shell, _settings, _log, _log,
    _documentation, _documentation, _trace,
)  # fmt: skip


def turns(draw: Draw, lang: str, name: str) -> list[Turn]:
    """One turn of machine text, or a few."""
    del lang
    words = _Words(draw, lists.document(name)["machine"])
    return [{"speaker": "", "text": draw.pick(_KINDS)(words), "spans": []} for _ in range(draw.between(1, 2))]
