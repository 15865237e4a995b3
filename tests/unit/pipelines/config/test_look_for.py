"""What the ``look_for`` section adds to the ``inspect`` section."""

import pytest

from tacenda.pipelines.config.document import config_of
from tacenda.pipelines.config.sections import inspect_section, inspect_settings
from tacenda.transforms.detecting.presets import presets
from tacenda.transforms.detecting.rules.catalogue import default_info_types
from tacenda.transforms.schema.errors import UserError


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


@pytest.mark.parametrize(
    ("section", "told"),
    [
        ({"also": ["DATES"]}, r"look_for.also\[0\]: is no built-in infoType"),
        ({"also": "DATE"}, r"look_for.also: must be a list of infoTypes"),
        (
            {"presets": ["medical"]},
            r"look_for.presets\[0\]: is no preset; there are assistant, clinical, echr, echr_professionals",
        ),
        ({"add": ["DATE"]}, r"look_for.add: is not a setting"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(section, told):
    with pytest.raises(UserError, match=told):
        inspect_section(config_of({"look_for": section}))
