"""Corpus: sample conversations with gold spans, each a pure function of seed and index."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.pieces import assemble
from tacenda.transforms.generating.sample import inventory
from tacenda.transforms.generating.sample.dialogue import CONTEXTS, Dialogue, scenario
from tacenda.transforms.generating.sample.verbalize import without_doubled_stops


def conversation(seed: int, index: int) -> dict[str, Any]:
    """One conversation in the shape ``{conversation_id, context, gold, turns: [{speaker, text, spans}]}``.

    Spans are half-open ranges of code points with an infoType as ``label``; those of an entity with several
    mentions have the same ``entity``. The five contexts alternate by index. Equal arguments give equal
    conversations on every machine, so a corpus can be generated in any number of shards.
    """
    context = CONTEXTS[index % len(CONTEXTS)]
    dialogue = Dialogue(scenario(context), Draw("conversation", seed, index))
    turns: list[dict[str, Any]] = []
    mentions: list[tuple[dict[str, Any], str]] = []
    for speaker, pieces in dialogue.play():
        text, spans = assemble(without_doubled_stops(pieces))
        written = []
        for start, end, label, identity in spans:
            span = {"start": start, "end": end, "label": label}
            written.append(span)
            mentions.append((span, identity))
        turns.append({"speaker": speaker, "text": text, "spans": written})
    _number_entities(mentions)
    name = f"sample-{seed}-{index:07d}"
    return {"conversation_id": name, "context": context, "gold": "complete", "turns": turns}


def _number_entities(mentions: list[tuple[dict[str, Any], str]]) -> None:
    counts = Counter(identity for _, identity in mentions)
    numbers: dict[str, str] = {}
    for span, identity in mentions:
        if counts[identity] > 1:
            span["entity"] = numbers.setdefault(identity, f"e{len(numbers) + 1}")


def conversations(seed: int, start: int, stop: int) -> Iterator[dict[str, Any]]:
    """Conversations ``start … stop - 1``, in order; independent of how a range is divided."""
    for index in range(start, stop):
        yield conversation(seed, index)


def _share(seed: int, kind: str, coverage: float, names: Iterable[str]) -> list[str]:
    """The names in the database; whether a name is included does not depend on the others."""
    if not 0 <= coverage <= 1:
        raise ValueError(f"coverage must lie between 0 and 1, not {coverage}")
    return [name for name in sorted(set(names)) if Draw(kind, seed, name).chance(coverage)]


def person_dictionary(seed: int, coverage: float = 0.9) -> list[str]:
    """Given and family names, sorted: a share of all that the generator can produce.

    Raises:
        ValueError: ``coverage`` is not within 0 … 1.
    """
    names = (name for origin in inventory.origins() for name in (*origin.firsts, *origin.lasts))
    return _share(seed, "person", coverage, names)


def organization_dictionary(seed: int, coverage: float = 0.9) -> list[str]:
    """Names of organisations, sorted: a share of all that the generator can produce.

    Raises:
        ValueError: ``coverage`` is not within 0 … 1.
    """
    words = inventory.organization_words
    lasts = sorted({last for origin in inventory.origins() for last in origin.lasts})
    names = [
        *words("stems"),
        *words("standing"),
        *words("known"),
        *words("banks"),
        *words("shops"),
        *(f"{stem} {form}" for stem in words("stems") for form in words("forms")),
        *(f"{last} {form}" for last in lasts for form in words("family_forms")),
    ]
    return _share(seed, "organization", coverage, names)


def common_words() -> list[str]:
    """Everyday words that are names in the dictionaries; for the config to exclude."""
    return list(inventory.DATA.document("common_words.yaml")["words"])
