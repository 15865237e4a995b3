import gc

import pytest

from tacenda.pipelines.work.gc_pause import collect_young, gc_paused


def test_garbage_collection_resumes_after_an_error():
    with pytest.raises(ValueError), gc_paused():
        raise ValueError
    assert gc.isenabled()


def test_blocks_may_overlap_as_those_of_threads_do():
    first, second = gc_paused(), gc_paused()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert gc.isenabled()


def test_young_objects_are_collected_during_a_pause():
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
    def __init__(self, gone):
        self._gone = gone

    def __del__(self):
        self._gone.append(1)
