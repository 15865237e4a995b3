"""Nobody is on both sides, splits are stable, and smaller portions are subsets of larger ones."""

from itertools import pairwise
from typing import Any

import pytest

from tacenda.models.training.splitting import portion, split, words_of
from tacenda.transforms.schema.errors import UserError

from .conftest import gold


@pytest.mark.parametrize("field", [None, "subject_id"])
def test_no_group_is_on_both_sides_and_none_is_lost(field: str | None) -> None:
    records = gold(400)
    train, dev = split(records, 0.2, field)
    key = field or "id"
    assert not {r[key] for r in train} & {r[key] for r in dev}
    assert sorted(r["id"] for r in (*train, *dev)) == sorted(r["id"] for r in records)
    assert 0.1 < len(dev) / len(records) < 0.3


def test_copies_of_a_conversation_go_to_one_side() -> None:
    records = [*gold(50), *gold(50)]
    train, dev = split(records, 0.3)
    assert not {r["id"] for r in train} & {r["id"] for r in dev}
    assert len(dev) % 2 == 0


def test_copies_under_another_name_go_to_one_side() -> None:
    records = gold(200)
    copies = [{**r, "id": f"copy{i}", "source": "other"} for i, r in enumerate(records)]
    train, dev = split([*records, *copies], 0.3)
    assert not {words_of(r) for r in train} & {words_of(r) for r in dev}
    assert 0.15 < len(dev) / 400 < 0.45


def test_conversations_linked_through_others_stay_together() -> None:
    def record(name: str, text: str) -> dict[str, Any]:
        return {"source": "x", "id": name, "turns": [{"text": text}]}

    chain = [record("a", "1"), record("b", "2"), record("b", "3"), record("c", "3"), record("a", "2")]
    for share in (0.1, 0.5, 0.9):
        train, dev = split([*chain, record("d", "4")], share)
        assert sorted((len(train), len(dev))) == [1, 5]


def test_sides_depend_on_the_group_and_not_on_the_others() -> None:
    records = gold(400)
    _, dev = split(records, 0.2)
    _, again = split(records[::-1], 0.2)
    _, of_half = split(records[:200], 0.2)
    assert {r["id"] for r in dev} == {r["id"] for r in again}
    assert {r["id"] for r in of_half} == {r["id"] for r in dev} & {r["id"] for r in records[:200]}


@pytest.mark.parametrize("share", [1e-9, 1 - 1e-9])
def test_both_sides_have_groups(share: float) -> None:
    train, dev = split(gold(2), share)
    assert (len(train), len(dev)) == (1, 1)


def test_a_field_of_the_metadata_counts() -> None:
    records = [{**r, "metadata": {"caller": r["subject_id"]}} for r in gold(40)]
    assert split(records, 0.3, "caller") == split(records, 0.3, "subject_id")


def test_refuses_one_group_and_a_field_that_is_not_there() -> None:
    with pytest.raises(UserError, match="gold has 1 conversations"):
        split(gold(1), 0.1)
    with pytest.raises(UserError, match="--split-by caller: a gold conversation has no such field"):
        split(gold(9), 0.1, "caller")


def test_a_smaller_portion_is_part_of_a_larger_one() -> None:
    records = gold(100)
    parts = [{r["id"] for r in portion(records, share)} for share in (0.25, 0.5, 0.75, 1.0)]
    assert [len(part) for part in parts] == [25, 50, 75, 100]
    assert all(small < large for small, large in pairwise(parts))
