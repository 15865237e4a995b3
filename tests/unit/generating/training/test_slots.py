"""Values of slots, and that every shipped template can be filled in."""

import pytest

from tacenda.transforms.generating.draw import Draw
from tacenda.transforms.generating.training import lists
from tacenda.transforms.generating.training.slots import SLOTS, Setting


def rendered(template, seed=1, lang="en"):
    return [(piece.text, piece.label) for piece in Setting(Draw("test", seed), lang).filled(template)]


def templates(node):
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for value in node.values():
            yield from templates(value)
    elif isinstance(node, list):
        for value in node:
            yield from templates(value)


def test_a_slot_gives_its_owner_the_same_value_again():
    first, _, second, _, other = rendered("{x.city} {x.city} {city}")
    assert first == second != other
    person = rendered("{a.first} {a.last} {a.last}")
    assert person[2] == person[4]


def test_articles_are_not_part_of_a_finding():
    found = {rendered("{country}", seed) and tuple(rendered("{country}", seed)) for seed in range(300)}
    assert (("the ", ""), ("United States", "LOCATION")) in found
    assert not any(piece.startswith("the ") and label for pieces in found for piece, label in pieces)


@pytest.mark.parametrize("template", ["{nobody}", "{a.person:spelled}", "{+pool}"])
def test_an_unknown_slot_is_an_error(template):
    with pytest.raises(ValueError, match="unknown gap"):
        rendered(template)


@pytest.mark.parametrize("name", lists.template_files())
def test_every_template_can_be_filled_in(name):
    lang = name.split("/")[1]
    document = lists.document(name)
    skipped = ("joints", "turns", "context", "noise", "machine")
    for template in templates({key: pool for key, pool in document.items() if key not in skipped}):
        for seed in range(3):
            text = "".join(piece for piece, _ in rendered(template, seed, lang))
            assert not set("{}") & set(text), template


def test_there_are_many_templates():
    assert sum(len(list(templates(dict(lists.document(name))))) for name in lists.template_files()) > 2000


def test_every_slot_is_used():
    used = set()
    for name in lists.template_files():
        for template in templates(dict(lists.document(name))):
            used |= {part.split("}")[0].split(".")[-1] for part in template.split("{")[1:]}
    assert set(SLOTS) - used <= {"um"}
