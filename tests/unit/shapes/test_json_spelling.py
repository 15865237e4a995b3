import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacenda.transforms.shapes.json_spelling import respelled
from tests.growth import grows_linearly

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("text", "after", "written"),
    [
        ('{"a" :\t1.50,"b":"\\u00e9"}', {"a": 1.5, "b": "é"}, '{"a" :\t1.50,"b":"\\u00e9"}'),
        ('{"a":"Ann","b":1e2}', {"a": "[X_1]", "b": 100.0}, '{"a":"[X_1]","b":1e2}'),
        ('{"Ann":[ true,null ]}', {"[X_1]": [True, None]}, '{"[X_1]":[ true,null ]}'),
        ('["a\\"b,{", 7]', ['a"b,{', "[X_1]"], '["a\\"b,{", "[X_1]"]'),
        ('"Ann"', "[X_1]", '"[X_1]"'),
        (" 12345 ", "[X_1]", ' "[X_1]" '),
        ('{"a":1,"a":2}', {"a": 2}, '{"a": 2}'),
    ],
)
def test_what_did_not_change_is_spelled_as_it_was(text, after, written):
    assert respelled(text, json.loads(text), after) == written
    assert json.loads(written) == after


@given(VALUES, st.sampled_from([(",", ":"), (", ", ": "), (" ,\n", " :\t")]), st.booleans())
def test_nothing_changed_is_the_same_text(value, separators, ascii_only):
    text = json.dumps(value, separators=separators, ensure_ascii=ascii_only)
    assert respelled(text, json.loads(text), json.loads(text)) == text


def test_long_strings_take_time_in_proportion():
    def run(size):
        text = json.dumps(["\\" * size, '"' * size, *range(size)])
        return respelled(text, json.loads(text), ["x", "y", *range(size)])

    assert grows_linearly(run, 5_000)
