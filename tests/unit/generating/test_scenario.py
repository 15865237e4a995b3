"""Scenarios load, and have enough to say."""

import pytest

from tacenda.transforms.generating.pieces import Piece
from tacenda.transforms.generating.scenario import CONTEXTS, scenario
from tacenda.transforms.generating.templates import Choice, parse


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


def test_parse_reads_every_kind_of_gap():
    template = parse("<Hi|Hello> {C.first:spelled}, on {date1}. {+ok}", {"ok"})
    assert isinstance(template[0], Choice)
    assert template[2] == ("C", "first", "", "spelled")
    assert template[4] == ("", "date", "date1", "")
    assert template[5] == Piece(". ")
    assert template[6] == ("ok",)


@pytest.mark.parametrize(
    "text", ["{C.shoe_size}", "{+nothing}", "{C.first:backwards}", "{nonsense}", "{a b}"]
)
def test_parse_refuses_what_does_not_exist(text):
    with pytest.raises(ValueError, match=r"gap|pool"):
        parse(text, {"ok"})
