import numpy as np

from tacenda.transforms.detecting.patterns.prefilter.excerpts import REACH, Excerpts
from tacenda.transforms.text.utf8 import Utf8Column

FAR = "x" * (4 * REACH)


def _cells(excerpts: Excerpts, piece: bytes) -> list[int]:
    places = [i for i in range(len(excerpts.data)) if excerpts.data.startswith(piece, i)]
    return excerpts.cells_of(np.asarray(places, dtype=np.int64)).tolist()


def test_excerpts_contain_the_context_of_each_digit() -> None:
    texts = [f"a1{FAR}b2 c3{FAR}", FAR, f"{FAR}a4", "b5"]
    excerpts = Excerpts(Utf8Column(texts, [0, 4]).everything)
    assert len(excerpts.data) < 9 * REACH
    for piece, cell in ((b"a1", 0), (b"b2 c3", 0), (b"a4\xff", 2), (b"b5\xff", 3)):
        assert _cells(excerpts, piece) == [cell]
    assert _cells(excerpts, b"b2" + b"x" * REACH) == []
    assert _cells(excerpts, b"c3" + b"x" * REACH) == [0]


def test_text_that_excerpts_would_not_shorten_is_unchanged() -> None:
    column = Utf8Column(["1 2 3", "4"], [0, 2])
    excerpts = Excerpts(column.everything)
    assert excerpts.data == column.data
    assert _cells(excerpts, b"4") == [1]


def test_text_without_digits_has_no_excerpts() -> None:
    assert Excerpts(Utf8Column([FAR], [0, 1]).everything).data == b""
    assert Excerpts(Utf8Column([""], [0, 1]).select(np.zeros(0, dtype=np.int64))).data == b""
