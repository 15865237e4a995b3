import pickle
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tacenda.transforms.detecting.inspect_config import parse_inspect_config, unheeded
from tacenda.transforms.detecting.presets import presets
from tacenda.transforms.detecting.rules.catalogue import catalogue, default_info_types
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import (
    CustomInfoType,
    Hotword,
    InspectSettings,
    Matching,
    Regex,
    WordDictionary,
)
from tacenda.transforms.detecting.word_lists import (
    language_pattern,
    languages,
    of_language,
    word_list,
    word_lists,
)
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.storage.yaml_text import parse_yaml
from tacenda.transforms.text.column import TextColumn
from tests.cases import cases, tabled


def _custom(**fields):
    return {"custom_info_types": [{"info_type": {"name": "BADGE"}, **fields}]}


def _exclusion(**fields):
    rule = {"exclusion_rule": {"matching_type": "MATCHING_TYPE_FULL_MATCH", **fields}}
    return {"rule_set": [{"info_types": [{"name": "URL"}], "rules": [rule]}]}


def test_an_empty_config_means_the_default_infotypes_at_possible():
    assert parse_inspect_config({}) == InspectSettings(default_info_types())
    assert parse_inspect_config({}).min_likelihood is Likelihood.POSSIBLE


def test_snake_case_and_camel_case_are_the_same():
    snake, camel = cases(__file__, "SNAKE_AND_CAMEL")
    settings = parse_inspect_config(snake)
    assert settings == parse_inspect_config(camel)
    assert settings.info_types == ("URL",)
    assert settings.custom == (CustomInfoType("BADGE", Likelihood.POSSIBLE, Regex(r"B(\d)", (1,))),)


@pytest.mark.parametrize("name", ["BADGE-ID", "A__B", "MY$X"])
def test_names_of_custom_infotypes_as_the_service_allows_them(name):
    settings = parse_inspect_config(
        {"custom_info_types": [{"info_type": {"name": name}, "regex": {"pattern": "a"}}]}
    )
    assert settings.custom[0].info_type == name


def test_everything_is_read_and_pickles(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "names.txt"
    path.write_text("Pam\n")
    settings = parse_inspect_config(cases(__file__, "EVERYTHING"))
    assert settings.min_likelihood_by_info_type == (("URL", Likelihood.UNLIKELY),)
    assert settings.custom[0].source == WordDictionary(url=str(path))
    assert settings.custom[0].excluding
    first, second = settings.rule_sets[0].rules
    assert first == Hotword("name", 600, 400, fixed=Likelihood.VERY_LIKELY)
    assert second.matching is Matching.INVERSE  # type: ignore[union-attr]
    assert pickle.loads(pickle.dumps(settings)) == settings


@tabled("config", "message")
def test_unsupported_settings_are_rejected_with_their_position(config, message):
    with pytest.raises(UserError) as caught:
        parse_inspect_config(config)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", ["word_list", "wordList"])
@pytest.mark.parametrize("words", cases(__file__, "test_no_word_of_a_dictionary_is_reported/words"))
def test_no_word_of_a_dictionary_is_reported(key, words):
    for config in (_custom(dictionary={key: words}), _exclusion(dictionary={key: words})):
        with pytest.raises(UserError) as error:
            parse_inspect_config(config)
        assert re.match(rf"inspect\.[a-z_.\[\]0-9]+\.dictionary\.{key}\b", str(error.value))
        assert "Schrute" not in _everything(error.value)


@pytest.mark.parametrize("pattern", ["(Schrute", "Schrute)", "(?P<Schrute S>x)", "Schrute**"])
def test_an_invalid_pattern_is_not_quoted(pattern):
    with pytest.raises(
        UserError, match=r"regex\.pattern: not an RE2 pattern \([a-z \])]+\); mend it$"
    ) as error:
        parse_inspect_config(_custom(regex={"pattern": pattern}))
    assert "Schrute" not in _everything(error.value)


def _everything(error):
    """Everything that an error report may show, including its chain unless suppressed."""
    return str(error) + _chain(error)


def _chain(error):
    other = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return "" if other is None else f"{other!r}{_chain(other)}"


def test_settings_that_affect_only_the_service_response_are_noted():
    config = {
        "includeQuote": True,
        "exclude_info_types": True,
        "contentOptions": ["CONTENT_TEXT"],
        "limits": {"maxFindingsPerItem": 3, "max_findings_per_info_type": [{"max_findings": 2}]},
    }
    assert parse_inspect_config(config) == parse_inspect_config({})
    assert [note.partition(":")[0] for note in unheeded(config)] == [
        "inspect.include_quote has no effect",
        "inspect.exclude_info_types has no effect",
        "inspect.content_options has no effect",
        "inspect.limits has no effect",
    ]
    assert unheeded({"includeQuote": False, "limits": {}, "infoTypes": [{"name": "URL"}]}) == []


def test_the_place_of_the_config_itself_is_the_callers():
    with pytest.raises(UserError, match=r"^conf\.yaml: inspect\.limits\.max_findings_per_request: must be"):
        parse_inspect_config({"limits": {"max_findings_per_request": "few"}}, "conf.yaml: inspect")


def found(name, text):
    preset = presets()[name]
    section: dict[str, Any] = {
        "info_types": [{"name": one} for one in preset.info_types],
        "custom_info_types": list(preset.custom),
    }
    detector = RulesDetector(parse_inspect_config(section))
    return [(text[f.start : f.end], f.info_type) for f in detector.find(TextColumn([text]))[0]]


@pytest.mark.parametrize("name", sorted(presets()))
def test_a_preset_names_infotypes_that_are_built_in_and_not_default(name):
    for info_type in presets()[name].info_types:
        assert not catalogue()[info_type].default, info_type


@tabled("text", "terms")
def test_clinical_terms_are_found_by_lists_and_endings(text, terms):
    assert [value for value, name in found("clinical", text) if name == "MEDICAL_TERM"] == terms


def test_roles_beside_a_party_are_found_in_judgments():
    assert found("legal", "The applicant, Mr Kaya, a Turkish baker") == [
        ("applicant", "COURT_ROLE"),
        ("Mr", "TITLE"),
        ("Turkish", "NATIONALITY"),
    ]


LANGUAGES = Path(str(files("tacenda.transforms.detecting"))) / "languages"


def test_every_list_is_described_and_has_clean_words():
    found = {name for language in languages() for name in of_language(language, "words")}
    described = parse_yaml((LANGUAGES / "lists.yaml").read_text(encoding="utf-8"))
    assert found == set(described)
    for name in found:
        for language, words in word_lists(name).items():
            lines = of_language(language, "words")[name].splitlines()
            assert len(lines) == len(words)
            assert all(word == word.strip() != "" for word in words)


def test_every_pattern_of_a_language_is_described_and_compiles():
    found = {
        name: re.compile(language_pattern(name)) for of in languages() for name in of_language(of, "patterns")
    }
    assert set(found) == set(parse_yaml((LANGUAGES / "patterns.yaml").read_text(encoding="utf-8")))


def test_a_list_is_that_of_all_languages():
    assert {"january", "enero"} < word_list("months") < word_list("months", "months_abbreviated")
    assert "enero" not in word_lists("months")["en"]
