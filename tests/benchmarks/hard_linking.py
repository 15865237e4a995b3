"""The hard set: conversations with mentions that are hard to link, with gold entities, drawn by a seed.

``hard_linking.yaml`` lists what they contain: people of one family, short names, titles, names that are spelled,
misheard, e-mail addresses made of names, organisations by their first words, words that are names.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from tacenda.transforms.text.characters import plain_letters

_SLOT = re.compile(r"\{(\w)\.(\w+)\}")
_DATA: Mapping[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
_ORGANIZATIONS = "op"


def hard_conversations(seed: int, draws: int) -> Iterator[dict[str, Any]]:
    """Gold records: each kind of conversation ``draws`` times, with others in it each time."""
    for draw in range(draws):
        for kind, template in _DATA["conversations"].items():
            pool = random.Random(f"{seed}-{draw}-{kind}")
            entities = _drawn(template, pool)
            turns = [_turn(said, entities, template.get("lower", False)) for said in template["turns"]]
            yield {
                "conversation_id": f"hard-{draw}-{kind}",
                "context": kind,
                "gold": "complete",
                "turns": turns,
            }


def _drawn(template: Mapping[str, Any], pool: random.Random) -> dict[str, dict[str, tuple[str, str]]]:
    """The forms of each entity of a conversation, as infoType and text."""
    letters = sorted({letter for said in template["turns"] for letter, _ in _SLOT.findall(said)})
    people = [letter for letter in letters if letter not in _ORGANIZATIONS]
    given = {gender: pool.sample(_DATA["people"][gender], len(people)) for gender in ("men", "women")}
    families = pool.sample(_DATA["people"]["families"], len(people))
    organizations = pool.sample(_DATA["organizations"], len(_ORGANIZATIONS))
    shared = template.get("one_family", ())
    drawn: dict[str, dict[str, tuple[str, str]]] = {}
    for i, letter in enumerate(people):
        gender = pool.choice(("men", "women"))
        gender = next((name for name in ("men", "women") if letter in template.get(name, ())), gender)
        family = families[people.index(shared[0])] if letter in shared else families[i]
        drawn[letter] = _person(given[gender][i], family)
    for letter, names in zip(_ORGANIZATIONS, organizations, strict=True):
        forms = zip(("full", "short"), names, strict=True)
        drawn[letter] = {form: ("ORGANIZATION_NAME", name) for form, name in forms}
    return drawn


def _person(given: Sequence[str], family: Sequence[str]) -> dict[str, tuple[str, str]]:
    (name, nick, heard), (last, last_heard) = given, family
    address = ".".join(re.sub(r"\W", "", plain_letters(word)) for word in (name, last)) + "@example.org"
    forms = {
        "full": f"{name} {last}",
        "given": name,
        "family": last,
        "nick": nick,
        "mr": f"Mr. {last}",
        "ms": f"Ms. {last}",
        "heard": heard,
        "family_heard": last_heard,
        "given_spelled": "-".join(name.upper()),
        "family_spelled": "-".join(re.sub(r"\W", "", last).upper()),
    }
    return {
        **{form: ("PERSON_NAME", text) for form, text in forms.items()},
        "email": ("EMAIL_ADDRESS", address),
    }


def _turn(said: str, entities: Mapping[str, Mapping[str, tuple[str, str]]], lower: bool) -> dict[str, Any]:
    speaker, _, template = said.partition(": ")
    text, spans, last = "", [], 0
    for slot in _SLOT.finditer(template):
        text += template[last : slot.start()]
        label, value = entities[slot[1]][slot[2]]
        # An address is a thing of its own beside the person whose name it is made of.
        entity = f"{slot[1]}-{label}" if label == "EMAIL_ADDRESS" else slot[1]
        spans.append({"start": len(text), "end": len(text) + len(value), "label": label, "entity": entity})
        text += value
        last = slot.end()
    text += template[last:]
    return {"speaker": speaker, "text": text.lower() if lower else text, "spans": spans}
