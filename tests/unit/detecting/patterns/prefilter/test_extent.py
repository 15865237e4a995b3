import pytest

from tacenda.transforms.detecting.patterns.prefilter.extent import extent
from tacenda.transforms.detecting.patterns.prefilter.superset import byte_superset


@pytest.mark.parametrize(
    ("pattern", "longest", "has_figure"),
    [
        (r"\b\d{3}-\d{4}\b", 8, True),
        (r"(?i)ab?c\b", 3, False),
        (r"a\d?b", 3, False),
        (r"\d+x", None, True),
        (r"\d{30}x", None, True),
        (r"(?:\d|no)x", 3, False),
        (r"(?:\d\d|7b)x", 3, True),
        (r"(?:ab ?){2,3}[0-9]x", 11, True),
        (r"(?:\d ){0,3}x", 7, False),
        (r"[0-9a]x", 2, False),
        (r"\p{Nd}x", 5, False),
        (r"no 5", 4, True),
        (r"^5$", 3, True),
        (r"5|é", 2, False),
        (r"5|\pL", 4, False),
    ],
)
def test_extent(pattern: str, longest: int | None, has_figure: bool) -> None:
    assert extent(byte_superset(pattern)) == (longest, has_figure)
