import orjson
import pytest

from tacenda.transforms.reading.units import parse_lines
from tacenda.transforms.reading.wide_numbers import has_wide_number
from tacenda.transforms.schema.rejection import Rejection, Stage


@pytest.mark.parametrize(
    ("line", "wide"),
    [
        (b'{"n": 1}', False),
        (b'{"n": 9223372036854775807, "m": -9223372036854775808}', False),
        (b'{"n": 18446744073709551615}', False),
        (b'{"n": 18446744073709551616}', True),
        (b'{"n": [{"m": -9223372036854775809}]}', True),
        (b'{"n": ' + b"7" * 300 + b"}", True),
        (b'{"text": "card 18446744073709551616"}', False),
        (b'{"n": 0.18446744073709551616}', False),
    ],
)
def test_whole_numbers_of_more_than_64_bits(line: bytes, wide: bool) -> None:
    assert orjson.loads(line) is not None
    assert has_wide_number(line) is wide


def test_a_record_that_could_not_be_written_as_it_was_read_is_rejected_by_itself() -> None:
    lines = [b'{"n": 1}', b'{"n": 1180591620717411303424}', b'{"n": 2}']
    records, rejections = parse_lines([0, 9, 40], lines, exact=True)
    assert records == [(0, {"n": 1}), (40, {"n": 2})]
    assert rejections == [Rejection(9, Stage.READ, "NumberTooLarge")]
    assert len(parse_lines([0, 9, 40], lines)[0]) == 3
