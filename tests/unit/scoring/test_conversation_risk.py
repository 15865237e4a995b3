import itertools

import pytest

from tacenda.transforms.reviewing.markup import parse
from tacenda.transforms.schema.conversation import AnnotatedSpan
from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.scoring.conversation_risk import TagCount, annotated_residuals, score_conversation
from tacenda.transforms.scoring.score_table import ScoreTable

APPENDIX = ScoreTable.load()
WORKED_EXAMPLE = ScoreTable.load("worked_example")

TABLE_2 = [
    "(Dunder Mifflin)[MISSED_ORGANIZATION_NAME_SPEAKER], this is [PERSON_NAME_1] "
    "(Green)[MISSED_PERSON_NAME_PARTIAL] speaking.",
    "Hi, this is [PERSON_NAME_2] from [ORGANIZATION_NAME_1], we just ordered a set of paper and they have "
    "worse quality than (staples)[MISSED_ORGANIZATION_NAME]. We would like to return and get refund.",
    "Okay, what is the order number?",
    "It's B. [NUMERIC] C. for A. two.",
    "And the email for that order?",
    "It's (M-K two one)[MISSED_EMAIL_PARTIAL] [EMAIL_1]",
]
TABLE_3 = [
    "Hi [PERSON_NAME_2]. This is [PERSON_NAME_3] calling back from "
    "(XYZ lawyer)(MISSED_ORGANIZATION_NAME_SPEAKER).",
    "Oh, hi.",
    "I am calling regarding your request to change your business name on (IRS dot gov)(MISSED_URL) website.",
    "Oh, yes, I want it to be changed to (ABC incorporated) (MISSED_ORGANIZATION_NAME_SPEAKER).",
]


def reviewed(turns):
    return [residual for turn in turns for residual in annotated_residuals(*parse(turn))]


def names(*values, entities=None):
    entities = entities or itertools.repeat(None)
    return [
        Residual("MISSED_PERSON_NAME_PARTIAL", v, entity=e) for v, e in zip(values, entities, strict=False)
    ]


def test_table_2_scores_7_by_the_appendix_and_6_by_the_worked_example():
    risk = score_conversation(reviewed(TABLE_2), APPENDIX)
    assert risk.score == 7
    assert risk.tags == (
        TagCount("EMAIL", True, False, 1, 2),
        TagCount("ORGANIZATION_NAME", False, False, 1, 0),
        TagCount("ORGANIZATION_NAME", False, True, 1, 2),
        TagCount("PERSON_NAME", True, False, 1, 3),
    )
    assert not risk.direct_identifier
    assert score_conversation(reviewed(TABLE_2), WORKED_EXAMPLE).score == 6


@pytest.mark.parametrize("table", [APPENDIX, WORKED_EXAMPLE])
def test_table_3_scores_6(table):
    risk = score_conversation(reviewed(TABLE_3), table)
    assert risk.score == 6
    assert [(tag.tag, tag.entities) for tag in risk.tags] == [("ORGANIZATION_NAME", 2), ("URL", 1)]


def test_one_name_four_times_counts_once():
    assert score_conversation(reviewed(["(Marc)[MISSED_PERSON_NAME_PARTIAL] said"] * 4), APPENDIX).score == 3
    assert score_conversation(reviewed(["(Marc)([MISSED_PERSON_NAME_PARTIAL])"] * 4), APPENDIX).score == 3


def test_spelling_variants_of_one_entity_count_once():
    assert score_conversation(names("Mark", "Marc", "M-A-R-K", entities="111"), APPENDIX).score == 3


def test_spelling_variants_without_an_entity_count_once_if_clustered():
    assert score_conversation(names("Mark", "Marc", "M-A-R-K"), APPENDIX).score == 9
    assert score_conversation(names("Mark", "Marc", "M-A-R-K"), APPENDIX, variant_clustering=True).score == 3


def test_the_annotator_tells_two_people_of_one_name_apart():
    assert score_conversation(names("Marc", "Marc", entities="12"), APPENDIX).score == 6
    assert (
        score_conversation(names("Marc", "Marc", entities="12"), APPENDIX, variant_clustering=True).score == 6
    )


def test_an_empty_entity_joins_nothing():
    assert score_conversation(names("Marc", "Jim", "Ann", entities=["", "", ""]), APPENDIX).score == 9


def test_an_entity_is_no_value():
    assert score_conversation(names("Marc", "x", entities=[None, "marc"]), APPENDIX).score == 6


def test_equal_up_to_case_spacing_and_compatibility_forms():
    assert score_conversation(names("Marc  Lee", "marc lee", "ＭＡＲＣ\tLEE "), APPENDIX).score == 3
    assert score_conversation(names("Marc", "Mark"), APPENDIX).score == 6


@pytest.mark.parametrize(
    ("label", "values", "entities"),
    [
        ("PHONE", ["555-0100", "555.0100", "555 0100"], 1),
        ("PHONE", ["555-0100", "555-0199"], 2),
        ("EMAIL", ["a@example.com", "b@example.com"], 2),
        ("PERSON_NAME", ["Иван", "Игорь"], 2),
        ("PERSON_NAME", ["Müller", "Muller"], 1),
        ("PERSON_NAME", ["Rachel", "Jim"], 2),
        ("PERSON_NAME", ["w", "h"], 2),
    ],
)
def test_clustering_joins_what_sounds_alike_and_no_two_numbers(label, values, entities):
    risk = score_conversation([Residual(label, value) for value in values], APPENDIX, variant_clustering=True)
    assert [tag.entities for tag in risk.tags] == [entities]


@pytest.mark.parametrize("clustering", [False, True])
def test_values_that_say_nothing_each_count(clustering):
    assert score_conversation(names("", " ", ""), APPENDIX, clustering).score == 9


def test_the_highest_form_of_an_entity_counts_in_any_order():
    forms = [
        Residual("MISSED_PERSON_NAME_PARTIAL", "Green", entity="1"),
        Residual("MISSED_PERSON_NAME", "Rachel Green", entity="1"),
        Residual("FIRST_NAME", "Rachel", entity="1"),
    ]
    for order in itertools.permutations(forms):
        risk = score_conversation(order, APPENDIX)
        assert risk == (5, (TagCount("PERSON_NAME", False, False, 1, 5),), True, ())


def test_a_company_is_the_speakers_if_it_is_once():
    risk = score_conversation(
        [
            Residual("ORGANIZATION_NAME", "Acme"),
            Residual("ORGANIZATION_NAME", "acme", speaker=True),
            Residual("MISSED_ORGANIZATION_NAME_SPEAKER_PARTIAL", "Acme"),
        ],
        APPENDIX,
    )
    assert risk.tags == (TagCount("ORGANIZATION_NAME", False, True, 1, 2),)


def test_one_entity_under_two_tags_counts_under_both():
    risk = score_conversation(
        [Residual("PERSON_NAME", "x", entity="1"), Residual("PHONE", "x", entity="1")], APPENDIX
    )
    assert risk.score == 9


def test_a_company_that_is_nobodys_is_recorded_and_adds_nothing():
    risk = score_conversation([Residual("MISSED_ORGANIZATION_NAME", "staples")], APPENDIX)
    assert risk == (0, (TagCount("ORGANIZATION_NAME", False, False, 1, 0),), False, ())


def test_unscored_labels_are_counted_apart():
    risk = score_conversation(
        [Residual("DATE", "May"), Residual("DATE", "May"), Residual("URL", "x")], APPENDIX
    )
    assert (risk.score, sum(count for _, count in risk.unscored)) == (2, 2)


def test_a_direct_identifier_is_one_that_is_wholly_readable():
    assert score_conversation([Residual("SSN", "1")], APPENDIX).direct_identifier
    assert not score_conversation([Residual("SSN", "1", partial=True)], APPENDIX).direct_identifier
    assert not score_conversation(
        [Residual("PHONE", "1"), Residual("EMAIL", "2")], APPENDIX
    ).direct_identifier


def test_nothing_residual_scores_zero():
    assert score_conversation([], APPENDIX) == (0, (), False, ())


def test_an_unknown_tag_rejects_the_conversation():
    with pytest.raises(RecordError, match=r"^UnknownTag$"):
        score_conversation([Residual("URL", "x"), Residual("MISSED_FAX", "y")], APPENDIX)


def test_spans_become_residuals_with_their_text_and_entity():
    spans = [AnnotatedSpan(3, 7, "MISSED_PERSON_NAME", "2"), AnnotatedSpan(0, 2, "URL")]
    assert annotated_residuals("hi Marc", spans) == [
        Residual("MISSED_PERSON_NAME", "Marc", entity="2"),
        Residual("URL", "hi"),
    ]
