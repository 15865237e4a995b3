"""Decide the role of a cluster with mentions of different types, by rules 0 to 4 of PSILENCE in order.

After Cabrera-Diego and Gheewala, "PSILENCE", CALD-pseudo 2024, module 4. By rules 1 to 3, one wrong mention
or link can make a witness readable; ``conservative`` makes them stricter. Cases that the paper leaves open
are decided in favour of the person: exactly 30 % is not more than 30 %, and a tie between types counts for
none of them.
"""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from tacenda.transforms.storage.process_cache import built_once
from tacenda.transforms.storage.yaml_text import parse_yaml

PERSON, PARTY, WITNESS = "PERSON", "PARTY", "WITNESS"


class Decision(NamedTuple):
    """The role of a cluster, the rule that decided it (0 to 4), and whether its mentions are replaced."""

    role: str
    rule: int
    is_replaced: bool


def reconcile(mentions: Mapping[str, int], conservative: bool = False, is_sure: bool = True) -> Decision:
    """Decide on a cluster by the counts of its mention types.

    Args:
        mentions: counts by mention type (``roles.yaml``), with at least one mention.
        conservative: a minority of mentions, or an uncertain link, makes nobody readable.
        is_sure: whether every mention is certain to belong to its cluster and was found as at least likely.

    >>> reconcile({"PERSON": 3, "PARTY": 1})
    Decision(role='PARTY', rule=1, is_replaced=False)
    >>> reconcile({"PERSON": 3, "PARTY": 1}, conservative=True)
    Decision(role='WITNESS', rule=4, is_replaced=True)
    """
    rules = roles()
    total = sum(mentions.values())
    (most, count), *others = sorted(mentions.items(), key=lambda item: (-item[1], item[0]))
    is_most = not others or others[0][1] < count
    may_stay = not conservative or is_sure
    if not others:
        if most == PERSON:
            return Decision(WITNESS, 0, True)
        return Decision(most, 0, False) if may_stay else Decision(WITNESS, 0, True)
    if mentions.get(PARTY) and may_stay and (not conservative or 2 * mentions[PARTY] > total):
        return Decision(PARTY, 1, False)
    if not conservative:
        not_people = sum(mentions.get(name, 0) for name in rules["not_people"])
        if not_people > rules["largest_share"] * total:
            return Decision(max(rules["not_people"], key=lambda name: mentions.get(name, 0)), 2, False)
    if is_most and most in rules["public_roles"] and may_stay and (not conservative or 2 * count > total):
        return Decision(most, 3, False)
    return Decision(WITNESS, 4, True)


@built_once
def roles() -> Mapping[str, Any]:
    """The rules of ``roles.yaml``."""
    text = files("tacenda.transforms.linking.psilence").joinpath("roles.yaml").read_text(encoding="utf-8")
    rules: Mapping[str, Any] = parse_yaml(text)
    return rules
