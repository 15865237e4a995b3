import pytest

from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.rules.evidence import evidence
from tacenda.transforms.detecting.settings import (
    CustomInfoType,
    Hotword,
    InspectSettings,
    Regex,
    WordDictionary,
)
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn


def explained(settings, *texts):
    """The evidence of a conversation's only finding."""
    column = TextColumn(texts, [0, len(texts)])
    cells = RulesDetector(settings).find(column)
    [(cell, finding)] = [(i, finding) for i, cell in enumerate(cells) for finding in cell]
    return evidence(column, cell, finding, settings)


def test_a_built_in_pattern_is_reported_by_its_number():
    matches, hotwords = explained(InspectSettings(("EMAIL_ADDRESS",)), "write to ann@example.com")
    assert matches
    assert all(
        match.startswith("pattern ") and match.split(", ")[1] in Likelihood.__members__ for match in matches
    )
    assert hotwords == ()


@pytest.mark.parametrize("texts", [("my ssn is 078-05-1120",), ("what is your ssn", "078-05-1120")])
def test_hotwords_are_reported_as_they_are_written_in_whatever_turn(texts):
    _, hotwords = explained(InspectSettings(("US_SOCIAL_SECURITY_NUMBER",)), *texts)
    assert "ssn" in [word.lower() for word in hotwords]


def custom(source, **more):
    return InspectSettings((), custom=(CustomInfoType("BADGE", Likelihood.LIKELY, source, **more),))


def test_the_users_own_patterns_and_lists_are_reported():
    near = Hotword("badge", window_before=20, relative=1)
    matches, hotwords = explained(custom(Regex("B-[0-9]+", (0,)), hotwords=(near,)), "badge é B-77")
    assert matches == ("pattern of the config, LIKELY",)
    assert hotwords == ("badge",)
    matches, hotwords = explained(custom(WordDictionary(words=("quokka",))), "the Quokka went")
    assert (matches, hotwords) == (("'Quokka' in a word list of the config, LIKELY",), ())
