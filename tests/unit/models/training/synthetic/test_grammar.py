"""Templates: their grammar, and that every shipped one can be filled in."""

import pytest

from tacenda.models.training.synthetic import grammar, resources
from tacenda.models.training.synthetic.slots import SLOTS, Setting
from tacenda.transforms.generating.draw import Draw


def rendered(template, seed=1, lang="en"):
    out = []
    grammar.render(grammar.compiled(template), Setting(Draw("test", seed), lang), out)
    return out


def templates(node):
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for value in node.values():
            yield from templates(value)
    elif isinstance(node, list):
        for value in node:
            yield from templates(value)


def test_choices_may_stand_inside_one_another():
    seen = {"".join(piece for piece, _ in rendered("<a|b <c|>>!", seed)) for seed in range(40)}
    assert seen == {"a!", "b c!", "b !"}


def test_a_key_names_the_same_value_again():
    first, _, second, _, other = rendered("{city.x} {city.x} {city}")
    assert first == second != other
    person = rendered("{first.a} {last.a} {last.a}")
    assert person[2] == person[4]


def test_labelled_word():
    assert rendered("a {lawyer=PROFESSION}.") == [("a ", ""), ("lawyer", "PROFESSION"), (".", "")]


def test_articles_stand_outside():
    found = {rendered("{country}", seed) and tuple(rendered("{country}", seed)) for seed in range(300)}
    assert (("the ", ""), ("United States", "LOCATION")) in found
    assert not any(piece.startswith("the ") and label for pieces in found for piece, label in pieces)


def test_a_choice_that_is_not_closed_is_an_error():
    with pytest.raises(ValueError, match="not closed"):
        grammar.compiled("say <a|b")


@pytest.mark.parametrize("name", resources.template_files())
def test_every_template_can_be_filled_in(name):
    lang = name.split("/")[1]
    document = resources.document(name)
    skipped = ("joints", "turns", "context", "noise")
    for template in templates({key: pool for key, pool in document.items() if key not in skipped}):
        for seed in range(3):
            text = "".join(piece for piece, _ in rendered(template, seed, lang))
            assert not set("{}") & set(text), template


def test_there_are_many_templates():
    assert (
        sum(len(list(templates(dict(resources.document(name))))) for name in resources.template_files())
        > 2000
    )


def test_every_slot_is_used():
    used = set()
    for name in resources.template_files():
        for template in templates(dict(resources.document(name))):
            used |= {part.split("}")[0].split(".")[0] for part in template.split("{")[1:]}
    assert set(SLOTS) - used <= {"um"}
