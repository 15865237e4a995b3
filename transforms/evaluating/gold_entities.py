"""Group the gold spans of one conversation into entities, as far as the gold allows."""

import re
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from tacenda.transforms.evaluating.gold_labels import GoldLabels
from tacenda.transforms.linking.inflected import possible_stems
from tacenda.transforms.linking.normalising import normalised_value
from tacenda.transforms.schema.conversation import AnnotatedSpan

_WORD = re.compile(r"\w+")


class GoldEntities(NamedTuple):
    """One entry for each cell and span: its entity number, from 0, and whether it is certain.

    The annotator's ``entity`` is certain. Without one, spans of one class with equal normalised values are
    one entity. That leaves open whether Ann is Ann Lee, and Virtasen is Virtanen: a value whose words all occur
    in another value of the class, or may be inflected forms of words there, is uncertain.
    """

    numbers: list[list[int]]
    certain: list[list[bool]]


def gold_entities(
    texts: Sequence[str], spans: Sequence[Sequence[AnnotatedSpan]], labels: GoldLabels
) -> GoldEntities:
    """Cluster the gold spans of one conversation; ``texts`` and ``spans`` have one entry per cell."""
    known: dict[tuple[str, str], int] = {}
    numbers = [
        [known.setdefault(_key(text[span.start : span.end], span, labels), len(known)) for span in cell]
        for text, cell in zip(texts, spans, strict=True)
    ]
    doubtful = _doubtful(known)
    return GoldEntities(numbers, [[number not in doubtful for number in cell] for cell in numbers])


def _key(text: str, span: AnnotatedSpan, labels: GoldLabels) -> tuple[str, str]:
    if span.entity is not None:
        return "", span.entity
    return labels.class_of(span.label), normalised_value(span.label, text)


def _doubtful(known: dict[tuple[str, str], int]) -> set[int]:
    """The entities whose words all occur in another one of their class, or may be forms of words there."""
    of_word: dict[tuple[str, str], set[int]] = {}
    words: dict[int, list[list[tuple[str, str]]]] = {
        number: [
            [(name, form) for form in (word, *possible_stems(word))] for word in set(_WORD.findall(value))
        ]
        for (name, value), number in known.items()
        if name
    }
    for number, own in words.items():
        for form in chain.from_iterable(own):
            of_word.setdefault(form, set()).add(number)
    found = set()
    for number, own in words.items():
        # Rarest word first: the search stays short if many values share a word.
        holders = sorted((set[int]().union(*(of_word[form] for form in forms)) for forms in own), key=len)
        if holders and any(all(other in rest for rest in holders[1:]) for other in holders[0] - {number}):
            found.add(number)
    return found
