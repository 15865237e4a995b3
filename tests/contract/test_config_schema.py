"""The config schema is what the readers enforce, and the reference is generated from it."""

import argparse
import runpy
from dataclasses import MISSING, fields
from pathlib import Path

import pytest

from tacenda.models.token_classifier.decoding_settings import read_decision
from tacenda.models.token_classifier.settings import ModelSettings
from tacenda.pipelines.config.document import SECTIONS, load_config, own_sections
from tacenda.pipelines.config.output import output_settings
from tacenda.pipelines.config.sections import (
    RiskSettings,
    inspect_settings,
    language_settings,
    model_settings,
    read_replacement,
    risk_settings,
)
from tacenda.pipelines.reference.lookup import starter
from tacenda.transforms.schema.errors import UserError
from tests.cases import cases

ROOT = Path(__file__).parents[2]
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
    read_replacement(document)


def test_the_configuration_reference_is_generated_from_the_schema():
    tables = runpy.run_path(str(ROOT / "infra/site/config_reference.py"))["tables"]()
    assert [name for name in SECTIONS if f"### `{name}`" not in tables] == []
    assert "| `replacement.default`" not in tables
    assert "| `default` | `tokens` or `surrogates`" in tables


@pytest.mark.parametrize("text", [*RIGHT, starter()], ids=str)
def test_what_fits_the_schema_is_read(text, tmp_path):
    _read(text, tmp_path)


@pytest.mark.parametrize("text", WRONG)
def test_what_does_not_fit_the_schema_is_refused(text, tmp_path):
    with pytest.raises(UserError):
        _read(text, tmp_path)


def test_every_section_has_a_schema():
    assert {*own_sections()} == {*SECTIONS} - {"inspect", "deidentify"}


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
