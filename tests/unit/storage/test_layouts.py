import copy
import csv
import gzip
import io
import json
import pickle
from itertools import pairwise

import orjson
import pytest
import yaml
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from tacenda.transforms.schema.errors import RecordError
from tacenda.transforms.schema.rejection import Rejection, Stage
from tacenda.transforms.schema.work_unit import Layout
from tacenda.transforms.storage import json_lines
from tacenda.transforms.storage.json_lines import JsonLinesWriter, read_lines
from tacenda.transforms.storage.json_values import json_value, plain_value
from tacenda.transforms.storage.layouts import (
    DamagedError,
    cells_of,
    elements_on_lines,
    layout_of,
    objects_on_lines,
    plain_text,
    rows_on_lines,
    table_layout,
)
from tacenda.transforms.storage.layouts import on_lines as rewritten
from tacenda.transforms.storage.yaml_text import parse_yaml
from tests.cases import tabled

cell = st.text(st.sampled_from('",;\n\r\té a'), max_size=6)


def chunks(data, cuts):
    inner = sorted({cut % (len(data) + 1) for cut in cuts})
    return iter([data[a:b] for a, b in pairwise([0, *inner, len(data)]) if b > a])


@st.composite
def tables(draw, names):
    """Rows, how they are written, and what the standard library writes."""
    # A cell more, as a row that is empty is none.
    rows = [[*row, "x"] for row in draw(st.lists(st.tuples(cell, cell), max_size=5))]
    form = {
        "delimiter": draw(st.sampled_from(",;\t|")),
        "lineterminator": draw(st.sampled_from(["\n", "\r\n"])),
        "quoting": draw(st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL])),
    }
    file = io.StringIO()
    csv.writer(file, **form).writerows([names, *rows])
    return rows, form, file.getvalue().encode()


@settings(deadline=None)
@given(tables(["a", "b\nc", "d"]), st.booleans(), st.lists(st.integers(0, 300), max_size=6))
def test_rows_are_read_as_the_standard_library_writes_them(table, last, cuts):
    rows, form, data = table
    data = data if last else data.removesuffix(form["lineterminator"].encode())
    written = b"".join(rows_on_lines(chunks(data, cuts), form["delimiter"]))
    assert len(written) == len(data)
    lines = [line for line in written.split(b"\n") if line.strip()]
    assert [cells_of(plain_text(line), form["delimiter"]) for line in lines] == rows


@pytest.mark.parametrize("cut", range(20))
def test_a_quote_that_is_not_closed_ends_the_table(cut):
    data = b'a,b\n1,"x""y"\n2,"z,\n3'
    written = []
    with pytest.raises(DamagedError):
        written.extend(rows_on_lines(chunks(data, [cut]), ","))
    assert b"".join(written) == b'   \n1,"x""y"\n2,'


def test_a_quote_within_a_cell_is_a_letter():
    data = b'a,b\n5" pipe,6" pipe\n7,8\n'
    assert b"".join(rows_on_lines(iter([data]), ",")) == b'   \n5" pipe,6" pipe\n7,8\n'
    assert cells_of('5" pipe,6" pipe', ",") == ['5" pipe', '6" pipe']
    assert [cells_of(row, ",") for row in ('"a"b,c', 'a,"b', '"a""')] == [None] * 3


def test_a_byte_that_is_no_text_does_not_become_a_line_feed():
    for line in (
        *rows_on_lines(iter([b'a\n"x\xff"\nx\xff\n']), ","),
        *rewritten(iter([b"x\xff"]), Layout("text")),
    ):
        for row in filter(bytes.strip, line.split(b"\n")):
            with pytest.raises(UnicodeDecodeError):
                plain_text(row)


@settings(deadline=None)
@given(text=st.text(st.characters(exclude_categories=["Cs"])), cuts=st.lists(st.integers(0, 99), max_size=4))
def test_a_text_is_one_line_and_stays_what_it_is(text, cuts):
    line = b"".join(rewritten(chunks(text.encode(), cuts), Layout("text")))
    assert b"\n" not in line
    assert plain_text(line) == text


def test_names_and_delimiter_are_reported_by_the_first_line():
    assert table_layout(b"\xef\xbb\xbfid;my text;a.b\r\n1;2", "a.csv")[1:] == (";", ("id", "my text", "a.b"))
    assert table_layout(b"text\n", "a.csv")[2] == ("text",)
    assert table_layout(b"id\ttext\n", "a.tsv.gz")[1] == "\t"


@pytest.mark.parametrize(
    "head", [b"", b"\nid,text", b"id,id", b"id,", b"1,hello", b"id,anna@x.se", b"0701234567,a"]
)
def test_a_table_without_names_is_refused(head):
    with pytest.raises(ValueError):
        table_layout(head, "a.csv")


letters = st.text(st.sampled_from('\\"[]{},:\n\té a'), max_size=6)

values = st.recursive(
    letters | st.integers() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(letters, inner, max_size=3),
    max_leaves=8,
)

records = st.lists(st.dictionaries(letters, values, max_size=3), max_size=4)
on_lines = {"array": elements_on_lines, "objects": objects_on_lines}


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


@tabled("data", "layout", "whole")
def test_what_is_cut_off_or_wrong_ends_the_stream_wherever_it_is_read(data, layout, whole):
    data = data.encode()
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


def test_a_line_that_is_too_long_is_passed_over_the_same_in_every_range(tmp_path, monkeypatch):
    monkeypatch.setattr(json_lines, "MAX_LINE_BYTES", 30)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"one\n" + b"x" * 50 + b"\ntwo\n" + b"y" * 40)
    expected = (
        [(0, b"one"), (55, b"two")],
        [Rejection(4, Stage.READ, "LineTooLong"), Rejection(59, Stage.READ, "LineTooLong")],
    )
    for block_bytes in (1, 7, 1000):
        assert gathered(path, block_bytes=block_bytes) == expected
        for cut in range(1, 99):
            ranges = (0, cut), (cut, 99)
            parts = [gathered(path, None, *one, block_bytes=block_bytes) for one in ranges]
            assert (parts[0][0] + parts[1][0], parts[0][1] + parts[1][1]) == expected


LINES = b"".join(b"line %d\n" % i for i in range(100_000))
PACKED = {"gzip": gzip.compress, "zstd": zstandard.compress}


@pytest.mark.parametrize("compression", PACKED)
def test_compressed_lines_are_those_that_were_written_up_to_where_a_stream_breaks_off(tmp_path, compression):
    path, pack = tmp_path / "a", PACKED[compression]
    # Two members in a row, as pigz, pzstd and cat make them.
    path.write_bytes(pack(LINES) + pack(b"last"))
    lines, faults = gathered(path, compression)
    assert b"".join(line + b"\n" for _, line in lines) == LINES + b"last\n"
    assert (lines[-1], faults) == ((len(LINES), b"last"), [])
    path.write_bytes(pack(LINES)[: len(pack(LINES)) * 3 // 4])
    lines, faults = gathered(path, compression, block_bytes=100_000)
    assert len(lines) > 1000
    assert LINES.startswith(b"".join(line + b"\n" for _, line in lines))
    assert faults == [Rejection(lines[-1][0] + len(lines[-1][1]) + 1, Stage.READ, "TruncatedStream")]
    path.write_bytes(b"this is not compressed at all")
    assert gathered(path, compression) == ([], [Rejection(0, Stage.READ, "TruncatedStream")])


@pytest.mark.parametrize("zeros", [1, 512, 50_000])
def test_zeros_may_follow_a_gzip_stream_and_not_stand_for_one(tmp_path, zeros):
    path = tmp_path / "padded"
    path.write_bytes(gzip.compress(b"one\ntwo\n") + bytes(zeros))
    assert gathered(path, "gzip") == ([(0, b"one"), (4, b"two")], [])
    path.write_bytes(bytes(zeros))
    assert gathered(path, "gzip") == ([], [Rejection(0, Stage.READ, "TruncatedStream")])


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
def test_a_number_is_written_as_it_was_spelled(spelling):
    line = f'{{"n":[{spelling},"x"]}}'
    for value in (json_value(line.encode()), json_value(b" " + line.encode())):
        assert orjson.dumps(value, plain_value).decode() == line
        (number, _) = value["n"]
        assert str(number) == spelling or orjson.dumps(number).decode() == spelling
        assert number == float(spelling) or number == int(spelling)
        for again in (pickle.loads(pickle.dumps(number)), copy.deepcopy(number)):
            assert (type(again), repr(again)) == (type(number), repr(number))


def test_usual_numbers_are_plain():
    assert [*map(type, json_value(b"[0, -7, 18446744073709551615, 0.5, 1.0, 1e-7, true]"))] == [
        int, int, int, float, float, float, bool,
    ]  # fmt: skip


NO_JSON = ["", "{", "[NaN]", "[Infinity]", "[1e400]", "[01]", '["\\ud800"]', "[1] [2]", "\ufeff[1]", "['a']"]


@pytest.mark.parametrize(
    ("line", "error", "told"),
    [
        *((line, ValueError, None) for line in NO_JSON),
        ('{"a":1,"a":1}', RecordError, "RepeatedKey"),
        ('[{"b":{"a":"Grace","c":2,"\\u0061":3}}]', RecordError, "RepeatedKey"),
        ("[" * 300 + "]" * 300, RecordError, "NestedTooDeep"),
    ],
)
def test_what_is_no_json_or_could_not_be_written_whole(line, error, told):
    with pytest.raises(error, match=told):
        json_value(line.encode())
    deep = "[" * 250 + "]" * 250
    assert orjson.dumps(json_value(deep.encode())).decode() == deep


def test_other_types_are_written_as_text():
    assert plain_value(b"\x00\xff") == "00ff"
    assert plain_value(1 + 2j) == "(1+2j)"


@pytest.mark.parametrize("text", ["a: [", "!!python/object/apply:os.getcwd []"])
def test_what_is_no_plain_yaml_is_an_error(text):
    with pytest.raises(yaml.YAMLError):
        parse_yaml(text)
