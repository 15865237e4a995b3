import pytest
import yaml

from tacenda.transforms.storage.yaml_text import parse_yaml


def test_a_document_is_plain_values() -> None:
    assert parse_yaml('a: [1, "x", null]\n"å": {b: true}\n') == {"a": [1, "x", None], "å": {"b": True}}


@pytest.mark.parametrize("text", ["a: [", "!!python/object/apply:os.getcwd []"])
def test_what_is_no_plain_yaml_is_an_error(text: str) -> None:
    with pytest.raises(yaml.YAMLError):
        parse_yaml(text)
