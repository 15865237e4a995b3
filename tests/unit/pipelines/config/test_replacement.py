from pathlib import Path

import pytest

from tacenda.models.token_classifier.loading import embedded_path
from tacenda.pipelines.chain.build import REPLACERS, build_replacer, key_fingerprints
from tacenda.pipelines.chain.chain import TOKENS
from tacenda.pipelines.config.document import load_config, own_sections
from tacenda.pipelines.config.replacement import (
    describe_replacement,
    refuse_unknown_kept,
    replacement_settings,
)
from tacenda.transforms.replacing.policies import ReplacerByInfoType
from tacenda.transforms.replacing.settings import ReplacementSettings
from tacenda.transforms.schema.errors import UserError
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
    assert properties["default"]["enum"] == [*REPLACERS]
    assert properties["info_types"]["additionalProperties"]["enum"] == [*REPLACERS]


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


def test_a_secret_in_the_place_of_its_name_is_refused_without_it(tmp_path):
    with pytest.raises(UserError, match=r"config\.yaml:1: replacement\.secret: must be the location") as told:
        _settings(tmp_path, "replacement: {secret: hunter2hunter2hunter2}")
    assert "hunter2" not in str(told.value)


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


def test_surrogates_need_a_secret(tmp_path):
    with pytest.raises(UserError, match=r"replacement: surrogates need a secret; add secret: env:NAME"):
        _settings(tmp_path, "replacement: {default: surrogates}")
    with pytest.raises(UserError, match="surrogates need a secret"):
        _settings(tmp_path, "replacement: {info_types: {PERSON_NAME: surrogates}}")


def test_how_surrogates_are_made_is_reported(tmp_path):
    surrogates = "surrogates: {checksums: wrong, oldest_age: 89}"
    text = f"replacement: {{default: surrogates, secret: 'env:A_KEY', {surrogates}}}"
    told = describe_replacement(_settings(tmp_path, text))
    assert told["surrogates"] == {"checksums": "wrong", "oldest_age": 89, "tagged": False}
    assert (told["drawn"], told["pseudonymised"]) == (["surrogates"], True)


@pytest.mark.parametrize(
    "wrong", ["checksums: maybe", "oldest_age: 0", "oldest_age: old", "tagged: 1", "color: red"]
)
def test_invalid_surrogate_settings_are_refused(tmp_path, wrong):
    with pytest.raises(UserError, match=r"config\.yaml:1: replacement\.surrogates"):
        _settings(tmp_path, f"replacement: {{surrogates: {{{wrong}}}}}")


def test_hidden_names_cannot_be_tagged(tmp_path):
    text = "replacement: {{default: {}, secret: 'env:A_KEY', surrogates: {{tagged: true}}}}"
    assert _settings(tmp_path, text.format("surrogates")).surrogates.tagged
    with pytest.raises(UserError, match=r"replacement\.surrogates\.tagged: tags show which names"):
        _settings(tmp_path, text.format("hidden_in_plain_sight"))


def test_hiding_in_plain_sight_is_reported(tmp_path):
    hidden = "hidden_in_plain_sight: {t: 3, variant: per_value}"
    text = (
        f"replacement: {{info_types: {{PERSON_NAME: hidden_in_plain_sight}}, secret: 'env:A_KEY', {hidden}}}"
    )
    told = describe_replacement(_settings(tmp_path, text))
    assert told["hidden_in_plain_sight"] == {"variant": "per_value", "p": 0.5, "t": 3}


@pytest.mark.parametrize("wrong", ["p: 2", "t: 0", "variant: any"])
def test_hiding_settings_have_limits(tmp_path, wrong):
    with pytest.raises(UserError, match=r"config\.yaml:1: replacement\.hidden_in_plain_sight"):
        _settings(tmp_path, f"replacement: {{hidden_in_plain_sight: {{{wrong}}}}}")


def test_guesses_of_a_model_are_reported_with_its_fingerprint(tmp_path):
    text = "replacement: {{default: masked_lm, secret: 'env:A_KEY', masked_lm: {{path: {}, nearest: 5}}}}"
    settings = _settings(tmp_path, text.format(TINY))
    told = describe_replacement(settings)
    assert settings.masked_lm is not None
    assert told["masked_lm"] == {
        "name": "tiny_masked_lm",
        "version": "",
        "fingerprint": settings.masked_lm.fingerprint,
        "nearest": 5,
    }
    assert (told["drawn"], told["pseudonymised"], "surrogates" in told) == (["masked_lm"], True, False)


@pytest.mark.parametrize(
    ("section", "message"),
    [
        ("secret: 'env:A_KEY'", r"config\.yaml:1: replacement.*masked_lm\.path: is missing"),
        ("secret: 'env:A_KEY', masked_lm: {path: nowhere}", r"masked_lm\.path: model .*nowhere: no file"),
        (f"secret: 'env:A_KEY', masked_lm: {{path: {embedded_path()}}}", "is no masked language model"),
        ("secret: 'env:A_KEY', masked_lm: {nearest: 0}", "must be a whole number above 0"),
        (f"masked_lm: {{path: {TINY}}}", "masked_lm need a secret"),
    ],
)
def test_guesses_need_a_model_and_a_secret(tmp_path, section, message):
    with pytest.raises(UserError, match=message):
        _settings(tmp_path, f"replacement: {{info_types: {{PERSON_NAME: masked_lm}}, {section}}}")


def test_a_model_runs_only_for_its_info_types(tmp_path, monkeypatch):
    monkeypatch.setenv("A_KEY", "a secret of the tests")
    section = f"info_types: {{LOCATION: masked_lm}}, secret: 'env:A_KEY', masked_lm: {{path: {TINY}}}"
    replacer = build_replacer(_settings(tmp_path, f"replacement: {{{section}}}"))
    assert replacer is not None
    marked = linked(["from is <LOCATION:Pam>, is <PERSON_NAME:Jim>"])
    place, person = replacer.values(marked).findings[0]
    assert (place in ("Eva", "Mia", "Ines", "Moss", "Berg"), person) == (True, "[PERSON_NAME_1]")
