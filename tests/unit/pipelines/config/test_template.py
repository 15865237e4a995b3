import json

import pytest

from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.config.sections import inspect_settings, refuse_unsupported
from tacenda.pipelines.reference.lookup import inspect_template
from tacenda.transforms.schema.errors import UserError
from tests.cases import cases

INSPECT = {"infoTypes": [{"name": "URL"}], "minLikelihood": "LIKELY"}
EXPORTED = {
    "name": "projects/p/locations/global/inspectTemplates/calls",
    "displayName": "Calls",
    "description": "What callers say",
    "createTime": "2025-01-01T10:00:00.123456Z",
    "updateTime": "2025-01-02T10:00:00Z",
    "inspectConfig": {
        **INSPECT,
        "limits": {"maxFindingsPerItem": 100, "maxFindingsPerRequest": 1000},
        "includeQuote": True,
    },
}
REPLACE = {"primitiveTransformation": {"replaceWithInfoTypeConfig": {}}}


def _deidentify(*transformations, **more):
    return {"infoTypeTransformations": {"transformations": list(transformations)}, **more}


def _load(folder, data):
    path = folder / "template.json"
    path.write_text(json.dumps(data))
    return load_config(str(path))


@pytest.mark.parametrize(
    "data",
    [
        EXPORTED,
        {"inspect_config": INSPECT},
        {"inspectTemplate": EXPORTED},
        {"parent": "projects/p", "inspectTemplate": EXPORTED, "templateId": "calls"},
        {"inspect_template": {"inspect_config": INSPECT}},
        {"inspectConfig": INSPECT, "deidentifyConfig": _deidentify(REPLACE)},
        {"inspectTemplate": EXPORTED, "deidentifyTemplate": {"deidentifyConfig": _deidentify(REPLACE)}},
    ],
)
def test_a_template_is_a_config_unchanged(tmp_path, data):
    document = _load(tmp_path, data)
    refuse_unsupported(document)
    own = tmp_path / "own.json"
    own.write_text(json.dumps({"inspect": INSPECT}))
    assert inspect_settings(document) == inspect_settings(load_config(str(own)))


def test_what_has_no_effect_is_noted(tmp_path):
    some = {**REPLACE, "infoTypes": [{"name": "URL", "version": "latest"}]}
    data = {**EXPORTED, "deidentifyConfig": _deidentify(some)}
    notes = refuse_unsupported(_load(tmp_path, data))
    assert [note.partition(" has no effect: ")[0] for note in notes] == [
        "inspect.include_quote",
        "inspect.limits",
        "deidentify.info_type_transformations.transformations[0].info_types[0].version",
    ]


def test_our_own_sections_may_stand_beside_a_template(tmp_path):
    document = _load(tmp_path, {**EXPORTED, "risk": {"threshold": 4}})
    assert document.section("risk") == {"threshold": 4}


def test_what_we_export_says_the_same_when_it_is_read_back(tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text(
        "inspect:\n  min_likelihood: UNLIKELY\n  custom_info_types:\n"
        "    - {info_type: {name: BADGE}, regex: {pattern: 'B[0-9]+'}}\n"
    )
    document = load_config(str(own))
    exported = _load(tmp_path, inspect_template(document))
    assert inspect_settings(exported) == inspect_settings(document)
    assert refuse_unsupported(exported) == []


def test_a_mistake_in_a_template_is_reported_with_its_line(tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text(
        "inspectTemplate:\n  displayName: x\n  inspectConfig:\n    infoTypes:\n    - name: URLS\n"
    )
    with pytest.raises(
        UserError, match=r"t\.yaml:5: inspectTemplate\.inspectConfig\.infoTypes\[0\]\.name: infoType URLS"
    ):
        inspect_settings(load_config(str(path)))


@pytest.mark.parametrize(("data", "message"), cases(__file__, "test_an_invalid_template_is_rejected"))
def test_an_invalid_template_is_rejected(tmp_path, data, message):
    with pytest.raises(UserError, match=r"template\.json") as error:
        inspect_settings(_load(tmp_path, data))
    assert message in str(error.value)


@pytest.mark.parametrize(("config", "message"), cases(__file__, "test_invalid_fields_are_refused_by_name"))
@pytest.mark.parametrize("template", [True, False])
def test_invalid_fields_are_refused_by_name(tmp_path, config, message, template):
    data = {"deidentifyTemplate": {"deidentifyConfig": config}} if template else {"deidentify": config}
    with pytest.raises(UserError, match=r"template\.json") as error:
        refuse_unsupported(_load(tmp_path, data))
    assert message in str(error.value)
    assert "Pam" not in str(error.value)
