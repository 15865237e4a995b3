"""Formatted data in sentences from no corpus: rules and spoken detector, counted by language."""

import random
import re
import string
import uuid
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from tacenda.transforms.detecting.overlaps import merge_overlapping
from tacenda.transforms.detecting.passes.code import drop_code
from tacenda.transforms.detecting.rules.catalogue import default_info_types, ranks
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.detecting.spoken.detector import SpokenDetector
from tacenda.transforms.text.column import TextColumn
from tests.growth import grows_linearly
from tests.marked_text import unmarked

Entries = list[str | list[str]]


def _read(name):
    found: dict[str, Entries] = yaml.safe_load(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    return found


FOUND = _read("forms.yaml")
NAMES = {"PERSON_NAME", "LOCATION", "ORGANIZATION_NAME", "NUMERIC"}

"""Left out: what has no form, and the catch-all that would cover any figures."""


class Count(NamedTuple):
    """Marked spans, those fully covered, and letters and digits found, correctly and wrongly."""

    spans: int
    covered: int
    right: int
    wrong: int


@cache
def _detectors():
    settings = InspectSettings(tuple(sorted({*default_info_types(), "DATE", "TIME"} - NAMES)))
    rules = RulesDetector(settings)
    return rules, SpokenDetector(rules, settings)


def _count(entries):
    """One count for each conversation."""
    conversations = [[entry] if isinstance(entry, str) else entry for entry in entries]
    texts, marks = zip(*(unmarked(sentence) for turns in conversations for sentence in turns), strict=True)
    cells = [0, *accumulate(map(len, conversations))]
    rules, spoken = _detectors()
    found = [
        merge_overlapping([*a, *b], ranks())
        for a, b in zip(
            rules.find(TextColumn(texts, cells)), spoken.find(TextColumn(texts, cells)), strict=True
        )
    ]
    counts = []
    for turns, first in zip(conversations, cells, strict=False):
        total = Count(0, 0, 0, 0)
        for cell in range(first, first + len(turns)):
            marked = marks[cell]
            letters = {i for i, c in enumerate(texts[cell]) if c.isalnum()}
            under = letters & {i for f in found[cell] for i in range(f.start, f.end)}
            wanted = letters & {i for start, end in marked for i in range(start, end)}
            covered = sum(letters & set(range(*span)) <= under for span in marked)
            total = _sum([total, Count(len(marked), covered, len(under & wanted), len(under - wanted))])
        counts.append(total)
    return counts


def _sum(counts):
    return Count(*map(sum, zip(*counts, strict=True)))


@cache
def _counts():
    return {language: _sum(_count(entries)) for language, entries in FOUND.items()}


@pytest.mark.slow
def test_formatted_identifiers_are_found_with_high_precision():
    total = _sum(_counts().values())
    assert total.spans > 1000
    assert total.covered / total.spans >= 0.97
    assert total.right / (total.right + total.wrong) >= 0.97


@pytest.mark.parametrize("language", sorted(FOUND))
def test_forms_cover_every_language(language):
    count = _counts()[language]
    assert count.covered >= count.spans - 1
    assert count.right / (count.right + count.wrong) >= 0.93


BY_LANGUAGE: dict[str, list[str | list[str]]] = yaml.safe_load(
    Path(__file__).with_name("introductions.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("language", sorted(BY_LANGUAGE))
def test_introduced_names_are_found(language):
    conversations = [[entry] if isinstance(entry, str) else entry for entry in BY_LANGUAGE[language]]
    texts, marks = zip(*(unmarked(turn) for turns in conversations for turn in turns), strict=True)
    column = TextColumn(texts, [0, *accumulate(map(len, conversations))])
    missed = [
        text[start:end]
        for text, spans, found in zip(
            texts, marks, RulesDetector(InspectSettings(("PERSON_NAME",))).find(column), strict=True
        )
        for start, end in spans
        if not any(finding.start <= start and end <= finding.end for finding in found)
    ]
    assert missed == []


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
