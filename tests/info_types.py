"""The form of infoType files, which the package trusts: ``schema.yaml``, and names and patterns that exist."""

from functools import cache

from jsonschema.validators import validator_for

from tacenda.transforms.detecting.patterns.scanning import compiled
from tacenda.transforms.detecting.rules.catalogue import read_info_type
from tacenda.transforms.detecting.rules.fitting import FITS
from tacenda.transforms.detecting.rules.validators import VALIDATORS
from tacenda.transforms.storage.yaml_text import data_file, parse_yaml


@cache
def _form():
    schema = data_file("tacenda.transforms.detecting.rules", "schema.yaml")
    schema = {**schema, "$ref": "#/$defs/info_type"}
    return validator_for(schema)(schema).validate


def checked_info_type(text):
    """The infoType of a file."""
    _form()(parse_yaml(text))
    info_type = read_info_type(text)
    for pattern in info_type.patterns:
        assert 0 <= pattern.group <= compiled(pattern.regex).groups, pattern.regex
        assert {*pattern.validators} <= VALIDATORS.keys(), pattern.regex
        assert pattern.fit is None or pattern.fit in FITS, pattern.regex
    for hotword in info_type.hotwords:
        compiled(hotword.regex)
    return info_type
