from pathlib import Path

import pytest

from tacenda.models.token_classifier.loading import embedded_path
from tacenda.pipelines.chain.build import build_replacer, key_fingerprints
from tacenda.pipelines.chain.chain import TOKENS
from tacenda.pipelines.config.document import load_config, own_sections
from tacenda.pipelines.config.replacement import (
    describe_replacement,
    refuse_unknown_kept,
    replacement_settings,
)
from tacenda.transforms.replacing.policies import ReplacerByInfoType
from tacenda.transforms.replacing.settings import DRAWN, ReplacementSettings
from tacenda.transforms.schema.errors import UserError
from tests.cases import cases
from tests.marked_conversations import linked

TINY = Path(__file__).parents[3] / "golden" / "tiny_masked_lm"


def _settings(folder, text):
    (folder / "config.yaml").write_text(text)
    return replacement_settings(load_config(str(folder / "config.yaml")))


def test_tokens_are_the_default_replacement(tmp_path):
    assert _settings(tmp_path, "") == ReplacementSettings()
    assert build_replacer(ReplacementSettings()) is TOKENS


def test_the_schema_knows_every_replacer():
    properties = own_sections()["replacement"]["properties"]
    assert {*properties["default"]["enum"]} == {"tokens", *DRAWN}
    assert properties["info_types"]["additionalProperties"]["enum"] == properties["default"]["enum"]


def test_an_info_type_has_a_replacer_of_its_own(tmp_path):
    settings = _settings(tmp_path, "replacement: {info_types: {DATE: tokens}}")
    assert isinstance(build_replacer(settings), ReplacerByInfoType)


def test_what_is_kept_needs_a_reason_and_a_known_name(tmp_path):
    with pytest.raises(UserError, match=r"config\.yaml:1: replacement\.keep\.DATE: give the reason"):
        _settings(tmp_path, "replacement: {keep: {DATE: }}")
    settings = _settings(tmp_path, "replacement: {keep: {DATES: the season matters}}")
    document = load_config(str(tmp_path / "config.yaml"))
    with pytest.raises(UserError, match=r"config\.yaml:1: replacement\.keep\.DATES: is not looked for"):
        refuse_unknown_kept(document, settings, ["DATE"])
    refuse_unknown_kept(document, settings, ["DATES"])


def test_the_fingerprint_depends_on_the_key_without_revealing_it(tmp_path, monkeypatch):
    settings = _settings(tmp_path, "replacement: {secret: 'env:A_KEY', keep: {DATE: why}}")
    assert describe_replacement(settings) == {
        "default": "tokens",
        "info_types": {},
        "keep": {"DATE": "why"},
        "secret": "env:A_KEY",
        "policies": [],
        "on_error": "quarantine",
        "scope": "conversation",
        "lists": [],
        "eponyms": False,
        "pseudonymised": False,
    }
    monkeypatch.setenv("A_KEY", "hunter2hunter2hunter2")
    one = key_fingerprints(settings)
    monkeypatch.setenv("A_KEY", "hunter3hunter3hunter3")
    other = key_fingerprints(settings)
    assert one != other
    assert "hunter" not in str([one, other])


def test_a_model_runs_only_for_its_info_types(tmp_path, monkeypatch):
    monkeypatch.setenv("A_KEY", "a secret of the tests")
    section = f"info_types: {{LOCATION: masked_lm}}, secret: 'env:A_KEY', masked_lm: {{path: {TINY}}}"
    replacer = build_replacer(_settings(tmp_path, f"replacement: {{{section}}}"))
    assert replacer is not None
    marked = linked(["from is <LOCATION:Pam>, is <PERSON_NAME:Jim>"])
    place, person = replacer.values(marked).findings[0]
    assert (place in ("Eva", "Mia", "Ines", "Moss", "Berg"), person) == (True, "[PERSON_NAME_1]")


@pytest.mark.parametrize(("section", "message"), cases(__file__, "test_a_wrong_section_is_one_line"))
def test_a_wrong_section_is_one_line(tmp_path, section, message):
    section = section.replace("TINY", str(TINY)).replace("OTHER", str(embedded_path()))
    with pytest.raises(UserError, match=message) as told:
        _settings(tmp_path, f"replacement: {section}")
    assert str(told.value).startswith(f"{tmp_path}/config.yaml:1: replacement")
    assert "hunter" not in str(told.value)


@pytest.mark.parametrize(("section", "told"), cases(__file__, "test_what_is_drawn_is_reported"))
def test_what_is_drawn_is_reported(tmp_path, section, told):
    settings = _settings(tmp_path, f"replacement: {section}".replace("TINY", str(TINY)))
    described = describe_replacement(settings)
    if settings.masked_lm is not None:
        assert described["masked_lm"].pop("fingerprint") == settings.masked_lm.fingerprint
    drawn = ("surrogates", "hidden_in_plain_sight", "masked_lm")
    assert {name: described[name] for name in drawn if name in described} == told
    assert described["pseudonymised"]
