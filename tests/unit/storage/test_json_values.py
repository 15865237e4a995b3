import copy
import pickle

import orjson
import pytest

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.storage.json_values import SpelledNumber, json_value, plain_value

SPELLINGS = [
    "0", "-7", "9223372036854775807", "18446744073709551615", "18446744073709551616", "-9223372036854775809",
    "7" * 300, "-0", "-0.0", "0.5", "0.10", "1.0", "1.00", "1E5", "1e5", "1e+5", "1.0e-7", "1e-7", "1e-07",
    "0.00001", "0.000001", "1e-400", "1e22", "1E+22", "9007199254740993.0", "123456789012345678.0",
    "3.14159265358979323846", "0.30000000000000004", "100000000000000000000.0",
]  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_number_is_written_as_it_was_spelled(spelling: str) -> None:
    line = f'{{"n":[{spelling},"x"]}}'
    for value in (json_value(line.encode()), json_value(b" " + line.encode())):
        assert orjson.dumps(value, plain_value).decode() == line
        (number, _) = value["n"]
        assert str(number) == spelling or orjson.dumps(number).decode() == spelling
        assert number == float(spelling) or number == int(spelling)
        for again in (pickle.loads(pickle.dumps(number)), copy.deepcopy(number)):
            assert (type(again), repr(again)) == (type(number), repr(number))


def test_usual_numbers_are_plain() -> None:
    assert [*map(type, json_value(b"[0, -7, 18446744073709551615, 0.5, 1.0, 1e-7, true]"))] == [
        int, int, int, float, float, float, bool,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("spelling", "plain"), [("-0", 0), ("1e3", 1000.0), ("0.10", 0.1), (str(1 << 70), 1 << 70)]
)
def test_the_number_without_its_spelling(spelling: str, plain: float) -> None:
    number = SpelledNumber(spelling).plain
    assert (type(number), number) == (type(plain), plain)


@pytest.mark.parametrize("line", ['{"a":1,"a":1}', '[{"b":{"a":"Grace","c":2,"\\u0061":3}}]'])
def test_a_repeated_key_hides_nothing(line: str) -> None:
    with pytest.raises(RecordError, match="RepeatedKey"):
        json_value(line.encode())


@pytest.mark.parametrize(
    "line",
    ["", "{", "[NaN]", "[Infinity]", "[1e400]", "[01]", '["\\ud800"]', "[1] [2]", "\ufeff[1]", "['a']"],
)
def test_what_is_no_json(line: str) -> None:
    with pytest.raises(ValueError):
        json_value(line.encode())


def test_nesting_that_could_not_be_written() -> None:
    deep = "[" * 250 + "]" * 250
    assert orjson.dumps(json_value(deep.encode())).decode() == deep
    with pytest.raises(RecordError, match="NestedTooDeep"):
        json_value(b"[" * 300 + b"]" * 300)


def test_other_types_are_written_as_text() -> None:
    assert plain_value(b"\x00\xff") == "00ff"
    assert plain_value(1 + 2j) == "(1+2j)"
