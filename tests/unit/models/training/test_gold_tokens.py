"""Gold beside scores: where a finding can be judged wrong, and which characters are gold."""

import numpy as np
import pytest

from tacenda.models.token_classifier.encoding import TurnEncoder
from tacenda.models.token_classifier.onnx_session import OnnxSession
from tacenda.models.token_classifier.scoring import Scorer
from tacenda.models.training.corpora import LabelScheme
from tacenda.models.training.gold_tokens import covered, judged, score_gold

from .conftest import TINY, gold

CLASSES = ("O", "PERSON_NAME", "STREET_ADDRESS", "LOCATION", "PASSWORD")


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({}, [True] * 5),
        ({"gold": "complete"}, [True] * 5),
        ({"gold": "complete", "complete_for": ["LOCATION"]}, [True] * 5),
        ({"gold": "partial"}, [False] * 5),
        ({"gold": "partial", "complete_for": []}, [False] * 5),
        ({"gold": "partial", "complete_for": ["FIRST_NAME", "CITY"]}, [False, True, True, True, False]),
    ],
)
def test_a_finding_is_wrong_only_where_gold_is_complete_for_it(
    record: dict[str, object], expected: list[bool]
) -> None:
    assert judged(record, CLASSES) == expected


def test_covered_is_the_union_of_ranges() -> None:
    starts, ends = np.array([1, 2, 6]), np.array([3, 4, 7])
    assert covered(starts, ends, 8).tolist() == [False, True, True, True, False, False, True, False]


def test_spans_are_mapped_to_the_joined_text(scheme: LabelScheme, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacenda.models.training.gold_tokens._CHARACTERS_AT_ONCE", 300)
    records = gold(30)
    names = ["O", "PERSON_NAME", "LOCATION"]
    scorer = Scorer(TurnEncoder(TINY / "tokenizer.json"), OnnxSession(TINY / "model.onnx", 4), 4, 16, 4, True)
    scored = score_gold(records, scheme, scorer)
    assert len(scored.parts) > 1
    found = [
        (part.column.text[start:end], names[c])
        for part in scored.parts
        for start, end, c in zip(part.spans.starts, part.spans.ends, part.spans.classes, strict=True)
    ]
    assert found == [
        (turn["text"][s["start"] : s["end"]], s["label"])
        for record in records
        for turn in record["turns"]
        for s in turn["spans"]
    ]
