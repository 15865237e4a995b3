from tacenda.transforms.detecting.rules.catalogue import catalogue
from tacenda.transforms.releasing.not_looked_for import not_looked_for
from tacenda.transforms.scoring.score_table import ScoreTable

TABLE = ScoreTable.load()


def test_every_kind_that_scores_and_nothing_looked_for_is_reported() -> None:
    told = not_looked_for(["IP_ADDRESS", "PERSON_NAME"], {"IP_ADDRESS"}, (), TABLE)
    tags = [kind.tag for kind in told.kinds]
    assert told.in_vain == ("PERSON_NAME",)
    assert "PERSON_NAME" in told.direct()
    assert "IP_ADDRESS" not in tags
    assert set(tags) | {"IP_ADDRESS"} == {name for name, row in TABLE.rows.items() if row.score}
    assert [kind.score for kind in told.kinds] == sorted((kind.score for kind in told.kinds), reverse=True)


def test_a_category_is_looked_for_whole_in_part_or_not() -> None:
    names = ["DATE", "DATE_OF_BIRTH", "ICD10_CODE"]
    told = not_looked_for(names, names, (), TABLE)
    state = {one.name: (one.looked_for, one.by) for one in told.categories}
    assert state["health"] == ("in part", ("ICD10_CODE",))
    assert state["genetic data"] == ("no", ())
    assert state["dates other than years, and ages over 89"] == ("in part", ("DATE", "DATE_OF_BIRTH"))
    whole = not_looked_for([*names, "AGE"], [*names, "AGE"], (), TABLE)
    assert {one.name: one.looked_for for one in whole.categories}[
        "dates other than years, and ages over 89"
    ] == "yes"


def test_the_categories_name_info_types_that_there_are() -> None:
    told = not_looked_for(list(catalogue()), catalogue(), (), TABLE)
    laws = [one.law for one in told.categories]
    assert (laws.count("GDPR Art. 9"), len(laws)) == (8, 26)
    assert all(name in catalogue() for one in told.categories for name in one.by)
    # Whatever has infoTypes of its own is looked for, at least in part, where all of them are.
    assert [one.name for one in told.categories if one.looked_for == "no"] == [
        "trade union membership",
        "genetic data",
        "biometric data",
        "sex life or sexual orientation",
        "biometric identifiers",
        "full-face photographs",
    ]
