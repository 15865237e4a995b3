import random

from tacenda.transforms.releasing.recounting import recount
from tacenda.transforms.scoring.statistics import RiskSketch
from tacenda.transforms.scoring.worst import ScoredConversation, worst_of
from tacenda.transforms.writing.staging import RiskRecord, risk_table


def _records(count: int) -> list[RiskRecord]:
    draw = random.Random(7)
    records = []
    for number in range(count):
        names, ages = draw.choice([(0, 0), (0, 0), (0, 2), (1, 0), (2, 1)]), draw.random() < 0.3
        tags = [("PERSON_NAME", False, names[0], 5 * names[0])] if names[0] else []
        tags += [("PERSON_NAME", True, names[1], 3 * names[1])] if names[1] else []
        tags += [("AGE", False, 1, 1)] if ages else []
        score = sum(tag[3] for tag in tags)
        context, source = draw.choice(["", "sales"]), draw.choice(["model", "model", "model", "gold"])
        records.append(RiskRecord(f"c{number:04}", context, source, score, tags, names[0] > 0))
    return records


def test_risk_records_add_up_to_what_was_counted_on_the_way() -> None:
    records = _records(300)
    sketch = RiskSketch()
    missed: dict[str, int] = {}
    for record in records:
        named = any(tag == "PERSON_NAME" for tag, *_ in record.tags)
        sketch.add(record.source, record.context, record.score, record.direct_identifier, named)
        for tag, partial, entities, _ in record.tags:
            key = tag + "_PARTIAL" * partial
            missed[key] = missed.get(key, 0) + entities
    worst = worst_of(
        (r.source, ScoredConversation(r.score, r.direct_identifier, r.context, r.conversation_id))
        for r in records
    )
    tables = [risk_table(records[start : start + 70]) for start in range(0, 300, 70)]
    for order in (tables, tables[::-1], [risk_table(records), risk_table([])]):
        found = recount(order)
        assert found.sketch.to_json() == sketch.to_json()
        assert found.missed == dict(sorted(missed.items()))
        assert (found.records, found.conversations, found.wrong) == (300, 300, 0)
        assert found.worst == worst


def test_a_score_that_is_not_the_sum_of_its_tags_is_wrong() -> None:
    record = RiskRecord("a", "", "model", 0, [("PERSON_NAME", False, 1, 5)], True)
    assert recount([risk_table([record])]).wrong == 1


def test_a_conversation_with_a_record_of_each_source_counts_once() -> None:
    records = [RiskRecord("a", "", source, 0, [], False) for source in ("gold", "model")]
    assert (recount([risk_table(records)]).records, recount([risk_table(records)]).conversations) == (2, 1)
