"""Names that the words around them introduce, in languages that no model was measured in: rules alone."""

from itertools import accumulate
from pathlib import Path

import pytest
import yaml

from tacenda.transforms.detecting.rules.detector import RulesDetector
from tacenda.transforms.detecting.settings import InspectSettings
from tacenda.transforms.text.column import TextColumn
from tests.marked_text import unmarked

BY_LANGUAGE: dict[str, list[str | list[str]]] = yaml.safe_load(
    Path(__file__).with_name("introductions.yaml").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("language", sorted(BY_LANGUAGE))
def test_introduced_names_are_found(language: str) -> None:
    conversations = [[entry] if isinstance(entry, str) else entry for entry in BY_LANGUAGE[language]]
    texts, marks = zip(*(unmarked(turn) for turns in conversations for turn in turns), strict=True)
    column = TextColumn(texts, [0, *accumulate(map(len, conversations))])
    missed = [
        text[start:end]
        for text, spans, found in zip(
            texts,
            marks,
            RulesDetector(InspectSettings(("PERSON_NAME",))).find(column),
            strict=True,
        )
        for start, end in spans
        if not any(finding.start <= start and end <= finding.end for finding in found)
    ]
    assert missed == []
