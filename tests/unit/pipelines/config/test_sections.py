import pytest

from tacenda.pipelines.config.document import ConfigDocument, config_of, load_config
from tacenda.pipelines.config.sections import (
    effective_config,
    inspect_section,
    inspect_settings,
    refuse_unscored,
    risk_settings,
    score_table,
)
from tacenda.transforms.detecting.presets import presets
from tacenda.transforms.detecting.rules.catalogue import default_info_types
from tacenda.transforms.schema.errors import UserError
from tests.cases import cases


def _config(folder, text):
    path = folder / "c.yaml"
    path.write_text(text)
    return load_config(str(path))


def test_defaults():
    risk = risk_settings(load_config(None), None)
    assert (risk.preset, risk.threshold, risk.variant_clustering) == ("appendix", 5, False)
    assert inspect_settings(load_config(None)).info_types


def test_the_command_line_wins(tmp_path):
    document = _config(tmp_path, "risk:\n  preset: cautious\n")
    assert risk_settings(document, None).preset == "cautious"
    assert risk_settings(document, "worked_example").preset == "worked_example"


def test_a_preset_of_the_command_line_is_named_as_such():
    with pytest.raises(UserError, match=r"^--risk-preset: 'nice' is unknown"):
        risk_settings(ConfigDocument("defaults"), "nice")


@pytest.mark.parametrize(
    ("text", "told"),
    cases(__file__, "test_a_wrong_risk_section_is_one_line"),
)
def test_a_wrong_risk_section_is_one_line(tmp_path, text, told):
    with pytest.raises(UserError) as caught:
        risk_settings(_config(tmp_path, text), None)
    assert told in str(caught.value)
    assert "c.yaml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_info_type_without_a_score_is_refused(tmp_path):
    custom = (
        "inspect:\n  custom_info_types:\n    - info_type: {name: BADGE}\n      regex: {pattern: 'B[0-9]+'}\n"
    )
    document = _config(tmp_path, custom)
    inspect = inspect_settings(document)
    with pytest.raises(
        UserError, match=r"c\.yaml:2: inspect\.custom_info_types: infoType BADGE has no score"
    ):
        refuse_unscored(document, inspect, score_table(risk_settings(document, None)))
    for meaning in ("unscored", "GENERIC_ID"):
        document = _config(tmp_path, f"{custom}risk:\n  labels: {{BADGE: {meaning}}}\n")
        refuse_unscored(document, inspect_settings(document), score_table(risk_settings(document, None)))


def test_the_effective_config_says_what_was_left_out():
    document = load_config(None)
    config = effective_config(document, inspect_settings(document), risk_settings(document, None))
    assert config["risk"]["preset"] == "appendix"
    assert config["inspect"]["min_likelihood"] == "POSSIBLE"
    assert {"name": "PERSON_NAME"} in config["inspect"]["info_types"]


def looked_for(data):
    return inspect_settings(config_of(data)).info_types


def test_without_it_the_section_is_that_of_the_user():
    given = {"info_types": [{"name": "AGE"}]}
    assert inspect_section(config_of({"inspect": given})) == given
    assert looked_for({"look_for": {}}) == default_info_types()


def test_infotypes_are_added_to_the_default_ones():
    assert set(looked_for({"look_for": {"also": ["DATE", "TITLE"]}})) == {
        *default_info_types(),
        "DATE",
        "TITLE",
    }


@pytest.mark.parametrize("key", ["info_types", "infoTypes"])
def test_infotypes_are_added_to_those_of_a_template(key):
    data = {"inspect": {key: [{"name": "AGE"}, {"name": "DATE"}]}, "look_for": {"also": ["DATE", "TITLE"]}}
    assert looked_for(data) == ("AGE", "DATE", "TITLE")


def test_a_preset_adds_infotypes_and_terms_beside_the_users_own():
    own = {"info_type": {"name": "MEDICAL_TERM"}, "dictionary": {"word_list": {"words": ["the blues"]}}}
    data = {"inspect": {"custom_info_types": [own]}, "look_for": {"presets": ["clinical"]}}
    settings = inspect_settings(config_of(data))
    assert set(settings.info_types) == {*default_info_types(), *presets()["clinical"].info_types}
    assert len(settings.custom) == 1 + len(presets()["clinical"].custom)


@pytest.mark.parametrize(("section", "told"), cases(__file__, "test_what_is_wrong_is_said_with_its_place"))
def test_what_is_wrong_is_said_with_its_place(section, told):
    with pytest.raises(UserError, match=told):
        inspect_section(config_of({"look_for": section}))
