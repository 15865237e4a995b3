import pyarrow as pa
import pytest

from tacenda.transforms.writing.staging import RISK_SCHEMA, TAG, RiskRecord, risk_table

RECORDS = [
    RiskRecord("a", "", "gold", 5, [("PERSON_NAME", False, 1, 5)], True, None, ["0f" * 8]),
    RiskRecord("b", "sales", "model", 0, [], False, None, []),
    RiskRecord(
        "c", "sales", "human", 3, [("AGE", True, 2, 2), ("LOCATION", False, 1, 1)], False, "1c" * 8, []
    ),
]


def test_records_are_rows_of_the_contracts_schema() -> None:
    table = risk_table(RECORDS)
    table.validate(full=True)
    assert table.schema == RISK_SCHEMA
    expected = [
        {**record._asdict(), "tags": [dict(zip(TAG.names, tag, strict=True)) for tag in record.tags]}
        for record in RECORDS
    ]
    assert table.to_pylist() == expected
    assert table == pa.Table.from_pylist(expected, schema=RISK_SCHEMA)
    assert RISK_SCHEMA.names == list(RiskRecord._fields)


def test_records_without_tags_and_none_at_all() -> None:
    assert risk_table(RECORDS[1:2]).to_pylist() == [RECORDS[1]._asdict()]
    assert risk_table([]) == RISK_SCHEMA.empty_table()


@pytest.mark.parametrize("missing", ["conversation_id", "score", "source"])
def test_nothing_in_it_may_be_missing(missing: str) -> None:
    assert not RISK_SCHEMA.field(missing).nullable
