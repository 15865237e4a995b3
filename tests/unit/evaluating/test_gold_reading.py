import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacenda.transforms.evaluating.gold_reading import Coverage, Origin, gold_labels, plan_gold, read_gold
from tacenda.transforms.schema.errors import UserError

TURNS = [{"speaker": "agent", "text": "Hi Ann", "spans": [{"start": 3, "end": 6, "label": "PERSON_NAME"}]}]
RECORDS = [
    {"id": "a", "turns": TURNS, "gold": "complete", "complete_for": ["DATE"], "lang": "en", "source": "x"},
    {"id": "b", "turns": TURNS, "gold": "partial", "complete_for": ["CITY", "LAST_NAME"], "lang": None},
    {"id": "c", "turns": TURNS, "gold": "partial", "complete_for": []},
    {"id": "d", "turns": TURNS},
]


def read(path, **options):
    plan = plan_gold([str(path)], 1 << 20)
    return [gold for part in plan.parts for gold in read_gold(part, plan.shape, gold_labels(), **options)]


@pytest.fixture(params=["jsonl", "parquet"])
def path(request, tmp_path):
    path = tmp_path / f"gold.{request.param}"
    if request.param == "parquet":
        pq.write_table(pa.Table.from_pylist(RECORDS), path)
    else:
        path.write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    return path


def test_the_gold_fields_are_read_from_both_formats(path):
    [gold] = read(path)
    assert gold.batch.ids == ["a", "b", "c", "d"]
    assert gold.coverages == [
        Coverage(True, frozenset({"DATE"})),
        Coverage(False, frozenset({"LOCATION", "PERSON_NAME"})),
        Coverage(False, frozenset()),
        Coverage(False, frozenset()),
    ]
    assert gold.origins == [Origin("en", "x"), *[Origin("", "")] * 3]
    assert [spans[0].label for spans in gold.batch.spans] == ["PERSON_NAME"] * 4


def test_gold_without_the_field_can_be_treated_as_complete(path):
    [gold] = read(path, complete_by_default=True)
    assert [coverage.complete for coverage in gold.coverages] == [True, False, False, True]


def test_bad_records_are_rejections_and_a_bad_field_is_the_users_mistake(tmp_path):
    path = tmp_path / "gold.jsonl"
    path.write_text(json.dumps(RECORDS[0]) + '\n{"id": "a"}\n')
    assert [r.error for gold in read(path) for r in gold.rejections] == ["MissingField"]
    path.write_text(json.dumps({**RECORDS[0], "complete_for": "DATE"}) + "\n")
    with pytest.raises(UserError, match="complete_for"):
        read(path)
