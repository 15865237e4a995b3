"""Breaks in values and names."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.transforms.text import readable as unbroken


@settings(max_examples=500)
@given(st.text(alphabet="a1BZé-@.(> \t\r\n\u00ad\u200b\u00a0", max_size=30))
def test_breaks_are_where_the_whole_pattern_finds_them(text: str) -> None:
    everywhere = [broken.span() for broken in unbroken._WITHIN.finditer(text)]
    assert [broken.span() for broken in unbroken._breaks(text)] == everywhere
