"""A sample has as much text of a small corpus as of a large one."""

from collections import Counter

from tacenda.models.training.gold_tokens import drawn


def records(source: str, count: int, length: int) -> list[dict]:
    return [{"id": f"{source}{i}", "source": source, "turns": [{"text": "x" * length}]} for i in range(count)]


def test_short_conversations_are_drawn_as_well() -> None:
    several = records("letters", 100, 5_000) + records("chat/a", 2_000, 50) + records("notes", 3, 10)
    taken = drawn(several, 60_000)
    characters = Counter()
    for record in taken:
        characters[record["source"]] += len(record["turns"][0]["text"])
    assert characters["notes"] == 30
    assert abs(characters["letters"] - characters["chat/a"]) <= 5_000
    assert 59_000 <= sum(characters.values()) < 65_000


def test_it_is_the_same_every_time_and_never_twice_the_same_record() -> None:
    several = records("a", 50, 100) + records("b", 50, 100)
    once = [record["id"] for record in drawn(several, 4_000)]
    assert once == [record["id"] for record in drawn(several, 4_000)]
    assert len(set(once)) == len(once)


def test_all_of_little_text_is_taken() -> None:
    several = records("a", 5, 10)
    assert sorted(r["id"] for r in drawn(several)) == sorted(r["id"] for r in several)
    assert drawn([]) == []
