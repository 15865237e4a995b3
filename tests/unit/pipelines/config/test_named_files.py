import hashlib

import pytest

from tacenda.pipelines.config.document import load_config
from tacenda.pipelines.config.named_files import dictionary_hashes, pin_dictionaries
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
