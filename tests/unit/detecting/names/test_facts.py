import numpy as np

from tacenda.transforms.detecting.names.facts import Facts, FactTable, gathered


def test_levels_and_flags_are_distinguished() -> None:
    random = np.random.default_rng(1)
    levels = {f"level {i}": random.integers(0, 4, 50, dtype=np.uint8) for i in range(5)}
    flags = {f"flag {i}": random.integers(0, 2, 50).astype(np.bool_) for i in range(17)}
    kinds = random.integers(0, 50, 1000, dtype=np.uint16)
    facts = Facts(FactTable(levels, flags), kinds)
    for name, level in levels.items():
        assert (facts.level(name) == level[kinds]).all()
    for name, flag in flags.items():
        assert (facts.flag(name) == flag[kinds]).all()


def test_facts_of_many_words_are_gathered() -> None:
    table = np.arange(300, dtype=np.uint16)
    kinds = np.arange(200_000) % 300
    assert (gathered(table, kinds) == kinds).all()
    assert len(gathered(table, kinds[:0])) == 0
