"""What has a form, in sentences that stand in no corpus: the rules and the spoken view, counted by language."""

import re
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from transforms.detecting.catalogue import default_info_types, ranks
from transforms.detecting.rules import RulesDetector
from transforms.detecting.settings import InspectSettings
from transforms.detecting.spoken import SpokenDetector
from transforms.detecting.union import resolve

LANGUAGES: dict[str, list[str | list[str]]] = yaml.safe_load(
    Path(__file__).with_name("forms.yaml").read_text(encoding="utf-8")
)
NAMES = {"PERSON_NAME", "LOCATION", "ORGANIZATION_NAME", "NUMERIC"}
"""Left out: what has no form, and the catch-all that would cover any figures."""


class Count(NamedTuple):
    """Marked spans, those wholly covered, and letters and digits found, rightly and wrongly."""

    spans: int
    covered: int
    right: int
    wrong: int


@cache
def _counts() -> dict[str, Count]:
    settings = InspectSettings(tuple(sorted({*default_info_types(), "DATE", "TIME"} - NAMES)))
    rules = RulesDetector(settings)
    spoken = SpokenDetector(rules, settings)
    counts = {}
    for language, entries in LANGUAGES.items():
        conversations = [[entry] if isinstance(entry, str) else entry for entry in entries]
        sentences = [sentence for turns in conversations for sentence in turns]
        texts = [re.sub(r"\[\[|\]\]", "", sentence) for sentence in sentences]
        cells = [0, *accumulate(map(len, conversations))]
        found = [
            resolve([*a, *b], ranks())
            for a, b in zip(rules.find(texts, cells), spoken.find(texts, cells), strict=True)
        ]
        total = Count(0, 0, 0, 0)
        for sentence, text, findings in zip(sentences, texts, found, strict=True):
            marked = _marked(sentence)
            letters = {i for i, c in enumerate(text) if c.isalnum()}
            under = letters & {i for f in findings for i in range(f.start, f.end)}
            wanted = letters & {i for start, end in marked for i in range(start, end)}
            covered = sum(letters & set(range(*span)) <= under for span in marked)
            one = Count(len(marked), covered, len(under & wanted), len(under - wanted))
            total = Count(*map(sum, zip(total, one, strict=True)))
        counts[language] = total
    return counts


def _marked(sentence: str) -> list[tuple[int, int]]:
    spans = []
    for k, match in enumerate(re.finditer(r"\[\[(.*?)\]\]", sentence, re.DOTALL)):
        start = match.start() - 4 * k
        spans.append((start, start + len(match[1])))
    return spans


def test_nearly_all_that_has_a_form_is_found_and_little_else() -> None:
    total = Count(*map(sum, zip(*_counts().values(), strict=True)))
    assert total.spans > 300
    assert total.covered / total.spans >= 0.97
    assert total.right / (total.right + total.wrong) >= 0.97


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_no_language_is_left_behind(language: str) -> None:
    count = _counts()[language]
    assert count.covered >= count.spans - 1
    assert count.right / (count.right + count.wrong) >= 0.93
