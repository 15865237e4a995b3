"""Batches keep the order, are as full as allowed, and never fuller."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tacenda.models.cloud_dlp.detector import halves, packed


def test_neighbours_share_a_pack_as_long_as_they_fit() -> None:
    assert list(packed("abcde", [4, 5, 1, 9, 2], 10, 3)) == [["a", "b", "c"], ["d"], ["e"]]


def test_a_pack_has_a_greatest_number_of_items() -> None:
    assert list(packed("abc", [1, 1, 1], 10, 2)) == [["a", "b"], ["c"]]


def test_oversized_texts_are_sent_alone() -> None:
    assert list(packed("abc", [1, 99, 1], 10, 5)) == [["a"], ["b"], ["c"]]


@given(st.lists(st.integers(0, 12)), st.integers(1, 12), st.integers(1, 5))
def test_packs_contain_every_text_once_and_are_full(sizes: list[int], max_size: int, max_items: int) -> None:
    packs = list(packed(range(len(sizes)), sizes, max_size, max_items))
    assert [item for pack in packs for item in pack] == list(range(len(sizes)))
    for pack in packs:
        assert len(pack) <= max_items
        assert sum(sizes[item] for item in pack) <= max_size or len(pack) == 1
    for pack, following in pairwise(packs):
        weight = sum(sizes[item] for item in pack)
        assert len(pack) == max_items or weight + sizes[following[0]] > max_size


def test_halves() -> None:
    assert halves([1, 2, 3]) == ([1], [2, 3])
