from typing import Any

from tacenda.transforms.releasing.weakening import (
    grounds_of_decisions,
    grounds_of_entities,
    grounds_of_hiding,
    grounds_of_languages,
    grounds_of_replacement,
    grounds_of_scores,
)
from tacenda.transforms.scoring.score_table import ScoreTable

NOTHING: dict[str, Any] = {"policies": [], "keep": {}, "lists": [], "eponyms": False}


def test_what_is_replaced_so_that_it_still_tells_something_is_reported() -> None:
    told = {
        "policies": [
            {"info_types": ["URL"], "what": "tokens"},
            {"info_types": ["AGE"], "what": "removed", "readable": None, "pseudonymised": False},
            {
                "info_types": ["PHONE", "FAX"],
                "what": "masked",
                "readable": "all but 4",
                "pseudonymised": False,
            },
            {"info_types": [], "what": "a keyed hash", "readable": "it links", "pseudonymised": True},
        ],
        "keep": {"DATE": "the season matters"},
        "lists": [{"file": "a.yaml", "protect": 2, "suppress": 0}],
        "eponyms": True,
    }
    readable = {"keep/DATE": 1200, "keep/AGE": 3, "protect/AGE": 2, "protect/DATE": 5, "eponym/LOCATION": 4}
    grounds = list(grounds_of_replacement(told, readable))
    assert [ground.what for ground in grounds] == [
        "PHONE, FAX: masked; all but 4",
        "all other infoTypes: pseudonymised, not anonymised: a keyed hash; it links",
        "DATE is kept: 1,200 findings stay readable (the season matters)",
        "lists of words and places that stay: 7 findings are readable and not scored",
        "names in medical terms stay (replacement.eponyms): 4 findings are readable and not scored",
    ]
    assert all(ground.weakens for ground in grounds)


def test_a_fixed_value_that_says_what_it_replaces_is_reported() -> None:
    readable = {"unhidden/PERSON_NAME": 1200, "unhidden/LOCATION": 1}
    (ground,) = grounds_of_replacement(NOTHING, readable)
    assert ground.what == (
        "a fixed value says what it replaces, or a part of that: 1,201 findings (LOCATION, PERSON_NAME)"
    )
    assert ground.weakens


def test_tokens_do_not_weaken_the_verdict() -> None:
    assert list(grounds_of_replacement(NOTHING, {})) == []


def test_invented_values_are_reported_and_weaken_nothing() -> None:
    grounds = list(grounds_of_replacement({**NOTHING, "drawn": ["surrogates"]}, {}))
    assert [(ground.what[:44], ground.weakens) for ground in grounds] == [
        ("values in the corpus are invented (surrogate", False)
    ]


def test_only_certain_names_among_surrogates_weaken_the_verdict():
    counted = {"conversations": 33, "name_shown": 1, "name_suspected": 30}
    shown, suspected = grounds_of_hiding(counted)
    assert shown.weakens
    assert "in 1 of 33 conversations" in shown.what
    assert not suspected.weakens
    assert list(grounds_of_hiding({"conversations": 33, "name_shown": 0, "name_suspected": 0})) == []
    assert list(grounds_of_hiding({})) == []


def test_text_in_a_language_that_is_only_claimed_needs_a_reason():
    (ground,) = grounds_of_languages(["de", "fr"], {"turns/de": 1200, "conversations/de": 3, "turns/en": 9})
    assert ground.what.startswith("German (1,200 turns) counts as covered by a model by a claim alone")
    assert ground.weakens


def test_other_thresholds_than_those_of_the_model_are_reported():
    (ground,) = grounds_of_decisions(["one", "two"])
    assert "for one, two: nothing was measured with them" in ground.what
    assert not ground.weakens
    assert list(grounds_of_decisions([])) == []


def test_labels_of_the_config_are_reported():
    labels = {"TICKET": "GENERIC_ID", "US_TOLLFREE_PHONE_NUMBER": "GENERIC_ID"}
    table = ScoreTable.load("appendix", {}, labels)
    # A telephone number scores the same so, but is a direct identifier no more.
    assert {ground.what: ground.weakens for ground in grounds_of_scores(table, False)} == {
        "TICKET scores as GENERIC_ID, as the config says": False,
        "US_TOLLFREE_PHONE_NUMBER scores as GENERIC_ID": True,
    }


def test_public_knowledge_that_stays_is_reported() -> None:
    readable = {"public_knowledge/LOCATION": 1200, "public_role/JUDGE": 3}
    (ground,) = grounds_of_entities({"public_knowledge": True}, readable)
    assert ground.what == (
        "public knowledge stays (look_for.presets: assistant): 1,200 findings are readable and not scored"
    )
