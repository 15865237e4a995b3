"""What the whole job is measured on: dense calls, dense chat, mail, and chats with an assistant about code.

All of it is invented by the package's own generators, the same on every machine.
"""

from collections.abc import Callable, Iterator
from typing import Any

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.sample.dialogue import conversation
from tacenda.transforms.generating.training.corpus import turns as turns_of

Turns = list[dict[str, Any]]

_CODE = """
import logging
from pathlib import Path

class {Name}Reader(BaseReader):
    \"\"\"Reads {name} records, {n} at a time.\"\"\"

    def __init__(self, path: str, limit: int = {n}) -> None:
        self._path = Path(path)
        self._limit = limit

    def read(self) -> list[dict[str, str]]:
        for line in self._path.open(encoding="utf-8"):
            if line.startswith("#") or len(line) > self._limit:
                continue
            key, _, value = line.partition("=")
            self.{name}[key.strip()] = value.strip() or None
        return sorted(self.{name}.items(), key=lambda item: item[1])
---
$ docker run --rm -p {n}:8080 -v $PWD/{name}:/data {name}/server:1.{n}.3
$ curl -s -X POST http://localhost:{n}/api/v2/{name} -H 'Content-Type: application/json' | jq '.items[0].id'
{{"status": "ok", "items": [{{"id": {n}, "kind": "{name}", "tags": ["a", "b"]}}], "next": null}}
---
SELECT {name}_id, COUNT(*) AS total, MAX(created_at) FROM {name} JOIN orders USING ({name}_id)
WHERE status IN ('open', 'late') AND total > {n} GROUP BY {name}_id HAVING COUNT(*) > 1 ORDER BY total DESC LIMIT {n};
---
Traceback (most recent call last):
  File "/srv/app/{name}/main.py", line {n}, in <module>
    main(sys.argv[1:])
  File "/srv/app/{name}/load.py", line 4{n}, in load
    return {{row["{name}"]: int(row["total"]) for row in rows}}
KeyError: '{name}'
---
export async function fetch{Name}(id: string): Promise<{Name}[]> {{
  const response = await fetch(`/api/{name}/${{id}}?limit={n}`, {{ headers: {{ Accept: "application/json" }} }});
  if (!response.ok) throw new Error(`{name} ${{id}}: ${{response.status}}`);
  return (await response.json()).items.map((item: {Name}) => ({{ ...item, seen: true }}));
}}
""".strip().split("\n---\n")
_NAMES = ("invoice", "ticket", "order", "lesson", "sensor", "recipe", "parcel", "booking")
_PROSE = ("coursework", "wiki", "plain", "everyday", "fiction")
_MAIL = ("letters", "letters", "letters", "businesses", "bookings", "notes")
_ASKED = (
    "Can you explain what this does?",
    "Why does this fail?",
    "Rewrite this so that it is easier to test.",
    "How would I add a timeout here?",
)


def _calls(draw: Draw) -> Turns:
    return conversation(draw.below(1 << 30), draw.below(5))["turns"]


def _chat(draw: Draw) -> Turns:
    if draw.chance(0.2):
        return turns_of(draw, "templates/en/chat.yaml")
    return turns_of(draw, "templates/en/support.yaml")


def _mail(draw: Draw) -> Turns:
    return [{"speaker": who, "text": _text(draw, _MAIL, 2)} for who in ("from", "to")[: draw.between(1, 2)]]


def _assistant(draw: Draw) -> Turns:
    turns: Turns = []
    for _ in range(draw.between(1, 3)):
        asked = draw.pick(_ASKED) if draw.chance(0.7) else _text(draw, _PROSE, 1)
        turns.append({"speaker": "user", "text": f"{asked}\n\n{_code(draw)}"})
        told = f"{_text(draw, _PROSE, 3)}\n\n```\n{_code(draw)}\n```\n\n{_text(draw, _PROSE, 2)}"
        turns.append({"speaker": "assistant", "text": told})
    return turns


def _text(draw: Draw, kinds: tuple[str, ...], most: int) -> str:
    several = (turns_of(draw, f"templates/en/{draw.pick(kinds)}.yaml") for _ in range(draw.between(1, most)))
    return "\n\n".join(turn["text"] for turns in several for turn in turns)


def _code(draw: Draw) -> str:
    name = draw.pick(_NAMES)
    return draw.pick(_CODE).format(name=name, Name=name.title(), n=draw.between(10, 99))


INPUTS: dict[str, Callable[[Draw], Turns]] = {
    "dense calls": _calls,
    "dense chat": _chat,
    "mail": _mail,
    "assistant chats": _assistant,
}


def conversations(kind: str, seed: int, size: int) -> Iterator[dict[str, Any]]:
    """Conversations of a kind with ``size`` bytes of text in all, or a little more."""
    index = 0
    while size > 0:
        turns = INPUTS[kind](Draw(kind, seed, index))
        said = [{"speaker": turn["speaker"], "text": turn["text"]} for turn in turns]
        yield {"conversation_id": f"{kind.replace(' ', '-')}-{index}", "turns": said}
        size -= sum(len(turn["text"].encode()) for turn in said)
        index += 1
