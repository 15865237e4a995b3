"""Numbers in arguments of calls stay numbers, as a token is none.

Where the value of a mention is no number, its entity is given a stand-in: digits that say nothing but which
entity it is (``10000002`` for the second). They take the place of all its mentions that are written alike, so
that what is said and what is called agree. Nothing of a stand-in is drawn from the original but its form.
"""

import re
from collections.abc import Iterable

from tacenda.transforms.linking.linked import LinkedConversation
from tacenda.transforms.replacing.replacement import Values, changed_values, replace_text

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_SIGN = re.compile(r"[\W_]+")
_TRIES = 50


def with_numbers(conversation: LinkedConversation, values: Values, numbers: Iterable[int]) -> Values:
    """Values that make numbers of cells that are numbers.

    Args:
        conversation: what is replaced.
        values: the values that its replacer chose.
        numbers: the indexes of these cells.
    """
    stand_ins: dict[tuple[int, str], str] = {}
    owners: dict[str, int] = {}
    originals = {text[start:end] for text, _, _, start, end in conversation.mentions()}
    for cell in numbers:
        text, found, entities = (
            conversation.texts[cell],
            conversation.findings[cell],
            conversation.entities[cell],
        )
        if not found or _NUMBER.fullmatch(replace_text(text, found, values.findings[cell])):
            continue
        said = [(text[one.start : one.end], entity) for one, entity in zip(found, entities, strict=True)]
        for step in range(_TRIES):
            tried = [_stand_in(one, entity + step) for one, entity in said]
            is_free = all(
                owners.get(value, entity) == entity for value, (_, entity) in zip(tried, said, strict=True)
            )
            is_new = is_free and originals.isdisjoint(tried)
            if is_new and _NUMBER.fullmatch(replace_text(text, found, tried)):
                owners.update(zip(tried, entities, strict=True))
                stand_ins.update(
                    ((entity, _plain(one)), value) for value, (one, entity) in zip(tried, said, strict=True)
                )
                break
    if not stand_ins:
        return values

    def placed(entity: int, _info_type: str, text: str, value: str) -> str:
        return stand_ins.get((entity, _plain(text)), value)

    return changed_values(conversation, values, placed)._replace(labels=values.labels)


def _plain(text: str) -> str:
    return _SIGN.sub("", text)


def _stand_in(said: str, number: int) -> str:
    """What stands for a mention: a number, in the digits of the mention's form."""
    digits = sum(map(str.isdigit, said))
    counted = f"{number:0{digits}d}"[-digits:] if digits else ""
    of_form = iter(counted if counted[:1] != "0" or digits < 2 else f"1{counted[1:]}")
    return "".join(next(of_form) if c.isdigit() else c for c in said)
