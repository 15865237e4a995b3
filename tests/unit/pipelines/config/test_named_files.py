import hashlib

import pytest

from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.config.named_files import (
    config_hash,
    dictionary_hashes,
    load_answers,
    pin_dictionaries,
    redacted,
)
from tacenda.pipelines.config.sections import inspect_settings
from tacenda.transforms.schema.errors import UserError


def _settings(folder, names, common):
    config = folder / "c.yaml"
    config.write_text(f"""
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
    return inspect_settings(load_config(str(config)))


def test_every_file_that_the_config_names_is_hashed(tmp_path):
    names, common = tmp_path / "names.txt", tmp_path / "common.txt"
    names.write_text("Jim\n")
    common.write_text("will\n")
    assert dictionary_hashes(pin_dictionaries(_settings(tmp_path, names, common))) == {
        str(common): hashlib.sha256(b"will\n").hexdigest(),
        str(names): hashlib.sha256(b"Jim\n").hexdigest(),
    }


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xff\xfe\n"])
def test_a_file_that_is_no_dictionary_is_reported_at_once(tmp_path, content):
    names, common = tmp_path / "names.txt", tmp_path / "common.txt"
    names.write_bytes(content)
    common.write_text("will\n")
    with pytest.raises(UserError, match=r"names\.txt"):
        pin_dictionaries(_settings(tmp_path, names, common))


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


def test_answers_are_read_from_a_file(tmp_path):
    file = tmp_path / "context.yaml"
    file.write_text('purpose: "An assistant."\nharm: ""\n', "utf-8")
    assert load_answers(str(file)) == {"purpose": "An assistant."}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, "check the path|no such file"),
        (b"\xff", "not UTF-8"),
        (b"{", "not YAML"),
        (b"- a", "not a form"),
    ],
)
def test_a_file_that_is_no_form_is_refused(tmp_path, content, told):
    file = tmp_path / "context.yaml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UserError, match=told):
        load_answers(str(file))
