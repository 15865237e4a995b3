from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.writing.staging import FINDINGS_SCHEMA, findings_table


def _finding(start: int, info_type: str = "URL") -> Finding:
    return Finding(start, start + 3, info_type, Likelihood.LIKELY, "rules")


def test_one_row_a_finding_in_the_order_of_the_text() -> None:
    batch = ConversationBatch(
        ids=["a", "b"],
        first_cell=[0, 2, 4],
        texts=["…"] * 4,
        turns=[0, 1, 0, 0],
        parts=[None, None, "content.0.text", "tool_calls.0.arguments.to"],
    )
    findings = [[_finding(5), _finding(9, "AGE")], [], [], [_finding(0)]]
    table = findings_table(batch, findings, [[1, 2], [], [], [1]])
    assert table.schema == FINDINGS_SCHEMA
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        ("a", 0, None, 5, 8, "URL", "LIKELY", "rules", 1),
        ("a", 0, None, 9, 12, "AGE", "LIKELY", "rules", 2),
        ("b", 0, "tool_calls.0.arguments.to", 0, 3, "URL", "LIKELY", "rules", 1),
    ]


def test_nothing_found_is_a_table_without_rows() -> None:
    assert findings_table(ConversationBatch(), [], []).schema == FINDINGS_SCHEMA
