import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.transforms.storage.layouts import (
    DamagedError,
    elements_on_lines,
    layout_of,
    objects_on_lines,
)

letters = st.text(st.sampled_from('\\"[]{},:\n\té a'), max_size=6)
values = st.recursive(
    letters | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(letters, inner, max_size=3),
    max_leaves=8,
)
records = st.lists(st.dictionaries(letters, values, max_size=3), max_size=4)


on_lines = {"array": elements_on_lines, "objects": objects_on_lines}


def chunks(data, cuts):
    inner = sorted({cut % (len(data) + 1) for cut in cuts})
    return iter([data[a:b] for a, b in pairwise([0, *inner, len(data)]) if b > a])


def lines(data, layout, cuts=()):
    written = b"".join(on_lines[layout](chunks(data, cuts)))
    return written, [json.loads(line) for line in written.split(b"\n") if line.strip()]


@settings(deadline=None)
@given(
    records=records,
    indent=st.none() | st.integers(0, 3),
    ascii_only=st.booleans(),
    cuts=st.lists(st.integers(0, 400), max_size=6),
)
def test_each_record_of_an_array_becomes_a_line_where_it_stood(records, indent, ascii_only, cuts):
    data = json.dumps(records, indent=indent, ensure_ascii=ascii_only).encode()
    written, read = lines(data + b"\r\n", "array", cuts)
    assert read == records
    # Strings, numbers and names stand where they stood; what is between records is white space.
    assert written.translate(None, b"\n\r\t []{},") == data.translate(None, b"\n\r\t []{},")
    for line in filter(bytes.strip, written.split(b"\n")):
        offset = written.index(line) + len(line) - len(line.lstrip())
        assert data[offset : offset + 1] == b"{"


@settings(deadline=None)
@given(records=records, indent=st.none() | st.integers(0, 3), cuts=st.lists(st.integers(0, 400), max_size=6))
def test_objects_over_several_lines_become_a_line_each(records, indent, cuts):
    data = "\n".join(json.dumps(record, indent=indent, ensure_ascii=False) for record in records).encode()
    written, read = lines(data, "objects", cuts)
    assert read == records
    assert len(written) == len(data)


@pytest.mark.parametrize(
    ("data", "layout", "whole"),
    [
        (b'[{"a": 1}, {"b":', "array", 1),
        (b'[{"a": 1}, {"b": 2}', "array", 1),
        (b'[{"a": 1}, {"b": 2},', "array", 2),
        (b'[{"a": 1}, {"b": "2}]', "array", 1),
        (b'[{"a": 1},\n{"b": 2}]\n{"c": 3}', "array", 1),
        (b'[{"a": 1}, {"b": 2}}]', "array", 1),
        (b'{"a": 1}\n{"b": [2}\n', "objects", 1),
        (b'{"a": 1}\n}{"b": 2}\n', "objects", 1),
    ],
)
def test_what_is_cut_off_or_wrong_ends_the_stream_wherever_it_is_read(data, layout, whole):
    for cut in range(len(data)):
        written = []
        with pytest.raises(DamagedError):
            written.extend(on_lines[layout](chunks(data, [cut])))
        assert b"".join(written).count(b"\n") == whole


@pytest.mark.parametrize(
    ("head", "layout"),
    [
        (b"", "lines"),
        (b"\xef\xbb\xbf [", "array"),
        (b'{"a": 1}', "lines"),
        (b'{"a": 1}\n{"b', "lines"),
        (b'{"a": [\n{"a": 1}\n{"a": 2}\n', "lines"),
        (b'{\n"a": [\n{"a": 1},\n{"a": 2}\n]}\n', "objects"),
        (b'{\n "a": "' + b"x" * 99, "objects"),
        (b"\x1f\x8b", "lines"),
    ],
)
def test_the_layout_is_seen_in_the_head(head, layout):
    assert layout_of(head) == layout
