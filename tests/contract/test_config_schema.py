"""The config schema agrees with the readers, and the reference is generated from it."""

import argparse
import json
import runpy
from dataclasses import MISSING, fields
from pathlib import Path

import jsonschema
import pytest
import yaml

from tacenda.models.token_classifier.decoding_settings import read_decision
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.pipelines.config.document import SECTIONS, load_config, own_sections
from tacenda.pipelines.config.output import output_settings
from tacenda.pipelines.config.sections import (
    RiskSettings,
    inspect_settings,
    language_settings,
    model_settings,
    refuse_unsupported,
    risk_settings,
)
from tacenda.pipelines.reference.lookup import starter
from tacenda.transforms.schema.errors import UserError
from tests.cases import cases
from tests.fenced_blocks import fenced_blocks

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "config.schema.json").read_text("utf-8"))
SHOWN = [
    block.text
    for page in sorted((ROOT / "docs").glob("*.md"))
    for block in fenced_blocks(page)
    if block.language == "yaml"
]

RIGHT, WRONG = cases(__file__, "right"), cases(__file__, "wrong")


def _read(text, folder):
    file = folder / "c.yaml"
    file.write_text(text, "utf-8")
    document = load_config(str(file))
    inspect_settings(document)
    risk_settings(document)
    model_settings(document)
    language_settings(document, ["en"])
    output_settings(document, argparse.Namespace())
    refuse_unsupported(document)


def _fits(text):
    data = yaml.safe_load(text) or {}
    return not any(True for _ in jsonschema.Draft202012Validator(_with_empty_sections()).iter_errors(data))


def _with_empty_sections():
    """The schema, with sections that may be empty."""
    sections = {name: {"anyOf": [{"type": "null"}, schema]} for name, schema in SCHEMA["properties"].items()}
    return {**SCHEMA, "properties": sections}


def test_the_configuration_reference_is_generated_from_the_schema():
    reference = runpy.run_path(str(ROOT / "infra/site/config_reference.py"))
    assert reference["json_schema"]() == SCHEMA, "python infra/site/config_reference.py writes it anew"
    tables = reference["tables"]()
    assert [name for name in SECTIONS if f"### `{name}`" not in tables] == []
    assert "| `replacement.default`" not in tables
    assert "| `default` | `tokens` or `surrogates`" in tables


def test_the_json_schema_is_valid():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("text", [*RIGHT, starter()], ids=str)
def test_configs_that_are_accepted_match_the_schema(text, tmp_path):
    _read(text, tmp_path)
    assert _fits(text)


@pytest.mark.parametrize("text", SHOWN)
def test_configs_shown_on_the_pages_match_the_schema(text):
    assert _fits(text)


@pytest.mark.parametrize("text", WRONG)
def test_configs_that_are_rejected_do_not_match_the_schema(text, tmp_path):
    with pytest.raises(UserError):
        _read(text, tmp_path)
    assert not _fits(text)


def test_every_section_has_a_schema():
    assert {*SECTIONS} == {*SCHEMA["properties"]}
    assert {*own_sections()} == {*SCHEMA["properties"]} - {"inspect", "deidentify"}


def test_every_setting_of_the_risk_has_its_key_and_default():
    properties = {**own_sections()["risk"]["properties"], **own_sections()["release"]["properties"]}
    assert {*properties} == {field.name for field in fields(RiskSettings)}
    for field in fields(RiskSettings):
        if field.default is not MISSING and field.default is not None:
            assert properties[field.name]["default"] == field.default, field.name


def test_every_setting_of_a_model_is_read():
    properties = own_sections()["models"]["items"]["properties"]
    assert {*properties} <= {field.name for field in fields(ModelSettings)}
    with pytest.raises(UserError, match=", ".join(properties["decision"]["properties"])):
        read_decision({"no such": 1}, "models[0].decision")


def test_every_setting_has_a_description():
    def told(schema):
        return all("description" in s and told(s) for s in schema.get("properties", {}).values())

    assert all(told(schema.get("items", schema)) for schema in own_sections().values())
