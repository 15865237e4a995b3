"""Scenarios load, and have enough sentences."""

import pytest

from tacenda.transforms.generating.sample.dialogue import CONTEXTS, scenario, template
from tacenda.transforms.generating.templates import Pool, Slot


@pytest.mark.parametrize("context", CONTEXTS)
def test_every_context_opens_and_closes(context):
    plan = scenario(context).plan
    assert plan[0].core
    assert plan[-1].core
    assert all(beat.least <= beat.most for beat in plan)


def test_many_distinct_templates():
    templates = {
        line.template
        for context in CONTEXTS
        for beat in scenario(context).plan
        for version in beat.scene
        for step in version
        for line in step
    }
    assert len(templates) > 400


def test_gaps_are_attributes_facts_and_pools():
    parsed = template("{C.first:spelled} {date1} {+ok}", {"ok"})
    assert parsed[::2] == (Slot("C", "first", "spelled"), Slot("", "date1", ""), Pool("ok"))


@pytest.mark.parametrize(
    "text", ["{C.shoe_size}", "{+nothing}", "{C.first:backwards}", "{nonsense}", "{a b}"]
)
def test_a_template_refuses_what_does_not_exist(text):
    with pytest.raises(ValueError, match=r"gap|pool"):
        template(text, {"ok"})
