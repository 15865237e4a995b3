"""A config file becomes settings, or one line with the place of what is wrong."""

import hashlib
import json
from pathlib import Path

import pytest

from tacenda.models.token_classifier.loading import embedded_path
from tacenda.pipelines.chain.build import build_replacer, key_fingerprints
from tacenda.pipelines.chain.chain import TOKENS
from tacenda.pipelines.config.document import config_of, load_config, own_sections
from tacenda.pipelines.config.named_files import (
    config_hash,
    dictionary_hashes,
    load_answers,
    pin_dictionaries,
    redacted,
)
from tacenda.pipelines.config.sections import (
    describe_replacement,
    effective_config,
    inspect_section,
    inspect_settings,
    read_replacement,
    refuse_unknown_kept,
    refuse_unscored,
    risk_settings,
)
from tacenda.transforms.detecting.inspect_config import unheeded
from tacenda.transforms.detecting.presets import presets
from tacenda.transforms.detecting.rules.catalogue import default_info_types
from tacenda.transforms.replacing.policies import ReplacerByInfoType
from tacenda.transforms.replacing.settings import DRAWN, ReplacementSettings
from tacenda.transforms.schema.errors import UserError
from tests.cases import tabled
from tests.marked_conversations import linked

TINY = str(Path(__file__).parents[3] / "golden" / "tiny_masked_lm")


@pytest.fixture
def read(tmp_path):
    def write(text, name="c.yaml"):
        path = tmp_path / name
        path.write_text(text if isinstance(text, str) else json.dumps(text), encoding="utf-8")
        return load_config(str(path))

    return write


def test_yaml_and_json_give_the_same(read):
    assert load_config(None).section("inspect") == {}
    yaml, json = read("risk:\n  threshold: 4\n"), read('{"risk": {"threshold": 4}}', "c.json")
    assert yaml.data == json.data == {"risk": {"threshold": 4}}


@tabled("name", "text", "message")
def test_a_mistake_is_one_line_with_its_place(read, name, text, message):
    with pytest.raises(UserError) as caught:
        read(text, name)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_keys_are_taken_as_they_are_written(read):
    loaded = read(r'{"risk": {"labels": {"\ud83d\ude00": "unscored"}}}', "c.json")
    assert loaded.data == {"risk": {"labels": {"😀": "unscored"}}}
    assert (
        len(read("risk:\n  labels: {staffId: unscored, staff_id: unscored}\n").section("risk")["labels"]) == 2
    )
    loaded = read("risk:\n  labels:\n    A.B: X\n    A:\n      B: Y\n")
    assert loaded.data == {"risk": {"labels": {"A.B": "X", "A": {"B": "Y"}}}}
    with pytest.raises(UserError, match=r":1: 'A\.B' occurs twice"):
        read("{A.B: 1, A.B: 2}")


def test_a_missing_file_is_named_with_its_option(tmp_path):
    for option in ("--config", "--compare-config"):
        with pytest.raises(UserError, match=rf"^{option} [^\n]*: cannot be read"):
            load_config(str(tmp_path), option)
    with pytest.raises(UserError, match=r"nowhere\.yaml: no such file"):
        load_config(str(tmp_path / "nowhere.yaml"))


def test_an_error_finds_the_line_of_the_nearest_key(read):
    document = read("inspect:\n  custom_info_types:\n    - info_type: {name: A}\n")
    error = document.error("inspect.custom_info_types[0].regex.pattern", "bad")
    assert str(error).endswith("c.yaml:3: inspect.custom_info_types[0].regex.pattern: bad")


def test_anchors_that_multiply_are_refused_at_once(read):
    levels = [f"  x{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    with pytest.raises(UserError, match=r"c\.yaml: its anchors are repeated more than"):
        read("\n".join(["risk:", "  x0: &a0 [x]", *levels]))


@tabled("text")
@pytest.mark.parametrize("name", ["c.yaml", "c.json"])
def test_error_messages_do_not_quote_the_config(read, text, name):
    if name == "c.json":
        text = '{"inspect": {"Dwight Schrute": 1, "Dwight Schrute": 2}}'
    with pytest.raises(UserError) as caught:
        read(text, name)
    assert "chrute" not in str(caught.value)


def _take_all(document):
    """Read every section as a run does."""
    for section in own_sections():
        document.settings(section)
    read_replacement(document)
    inspect_settings(document)
    risk_settings(document)


@tabled("text", "told")
def test_a_wrong_section_is_one_line(read, text, told):
    with pytest.raises(UserError) as caught:
        _take_all(read(text.replace("TINY", TINY).replace("OTHER", str(embedded_path()))))
    assert told in str(caught.value)
    assert "c.yaml:" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "hunter" not in str(caught.value)


def test_a_key_without_a_value_counts_as_missing(read):
    _take_all(read("risk: {preset: , labels: }\nmodels:\nlanguages: {accepted: }\noutput:\n"))
    risk = risk_settings(load_config(None))
    assert (risk.preset, risk.threshold, risk.variant_clustering) == ("appendix", 5, False)


CUSTOM = "inspect:\n  custom_info_types:\n    - info_type: {name: BADGE}\n      regex: {pattern: 'B[0-9]+'}\n"


def test_an_info_type_without_a_score_is_refused(read):
    def refuse(document):
        refuse_unscored(document, inspect_settings(document), risk_settings(document).table())

    with pytest.raises(
        UserError, match=r"c\.yaml:2: inspect\.custom_info_types: infoType BADGE has no score"
    ):
        refuse(read(CUSTOM))
    for meaning in ("unscored", "GENERIC_ID"):
        refuse(read(f"{CUSTOM}risk:\n  labels: {{BADGE: {meaning}}}\n"))


def test_the_effective_config_says_what_was_left_out():
    document = load_config(None)
    config = effective_config(document, inspect_settings(document), risk_settings(document))
    assert config["risk"]["preset"] == "appendix"
    assert config["inspect"]["min_likelihood"] == "POSSIBLE"
    assert {"name": "PERSON_NAME"} in config["inspect"]["info_types"]


AGE, DATE = {"name": "AGE"}, {"name": "DATE"}
MORE = {"also": ["DATE", "TITLE"]}


@pytest.mark.parametrize(
    ("data", "names"),
    [
        ({"look_for": {}}, default_info_types()),
        ({"look_for": MORE}, (*default_info_types(), *MORE["also"])),
        ({"inspect": {"info_types": [AGE, DATE]}, "look_for": MORE}, ("AGE", "DATE", "TITLE")),
        ({"inspect": {"infoTypes": [AGE, DATE]}, "look_for": MORE}, ("AGE", "DATE", "TITLE")),
    ],
)
def test_infotypes_are_added_to_those_of_the_user_or_the_default_ones(data, names):
    assert {*inspect_settings(config_of(data)).info_types} == {*names}
    assert inspect_section(config_of({"inspect": {"info_types": [AGE]}})) == {"info_types": [AGE]}


def test_a_preset_adds_infotypes_and_terms_beside_the_users_own():
    own = {"info_type": {"name": "MEDICAL_TERM"}, "dictionary": {"word_list": {"words": ["the blues"]}}}
    data = {"inspect": {"custom_info_types": [own]}, "look_for": {"presets": ["clinical"]}}
    settings = inspect_settings(config_of(data))
    assert set(settings.info_types) == {*default_info_types(), *presets()["clinical"].info_types}
    assert len(settings.custom) == 1 + len(presets()["clinical"].custom)


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


def _deidentify(transformation):
    return {"infoTypeTransformations": {"transformations": [transformation]}}


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
        {**EXPORTED, "risk": {"threshold": 4}},
    ],
)
def test_a_template_is_a_config_beside_which_our_own_sections_may_stand(read, data):
    document = read(data, "t.json")
    read_replacement(document)
    assert inspect_settings(document) == inspect_settings(read({"inspect": INSPECT}, "own.json"))
    assert document.section("risk") == data.get("risk", {})


def test_what_has_no_effect_is_noted(read):
    some = {**REPLACE, "infoTypes": [{"name": "URL", "version": "latest"}]}
    document = read({**EXPORTED, "deidentifyConfig": _deidentify(some)}, "t.json")
    notes = [*unheeded(document.section("inspect")), *read_replacement(document)[1]]
    assert [note.partition(" has no effect: ")[0] for note in notes] == [
        "inspect.include_quote",
        "inspect.limits",
        "deidentify.info_type_transformations.transformations[0].info_types[0].version",
    ]


def test_a_mistake_in_a_template_is_reported_with_its_line(read):
    text = "inspectTemplate:\n  displayName: x\n  inspectConfig:\n    infoTypes:\n    - name: URLS\n"
    with pytest.raises(
        UserError, match=r"c\.yaml:5: inspectTemplate\.inspectConfig\.infoTypes\[0\]\.name: infoType URLS"
    ):
        inspect_settings(read(text))


@tabled("data", "message")
def test_an_invalid_template_is_rejected(read, data, message):
    with pytest.raises(UserError, match=r"t\.json") as error:
        inspect_settings(read(data, "t.json"))
    assert message in str(error.value)


@tabled("config", "message")
@pytest.mark.parametrize("template", [True, False])
def test_invalid_fields_are_refused_by_name(read, config, message, template):
    data = {"deidentifyTemplate": {"deidentifyConfig": config}} if template else {"deidentify": config}
    with pytest.raises(UserError, match=r"t\.json") as error:
        read_replacement(read(data, "t.json"))
    assert message in str(error.value)
    assert "Pam" not in str(error.value)


def _with_files(read, names, common):
    return inspect_settings(
        read(f"""
inspect:
  custom_info_types:
    - info_type: {{name: PERSON_NAME}}
      dictionary: {{cloud_storage_path: {{path: "{names}"}}}}
    - info_type: {{name: PERSON_NAME}}
      dictionary: {{word_list: {{words: ["Pam"]}}}}
  rule_set:
    - info_types: [{{name: PERSON_NAME}}]
      rules:
        - exclusion_rule:
            dictionary: {{cloud_storage_path: {{path: "{common}"}}}}
            matching_type: MATCHING_TYPE_FULL_MATCH
""")
    )


def test_every_dictionary_is_hashed_and_what_is_none_is_reported_at_once(read, tmp_path):
    names, common = tmp_path / "names.txt", tmp_path / "common.txt"
    names.write_text("Jim\n")
    common.write_text("will\n")
    assert dictionary_hashes(pin_dictionaries(_with_files(read, names, common))) == {
        str(common): hashlib.sha256(b"will\n").hexdigest(),
        str(names): hashlib.sha256(b"Jim\n").hexdigest(),
    }
    for content in (b"", b"\n \n", b"\xff\xfe\n"):
        names.write_bytes(content)
        with pytest.raises(UserError, match=r"names\.txt"):
            pin_dictionaries(_with_files(read, names, common))


def test_what_may_name_people_is_reported_by_size_and_urls_without_password():
    config = {
        "a": [{"dictionary": {"word_list": {"words": ["Pam", "Jim"]}}}],
        "b": {
            "wordList": {"words": ["x"]},
            "cloud_storage_path": {"path": "http://pam:secret@host/names.txt"},
        },
        "regex": {"pattern": "(?i)pam"},
        "output": {"roles": {"Pam": "user", "Jim": "user", "bot": "assistant"}},
    }
    assert redacted(config) == {
        "a": [{"dictionary": {"word_list": {"words": 2}}}],
        "b": {"wordList": {"words": 1}, "cloud_storage_path": {"path": "http://host/names.txt"}},
        "regex": {"pattern": {"characters": 7}},
        "output": {"roles": {"user": 2, "assistant": 1}},
    }


def test_the_hash_sees_the_words_and_not_the_order_of_keys():
    assert config_hash({"a": 1, "b": 2}) == config_hash({"b": 2, "a": 1})
    one, other = ({"word_list": {"words": [word]}} for word in ("Pam", "Jim"))
    assert redacted(one) == redacted(other)
    assert config_hash(one) != config_hash(other)


def test_answers_are_read_from_a_file_that_is_a_form(tmp_path):
    file = tmp_path / "context.yaml"
    with pytest.raises(UserError, match="no such file"):
        load_answers(str(file))
    for content, told in ((b"\xff", "not UTF-8"), (b"{", "not YAML"), (b"- a", "not a form")):
        file.write_bytes(content)
        with pytest.raises(UserError, match=told):
            load_answers(str(file))
    file.write_text('purpose: "An assistant."\nharm: ""\n', "utf-8")
    assert load_answers(str(file)) == {"purpose": "An assistant."}


@pytest.fixture
def replacement(read):
    return lambda section: read_replacement(read(f"replacement: {section}".replace("TINY", TINY)))[0]


def test_tokens_are_the_default_replacement(replacement):
    assert replacement("{}") == ReplacementSettings()
    assert build_replacer(ReplacementSettings()) is TOKENS
    assert isinstance(build_replacer(replacement("{info_types: {DATE: tokens}}")), ReplacerByInfoType)


def test_the_schema_knows_every_replacer():
    properties = own_sections()["replacement"]["properties"]
    assert {*properties["default"]["enum"]} == {"tokens", *DRAWN}
    assert properties["info_types"]["additionalProperties"]["enum"] == properties["default"]["enum"]


def test_what_is_kept_is_looked_for(read):
    document = read("replacement: {keep: {DATES: the season matters}}")
    settings = read_replacement(document)[0]
    with pytest.raises(UserError, match=r"c\.yaml:1: replacement\.keep\.DATES: is not looked for"):
        refuse_unknown_kept(document, settings, ["DATE"])
    refuse_unknown_kept(document, settings, ["DATES"])


def test_the_fingerprint_depends_on_the_key_without_revealing_it(replacement, monkeypatch):
    settings = replacement("{secret: 'env:A_KEY', keep: {DATE: why}}")
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
    prints = []
    for secret in ("hunter2hunter2hunter2", "hunter3hunter3hunter3"):
        monkeypatch.setenv("A_KEY", secret)
        prints.append(key_fingerprints(settings))
    assert prints[0] != prints[1]
    assert "hunter" not in str(prints)


def test_a_model_runs_only_for_its_info_types(replacement, monkeypatch):
    monkeypatch.setenv("A_KEY", "a secret of the tests")
    section = "info_types: {LOCATION: masked_lm}, secret: 'env:A_KEY', masked_lm: {path: TINY}"
    replacer = build_replacer(replacement(f"{{{section}}}"))
    marked = linked(["from is <LOCATION:Pam>, is <PERSON_NAME:Jim>"])
    place, person = replacer.values(marked).findings[0]
    assert (place in ("Eva", "Mia", "Ines", "Moss", "Berg"), person) == (True, "[PERSON_NAME_1]")


@tabled("section", "told")
def test_what_is_drawn_is_reported(replacement, section, told):
    settings = replacement(section)
    described = describe_replacement(settings)
    if settings.masked_lm is not None:
        assert described["masked_lm"].pop("fingerprint") == settings.masked_lm.fingerprint
    drawn = ("surrogates", "hidden_in_plain_sight", "masked_lm")
    assert {name: described[name] for name in drawn if name in described} == told
    assert described["pseudonymised"]
