"""Generate conversations by index, each a pure function of the seed and the index."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.training import dialogues, lists, machine, texts

SOURCE = "synthetic"


@lru_cache(maxsize=1)
def _plan() -> tuple[tuple[str, ...], tuple[float, ...]]:
    """The template files and their cumulative probabilities: by language, then by weight within it."""
    shares: Mapping[str, float] = lists.document("mixture.yaml")["languages"]
    names = [name for name in lists.template_files() if name.split("/")[1] in shares]
    weights: dict[str, float] = {}
    for name in names:
        lang = name.split("/")[1]
        weights[lang] = weights.get(lang, 0.0) + lists.document(name)["weight"]
    total = sum(shares[lang] for lang in weights)
    bounds: list[float] = []
    reached = 0.0
    for name in names:
        lang = name.split("/")[1]
        reached += shares[lang] / total * lists.document(name)["weight"] / weights[lang]
        bounds.append(reached)
    return tuple(names), tuple(bounds)


def _file(draw: Draw) -> str:
    names, bounds = _plan()
    chance = draw.random()
    for name, bound in zip(names, bounds, strict=True):
        if chance < bound:
            return name
    return names[-1]


def conversation(seed: int, index: int) -> dict[str, Any]:
    """One conversation in the format of gold corpora, with complete spans.

    Returns:
        ``id, source, lang, context, gold, turns``; a turn has ``speaker, text, spans``, a span ``start, end,
        label``: half-open code point offsets, without overlaps or surrounding white space.
    """
    draw = Draw("synthetic", seed, index)
    name = _file(draw)
    lang = name.split("/")[1]
    document = lists.document(name)
    kind = dialogues if "fields" in document else machine if "machine" in document else texts
    turns = kind.turns(draw, lang, name)
    return {
        "id": f"{SOURCE}/{seed}/{index:08d}",
        "source": SOURCE,
        "lang": lang,
        "context": document["context"],
        "gold": "complete",
        "turns": turns,
    }


def conversations(seed: int, first: int, count: int) -> Iterator[dict[str, Any]]:
    """Conversations ``first`` to ``first + count - 1`` of a seed; see ``conversation``."""
    return (conversation(seed, index) for index in range(first, first + count))
