"""Truecasing changes nothing but the case of letters: offsets and white space are those of the original."""

from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.detecting.names.truecasing import truecased
from tacenda.transforms.text.column import TextColumn

PIECES = [
    "pamela",
    "göteborg",
    "ßen",
    "ŉ",
    "İ",
    "ǆ",
    "mark",
    "o'neil",
    "-",
    " ",
    "\n",
    "\u00a0",
    "12",
    "[AGE_1]",
]
TEXT = st.one_of(st.text(max_size=30), st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
CASED = st.tuples(TEXT, st.sampled_from([str, str.lower, str.upper])).map(lambda drawn: drawn[1](drawn[0]))


@given(st.lists(CASED, max_size=6))
def test_every_character_stays_where_it_is(texts: list[str]) -> None:
    told = truecased(TextColumn(texts, [0, len(texts)]))
    if told is None:
        return
    assert told.cells == list(range(len(texts)))
    for i, (text, restored) in enumerate(zip(texts, told.column.texts, strict=True)):
        assert len(restored) == len(text)
        for one, other in zip(text, restored, strict=True):
            assert one == other or (one.isalpha() and other.lower() in (one.lower(), one))
        assert (i in told.changed) == (text != restored)
        if not (text.islower() or text.isupper()):
            assert text == restored
