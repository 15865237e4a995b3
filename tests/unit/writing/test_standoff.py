from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.writing.standoff import SCHEMA, standoff_table


def _finding(start: int, info_type: str = "URL") -> Finding:
    return Finding(start, start + 3, info_type, Likelihood.LIKELY, "rules")


def test_one_row_a_place_before_and_after() -> None:
    batch = ConversationBatch(
        ids=["a", "b"],
        first_cell=[0, 2, 3],
        texts=["…"] * 3,
        turns=[0, 1, 0],
        parts=[None, None, "content.0.text"],
    )
    findings = [[_finding(5), _finding(9, "AGE")], [], [_finding(0)]]
    table = standoff_table(batch, findings, [[1, 2], [], [1]], [["[URL_1]", ""], [], ["x"]])
    assert table.schema == SCHEMA
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        ("a", 0, None, 5, 8, 5, 12, "URL", 1),
        ("a", 0, None, 9, 12, 13, 13, "AGE", 2),
        ("b", 0, "content.0.text", 0, 3, 0, 1, "URL", 1),
    ]


def test_nothing_replaced_is_a_table_without_rows() -> None:
    assert standoff_table(ConversationBatch(), [], [], []).schema == SCHEMA
