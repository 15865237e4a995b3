"""Everything that can be found can be scored."""

import pytest

from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.scoring.score_table import ScoreTable, Unscored


@pytest.mark.parametrize("preset", ["appendix", "worked_example", "cautious"])
def test_every_info_type_has_a_score_or_is_unscored_by_decision(preset):
    table = ScoreTable.load(preset)
    for name in catalogue():
        meaning = table.resolve(name)
        assert isinstance(meaning, Unscored) or 0 <= table.weigh(meaning).score <= 5, name
