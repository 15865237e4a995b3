import gc

import pytest

from tacenda.pipelines.work.gc_pause import collect_young, gc_paused


def test_the_collector_rests_inside_and_works_again_outside() -> None:
    assert gc.isenabled()
    with gc_paused():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_works_again_after_an_error() -> None:
    with pytest.raises(ValueError), gc_paused():
        raise ValueError
    assert gc.isenabled()


def test_blocks_may_overlap_as_those_of_threads_do() -> None:
    first, second = gc_paused(), gc_paused()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()


def test_who_had_turned_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        with gc_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_young_cycles_go_though_the_collector_rests() -> None:
    class Node:
        pass

    alive: list[int] = []
    with gc_paused():
        node = Node()
        node.itself = node  # type: ignore[attr-defined]
        node.sign = _Sign(alive)  # type: ignore[attr-defined]
        del node
        assert not alive
        collect_young()
        assert alive == [1]


class _Sign:
    def __init__(self, gone: list[int]) -> None:
        self._gone = gone

    def __del__(self) -> None:
        self._gone.append(1)
