import pyarrow as pa
import pytest

from transforms.writing.risk import SCHEMA

RECORD = {
    "conversation_id": "a",
    "context": "",
    "source": "gold",
    "score": 5,
    "tags": [{"tag": "PERSON_NAME", "partial": False, "entities": 1, "score": 5}],
    "direct_identifier": True,
}


def test_the_schema_is_the_contracts() -> None:
    assert SCHEMA.names == list(RECORD)
    assert pa.Table.from_pylist([RECORD], schema=SCHEMA).to_pylist() == [RECORD]


@pytest.mark.parametrize("missing", ["conversation_id", "score", "source"])
def test_nothing_in_it_may_be_missing(missing: str) -> None:
    assert not SCHEMA.field(missing).nullable
