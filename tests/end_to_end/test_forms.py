"""Formatted data in sentences from no corpus: the default detectors, and the rules on dates and times."""

from itertools import accumulate
from pathlib import Path

import pytest
import yaml

from tacenda.config import Config
from tacenda.pipelines.chain.build import build_chain
from tacenda.pipelines.chain.detecting import find
from tacenda.settings import settings_of
from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.text.column import TextColumn
from tests.marked_text import unmarked

FORMS = yaml.safe_load(Path(__file__).with_name("forms.yaml").read_text(encoding="utf-8"))
COVERED = ("da", "en", "es", "fi", "no", "sv")


def _found(language):
    """Marked spans of a language that are wholly covered, and all of them."""
    conversations = [[entry] if isinstance(entry, str) else entry for entry in FORMS[language]]
    texts, marks = zip(*(unmarked(turn) for turns in conversations for turn in turns), strict=True)
    column = TextColumn(texts, [0, *accumulate(map(len, conversations))])
    chain = build_chain(settings_of(Config(), "inspect")[0])
    dates = RulesDetector(InspectSettings(("DATE", "TIME"))).find(column)
    covered = []
    for text, spans, *several in zip(
        texts, marks, find(chain.detectors, column, doubts=chain.doubts).sure, dates, strict=True
    ):
        under = {i for findings in several for f in findings for i in range(f.start, f.end)}
        covered += [all(i in under for i in range(*span) if text[i].isalnum()) for span in spans]
    return sum(covered), len(covered)


@pytest.mark.slow
def test_formatted_data_is_found_in_every_language():
    counts = {language: _found(language) for language in FORMS}
    found, of = map(sum, zip(*counts.values(), strict=True))
    assert of > 1000
    assert found / of >= 0.95
    assert {language for language in COVERED if counts[language][0] < 0.92 * counts[language][1]} == set()
