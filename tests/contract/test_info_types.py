"""Everything that can be found can be scored."""

import pytest

from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types, ranks
from tacenda.transforms.schema.token import TOKEN, token
from tacenda.transforms.scoring.score_table import ScoreTable, Unscored


@pytest.mark.parametrize("preset", ["appendix", "worked_example", "cautious"])
def test_every_info_type_has_a_score_or_is_unscored_by_decision(preset):
    table = ScoreTable.load(preset)
    for name in catalogue():
        meaning = table.resolve(name)
        assert isinstance(meaning, Unscored) or 0 <= table.score(meaning) <= 5, name


def test_every_info_type_makes_a_token_that_is_known_again():
    for name in catalogue():
        match = TOKEN.fullmatch(token(name, 12))
        assert match is not None, name
        assert match.groups() == (name, "12")


def test_defaults_and_ranks_are_of_the_catalogue():
    assert set(default_info_types()) <= set(catalogue())
    assert set(ranks()) == set(catalogue())
