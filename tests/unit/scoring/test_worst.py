from itertools import permutations

from tacenda.transforms.scoring.worst import (
    MOST,
    ScoredConversation,
    worst_from_json,
    worst_of,
    worst_to_json,
)


def _one(score: int, name: str, direct: bool = False) -> tuple[str, ScoredConversation]:
    return "model", ScoredConversation(score, direct, "sales", name)


def test_the_highest_come_first_then_direct_identifiers_then_ids() -> None:
    told = [_one(3, "b"), _one(3, "a"), _one(9, "z"), _one(3, "c", direct=True), _one(0, "clean")]
    for order in permutations(told):
        assert [one.conversation_id for one in worst_of(order)["model"]] == ["z", "c", "a", "b"]


def test_sources_stay_apart() -> None:
    human = "human", ScoredConversation(1, False, "", "a")
    assert set(worst_of([human, _one(2, "a")])) == {"human", "model"}


def test_they_are_the_same_however_they_were_divided() -> None:
    told = [_one(1 + i % 7, f"c{i:03}") for i in range(5 * MOST)]
    parts = [worst_to_json(worst_of(told[i::3])) for i in range(3)]
    together = worst_of(pair for part in parts for pair in worst_from_json(part))
    assert together == worst_of(told)
    assert len(together["model"]) == MOST
