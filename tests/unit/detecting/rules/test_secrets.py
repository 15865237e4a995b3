"""Keys and passwords wherever they stand, drawn anew from templates."""

import random
import re
import string
import uuid
from pathlib import Path

import pytest
import yaml

from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.detecting.passes.code import drop_code
from tacenda.transforms.detecting.rules.catalogue import default_info_types, ranks
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.text.column import TextColumn
from tests.growth import grows_linearly
from tests.marked_text import unmarked

LISTED = yaml.safe_load(Path(__file__).with_name("secrets.yaml").read_text(encoding="utf-8"))
FOUND_OF_SECRETS = [(name, text) for name, several in LISTED["found"].items() for text in several]
SECRETS = frozenset(LISTED["found"]) | {"ENCRYPTION_KEY", "XSRF_TOKEN", "WEAK_PASSWORD_HASH"}

AROUND = {
    "speech": "okay so I will paste it here {} and that is all of it",
    "code": '```python\nimport shop\n\nconfigure("{}")\n```',
    "settings": "```yaml\nname: shop\n# {}\nreplicas: 2\n```",
    "log": "2026-08-13 12:00:01 INFO app[7]: loaded {} in 12 ms",
    "json": '{{"level": "info", "loaded": "{}"}}',
}

ALPHABETS = {
    "alnum": string.ascii_letters + string.digits,
    "alpha": string.ascii_letters,
    "base32": string.ascii_uppercase + "234567",
    "digit": string.digits,
    "hex": "0123456789abcdef",
    "upper": string.ascii_uppercase + string.digits,
}

DETECTOR = RulesDetector(InspectSettings(default_info_types()))


def drawn(template):
    """The template with its places filled, always in the same way."""
    draw = random.Random(template)

    def fill(place):
        if place[0] == "{uuid}":
            return str(uuid.UUID(int=draw.getrandbits(128), version=4))
        # The first one of each kind: no check may hang on one that happens to be missing.
        alphabet, size = ALPHABETS[place[1]], int(place[2])
        letters = draw.choices(alphabet, k=size)
        if size > 8 and place[1] == "alnum":
            letters[1:4] = "aB7"
        return "".join(letters)

    return re.sub(r"\{uuid\}|\{(\w+):(\d+)\}", fill, template).replace("{{", "{").replace("}}", "}")


def findings(text):
    """What the rules find in a text and what of it counts there."""
    merged = [merge_overlapping(several, ranks()) for several in DETECTOR.find(TextColumn([text]))]
    return drop_code([text], [None], merged)[0]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize(("info_type", "template"), FOUND_OF_SECRETS)
def test_a_secret_is_found_wherever_it_stands(info_type, template, around):
    bare, ((start, end),) = unmarked(drawn(template))
    text = AROUND[around].format(bare)
    found = [(f.info_type, text[f.start : f.end]) for f in findings(text) if f.info_type in SECRETS]
    assert found == [(info_type, bare[start:end])]


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("template", LISTED["ignored"])
def test_text_that_resembles_a_secret_is_not_found(template, around):
    text = AROUND[around].format(drawn(template))
    assert [text[f.start : f.end] for f in findings(text) if f.info_type in SECRETS] == []


def test_private_keys_are_found_whole_in_code_and_as_one_line_of_json():
    lines = ["-----BEGIN RSA PRIVATE KEY-----", drawn("{alnum:64}"), "-----END RSA PRIVATE KEY-----"]
    for joined in ("\n".join(lines), "\\n".join(lines)):
        text = f'```python\nKEY = """{joined}"""\n```'
        assert [(f.info_type, text[f.start : f.end]) for f in findings(text)] == [("ENCRYPTION_KEY", joined)]


@pytest.mark.parametrize("piece", ["token=", "a://b:c", "Server=x;", "SG.", "eyJ", "sk-", "://:@"])
def test_the_search_takes_linear_time(piece):
    assert grows_linearly(lambda size: findings(piece * size), 2_000)
