"""The risk of one conversation, what is left of it, and the worst of a corpus."""

from itertools import permutations, repeat

import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.residual import Residual
from tacenda.transforms.scoring.conversation_risk import TagCount, score_conversation
from tacenda.transforms.scoring.identifiability import NOTHING
from tacenda.transforms.scoring.score_table import ScoreTable
from tacenda.transforms.scoring.statistics import (
    MOST,
    RiskSketch,
    ScoredConversation,
)
from tests.cases import tabled

APPENDIX = ScoreTable.load()


def names(*values, entities=None):
    entities = entities or repeat(None)
    return [
        Residual("MISSED_PERSON_NAME_PARTIAL", v, entity=e) for v, e in zip(values, entities, strict=False)
    ]


def test_table_2_scores_7_by_the_appendix_and_6_by_the_worked_example():
    said = (
        "PERSON_NAME_PARTIAL Green",
        "ORGANIZATION_NAME_SPEAKER Dunder Mifflin",
        "EMAIL_PARTIAL M-K two one",
    )
    found = [_residual(f"MISSED_{one}") for one in (*said, "ORGANIZATION_NAME staples")]
    risk = score_conversation(found, APPENDIX)
    assert risk[:3] == (
        7,
        (
            TagCount("EMAIL", True, False, 1, 2),
            TagCount("ORGANIZATION_NAME", False, False, 1, 0),
            TagCount("ORGANIZATION_NAME", False, True, 1, 2),
            TagCount("PERSON_NAME", True, False, 1, 3),
        ),
        False,
    )
    assert score_conversation(found, ScoreTable.load("worked_example")).score == 6


@tabled("values", "entities", "score", "clustered")
def test_what_is_one_entity_counts_once(values, entities, score, clustered):
    found = names(*(values.split() if isinstance(values, str) else values), entities=entities)
    assert score_conversation(found, APPENDIX).score == score
    assert score_conversation(found, APPENDIX, variant_clustering=True).score == clustered


@tabled("label", "values", "entities")
def test_clustering_joins_what_sounds_alike_and_no_two_numbers(label, values, entities):
    risk = score_conversation([Residual(label, value) for value in values], APPENDIX, variant_clustering=True)
    assert [tag.entities for tag in risk.tags] == [entities]


def test_a_company_of_no_speaker_scores_0_and_unscored_labels_are_counted_apart():
    risk = score_conversation([Residual("MISSED_ORGANIZATION_NAME", "staples")], APPENDIX)
    assert risk[:4] == (0, (TagCount("ORGANIZATION_NAME", False, False, 1, 0),), False, ())
    residuals = [Residual("DATE", "May"), Residual("DATE", "May"), Residual("URL", "x")]
    risk = score_conversation(residuals, APPENDIX)
    assert (risk.score, risk.unscored) == (2, (("DATE", 2),))


@tabled("said", "score", "direct")
def test_what_is_left_scores_alike_in_any_order(said, score, direct):
    """Each is a label and a value, with ``=entity`` or ``@place``."""
    for order in permutations(said):
        risk = score_conversation(map(_residual, order), APPENDIX)
        assert (risk.score, risk.direct_identifier) == (score, direct)


def _residual(said):
    label, _, value = said.partition(" ")
    value, _, start = value.partition("@")
    value, _, entity = value.partition("=")
    place = (0, int(start), int(start) + len(value)) if start else None
    return Residual(label, value, entity=entity or None, place=place)


@pytest.mark.parametrize("label", ["PERSON_NAME", "STREET_ADDRESS", "IBAN_CODE", "US_SOCIAL_SECURITY_NUMBER"])
def test_direct_is_what_the_paper_lists_whatever_it_scores(label):
    for points in (5, 0):
        table = ScoreTable.load(overrides={APPENDIX.resolve(label).name: points})
        assert score_conversation([Residual(label, "Rachel Green 1")], table).direct_identifier


@tabled("names", "score")
def test_a_lone_first_or_last_name_is_partial_unless_a_reviewer_says_so(names, score):
    for name in names:
        risk = score_conversation([Residual("PERSON_NAME", name)], APPENDIX)
        assert (risk.score, risk.direct_identifier) == (score, score == 5)
        assert score_conversation([Residual("MISSED_PERSON_NAME", name)], APPENDIX).score == 5


@tabled("label", "values", "entities")
def test_one_number_in_two_formats_is_one_entity(label, values, entities):
    for order in permutations(values):
        risk = score_conversation([Residual(label, value) for value in order], APPENDIX)
        assert [tag.entities for tag in risk.tags] == [entities]


def test_an_unknown_tag_rejects_the_conversation():
    with pytest.raises(RecordError, match=r"^UnknownTag$"):
        score_conversation([Residual("URL", "x"), Residual("MISSED_FAX", "y")], APPENDIX)


def _one(score, name, direct=False):
    return ScoredConversation(score, direct, "sales", name)


def worst_of(scored):
    sketch = RiskSketch()
    sketch.add_worst("model", scored)
    return sketch.worst


def test_the_highest_come_first_then_direct_identifiers_then_ids():
    told = [_one(3, "b"), _one(3, "a"), _one(9, "z"), _one(3, "c", direct=True), _one(0, "clean")]
    assert worst_of([_one(0, "a")]) == {}
    for order in permutations(told):
        assert [one.conversation_id for one in worst_of(order)["model"]] == ["z", "c", "a", "b"]


def test_they_are_the_same_however_they_were_divided():
    told = [_one(1 + i % 7, f"c{i:03}") for i in range(5 * MOST)]
    whole = RiskSketch()
    for i in range(3):
        part = RiskSketch()
        part.add_worst("model", told[i::3])
        whole.merge(RiskSketch.from_json(part.to_json()))
    assert whole.worst == worst_of(told)
    assert len(whole.worst["model"]) == MOST


def remains(*residuals):
    return score_conversation([Residual(label, value) for label, value in residuals], APPENDIX).remains


def test_where_nothing_is_left_there_are_no_digests():
    assert score_conversation([], APPENDIX) == (0, (), False, (), NOTHING)
    assert remains(("ORGANIZATION_NAME", "Acme")) == NOTHING, "adds no points"


def test_indirect_identifiers_count_together_in_any_order_and_spelling():
    one = remains(("AGE", "43"), ("LOCATION", "Uppsala"))
    assert one.combination is not None
    assert one.links == ()
    assert one == remains(("LOCATION", "uppsala"), ("AGE", "43"), ("AGE", "43"))
    assert one != remains(("AGE", "44"), ("LOCATION", "Uppsala"))
    assert one.combination != remains(("AGE", "43")).combination


def test_whole_direct_identifiers_and_numbers_of_devices_link_conversations():
    mail = remains(("EMAIL_ADDRESS", "ann@example.com"))
    assert mail.combination is None
    assert mail.links == remains(("EMAIL_ADDRESS", "Ann@Example.com"), ("AGE", "3")).links
    handle = remains(("USER_NAME", "ann_81"))
    assert len(handle.links) == 1
    assert handle.combination is not None


def test_a_first_name_alone_links_nothing():
    lone = remains(("PERSON_NAME", "Ann"))
    assert lone.links == ()
    assert lone.combination is not None
    assert len(remains(("PERSON_NAME", "Ann Smith")).links) == 1


def test_what_is_written_depends_on_the_key_and_equal_values_stay_equal():
    found = remains(("EMAIL_ADDRESS", "ann@example.com"), ("AGE", "43"))
    assert found.keyed(b"k") == found.keyed(b"k")
    (combination, links), (other, others) = found.keyed(b"k"), found.keyed(b"l")
    plain = {one.hex() for one in (found.combination, *found.links)}
    assert not {combination, *links} & {other, *others, *plain}
    assert NOTHING.keyed(b"k") == (None, [])
