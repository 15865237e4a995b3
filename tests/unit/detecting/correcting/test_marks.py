import pytest

from tacenda.transforms.detecting.correcting.marks import (
    Marks,
    Protected,
    all_marks,
    divided,
    listed,
    overlaid,
)
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.text.column import TextColumn


def _at(start: int, end: int, info_type: str = "PERSON_NAME") -> Finding:
    return Finding(start, end, info_type, Likelihood.LIKELY, "rules")


@pytest.mark.parametrize(
    ("finding", "left"),
    [
        (_at(4, 8), True),
        (_at(5, 7), True),
        (_at(3, 9), True),  # the blank and the comma
        (_at(0, 8), False),
        (_at(4, 12), False),
        (_at(4, 8, "URL"), False),
    ],
)
def test_findings_within_a_mark_are_kept_readable(finding: Finding, left: bool) -> None:
    text = "ask Will, yes"
    protected = [Protected(4, 8, frozenset({"PERSON_NAME"}), "protect")]
    replaced, readable = divided(text, [finding], protected)
    assert replaced == ([] if left else [finding])
    assert readable == ({"protect": [finding]} if left else {})


def test_suppressed_ranges_absorb_overlapping_findings() -> None:
    findings = [_at(0, 3), _at(5, 9), _at(12, 14)]
    assert overlaid(findings, [listed(8, 13, "ORGANIZATION_NAME")]) == [
        _at(0, 3),
        listed(5, 14, "ORGANIZATION_NAME"),
    ]
    assert overlaid(findings, []) == findings
    assert overlaid([], [listed(1, 2, "AGE")]) == [listed(1, 2, "AGE")]


class Fixed:
    def __init__(self, marks: Marks) -> None:
        self._marks = marks

    def marks(self, batch: ConversationBatch, column: TextColumn) -> Marks:
        return self._marks


def test_conflicting_marks_lead_to_replacement() -> None:
    protected = [Protected(0, 4, None, "protect"), Protected(6, 9, None, "protect")]
    markings = [Fixed(Marks({0: protected})), Fixed(Marks({}, {0: [listed(3, 5, "AGE")]}))]
    marks = all_marks(markings, ConversationBatch(), TextColumn([]))
    assert marks.protected == {0: protected[1:]}
    assert marks.suppressed == {0: [listed(3, 5, "AGE")]}
