import copy
import gzip
import io
import pickle

import orjson
import pytest
import yaml
import zstandard

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.storage.json_lines import GZIP_STEP_BYTES, Fault, JsonLinesWriter, read_lines
from tacenda.transforms.storage.json_values import SpelledNumber, json_value, plain_value
from tacenda.transforms.storage.yaml_text import parse_yaml


def gathered(path, compression=None, start=0, stop=None, **options):
    lines, faults = [], []
    for block in read_lines(str(path), compression, start, stop, **options):
        assert len(block.offsets) == len(block.lines)
        lines.extend(zip(block.offsets, block.lines, strict=True))
        faults.extend(block.faults)
    return lines, faults


def test_lines_come_with_the_place_where_they_begin(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbfone\r\n\n  \r\ntwo\nthree")
    assert gathered(path) == ([(0, b"one\r"), (13, b"two"), (17, b"three")], [])


@pytest.mark.parametrize("content", [b"", b"\n", b"\n\r\n \n", b"a", b"a\n", b"ab\ncd\n\nef", b"a\r\nb\r\nc"])
@pytest.mark.parametrize("block_bytes", [1, 2, 5, 100])
def test_two_ranges_share_out_the_lines_at_every_cut(tmp_path, content, block_bytes):
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    whole, _ = gathered(path)
    for cut in range(1, len(content)):
        first, _ = gathered(path, None, 0, cut, block_bytes=block_bytes)
        second, _ = gathered(path, None, cut, len(content), block_bytes=block_bytes)
        assert first + second == whole
        assert all(offset < cut for offset, _ in first)


def test_a_line_that_is_too_long_is_passed_over_the_same_in_every_range(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\n" + b"x" * 50 + b"\ntwo\n" + b"y" * 40)
    expected = [(0, b"one"), (55, b"two")], [Fault(4, "LineTooLong"), Fault(59, "LineTooLong")]
    for block_bytes in (1, 7, 1000):
        assert gathered(path, max_line_bytes=30, block_bytes=block_bytes) == expected
        for cut in range(1, 99):
            parts = [
                gathered(path, None, start, stop, max_line_bytes=30, block_bytes=block_bytes)
                for start, stop in ((0, cut), (cut, 99))
            ]
            assert (parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]) == expected


LINES = b"".join(b"line %d\n" % i for i in range(100_000))


@pytest.mark.parametrize("compression", ["gzip", "zstd"])
def test_compressed_lines_are_those_that_were_written(tmp_path, compression):
    path = tmp_path / "a"
    pack = gzip.compress if compression == "gzip" else zstandard.compress
    # Two members in a row, as pigz, pzstd and cat make them.
    path.write_bytes(pack(LINES) + pack(b"last"))
    lines, faults = gathered(path, compression)
    assert b"".join(line + b"\n" for _, line in lines) == LINES + b"last\n"
    assert lines[-1] == (len(LINES), b"last")
    assert faults == []


@pytest.mark.parametrize("compression", ["gzip", "zstd"])
def test_what_was_read_before_a_stream_breaks_off_stays(tmp_path, compression):
    path = tmp_path / "a"
    packed = gzip.compress(LINES) if compression == "gzip" else zstandard.compress(LINES)
    path.write_bytes(packed[: len(packed) * 3 // 4])
    lines, faults = gathered(path, compression, block_bytes=100_000)
    assert len(lines) > 1000
    assert LINES.startswith(b"".join(line + b"\n" for _, line in lines))
    (fault,) = faults
    assert fault == (lines[-1][0] + len(lines[-1][1]) + 1, "TruncatedStream")


@pytest.mark.parametrize("compression", ["gzip", "zstd"])
def test_a_stream_that_does_not_decode_is_a_fault_and_no_crash(tmp_path, compression):
    path = tmp_path / "a"
    path.write_bytes(b"this is not compressed at all")
    assert gathered(path, compression) == ([], [Fault(0, "TruncatedStream")])


@pytest.mark.parametrize("zeros", [1, 512, 3 * GZIP_STEP_BYTES])
def test_zeros_may_follow_a_gzip_stream_and_not_stand_for_one(tmp_path, zeros):
    path = tmp_path / "padded"
    path.write_bytes(gzip.compress(b"one\ntwo\n") + bytes(zeros))
    assert gathered(path, "gzip") == ([(0, b"one"), (4, b"two")], [])
    path.write_bytes(bytes(zeros))
    assert gathered(path, "gzip") == ([], [Fault(0, "TruncatedStream")])


def test_an_error_of_the_storage_is_no_fault_of_the_stream(tmp_path, monkeypatch):
    class Broken(io.BytesIO):
        def read(self, *_):
            raise ConnectionError

    monkeypatch.setattr("tacenda.transforms.storage.json_lines.open_read", lambda url: Broken())
    for compression in (None, "gzip", "zstd"):
        with pytest.raises(ConnectionError):
            gathered("x", compression)


def _unzstd(data):
    return zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True).read()


@pytest.mark.parametrize(("compression", "decompress"), [("gzip", gzip.decompress), ("zstd", _unzstd)])
def test_the_writer_gives_the_same_bytes_and_leaves_the_file_open(compression, decompress):
    def written():
        file = io.BytesIO()
        with JsonLinesWriter(file, compression) as writer:
            writer.write([{"text": "å\x00"}, {"n": 1}])
            writer.write([])
        return file.getvalue()

    assert written() == written()
    lines = '{"text":"å\\u0000"}\n{"n":1}\n'.encode()
    assert decompress(written()) == lines
    assert decompress(written() + written()) == lines + lines


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


def test_a_document_is_plain_values() -> None:
    assert parse_yaml('a: [1, "x", null]\n"å": {b: true}\n') == {"a": [1, "x", None], "å": {"b": True}}


@pytest.mark.parametrize("text", ["a: [", "!!python/object/apply:os.getcwd []"])
def test_what_is_no_plain_yaml_is_an_error(text: str) -> None:
    with pytest.raises(yaml.YAMLError):
        parse_yaml(text)
