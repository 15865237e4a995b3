"""For any division of the input, the same is read; and everything read can be written again."""

import csv
import gzip
import io
import json
import tempfile
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tacenda.transforms.reading.cutting import units_of
from tacenda.transforms.reading.planning import plan_input
from tacenda.transforms.reading.regrouping import partition_units
from tacenda.transforms.reading.units import read_unit
from tacenda.transforms.shapes.chat import ROLES
from tacenda.transforms.shapes.declared import is_context
from tacenda.transforms.shapes.options import ReadOptions
from tacenda.transforms.shapes.recognise import make_shape
from tacenda.transforms.shapes.turn_rows import regroup
from tacenda.transforms.storage.json_lines import read_lines
from tacenda.transforms.storage.locating import locate

QUICK = settings(max_examples=60, deadline=None)
text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
speaker = st.none() | text


def units(found):
    return [unit for part in found.parts for unit in units_of(part, found.shape.columns())]


def read_all(path, start=0, stop=None, block_bytes=100):
    blocks = read_lines(str(path), None, start, stop, block_bytes=block_bytes)
    return [pair for block in blocks for pair in zip(block.offsets, block.lines, strict=True)]


@QUICK
@given(
    pieces=st.lists(
        st.sampled_from([b"\n", b"\r\n", b" ", b"a", b"{}", b"long" * 9, "å".encode(), b"\xef\xbb\xbf"])
    ),
    cuts=st.lists(st.integers(0, 200), max_size=5),
    block_bytes=st.integers(1, 40),
)
@example([b"a", b"\r\n", b"a", b"\r\n", b"a"], [1, 2, 3, 4, 5, 6], 1)
@example([b"a", b"a", b"\n", b"\r\n", b" ", b"\n", b"a", b"a"], [1, 2, 3, 4, 5, 6, 7], 2)
def test_any_byte_ranges_read_every_line_once(pieces, cuts, block_bytes):
    content = b"".join(pieces)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.jsonl"
        path.write_bytes(content)
        inner = sorted({cut for cut in cuts if 0 < cut < len(content)})
        shards = [read_all(path, *shard, block_bytes) for shard in pairwise([0, *inner, len(content)])]
        whole = read_all(path, block_bytes=1000)
    assert [pair for shard in shards for pair in shard] == whole
    # The plain definition: split at line feeds, nothing else.
    naive = []
    offset = 0
    for line in content.split(b"\n"):
        bare = line.removeprefix(b"\xef\xbb\xbf") if offset == 0 else line
        if bare.strip(b" \t\n\r\x0b\x0c"):
            naive.append((offset, bare))
        offset += len(line) + 1
    assert whole == naive


rows = st.lists(
    st.tuples(st.sampled_from("abcdef"), st.integers(0, 5), text, speaker, st.sampled_from(["", "sales"])),
    max_size=30,
    unique_by=lambda row: row[:2],
)


def regrouped(files, partitions, unit_bytes):
    with tempfile.TemporaryDirectory() as folder:
        for number, (kind, content) in enumerate(files):
            records = [
                {"conversation_id": c, "turn_index": i, "text": t, "speaker": s, "context": x}
                for c, i, t, s, x in content
            ]
            name = str(Path(folder) / f"{number}.{kind}")
            if kind == "jsonl":
                Path(name).write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records))
            elif records:
                pq.write_table(pa.Table.from_pylist(records), name, row_group_size=4)
        paths = sorted(str(path) for path in Path(folder).iterdir())
        found = (
            plan_input(locate(paths), ReadOptions(shape="turns", unit_bytes=unit_bytes)) if paths else None
        )
        tables = {}
        for unit in units(found) if found else ():
            for number, table in partition_units([unit], found.shape, partitions, table_bytes=500):
                tables.setdefault(number, []).append(table)
    conversations = {}
    for number in sorted(tables, reverse=True):
        for batch, rejections in regroup(tables[number], found.shape, batch_conversations=2):
            assert rejections == []
            written = iter(found.shape.write_records(batch, batch.texts, batch.speakers))
            for index, name in enumerate(batch.ids):
                assert name not in conversations
                turns = [next(written) for _ in batch.cells(index)]
                contexts = batch.contexts[index]
                conversations[name] = contexts, [(t["turn_index"], t["text"], t["speaker"]) for t in turns]
    return conversations


@QUICK
@given(rows=rows, seed=st.randoms(use_true_random=False), partitions=st.integers(1, 5), data=st.data())
def test_any_sharding_of_turn_rows_gives_the_same_conversations(rows, seed, partitions, data):
    expected = {}
    for c, i, t, s, x in sorted(rows, key=lambda row: row[:2]):
        context, turns = expected.get(c, ("", []))
        expected[c] = (context or x, [*turns, (i, t, s)])
    shuffled = list(rows)
    seed.shuffle(shuffled)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    kinds = data.draw(st.lists(st.sampled_from(["jsonl", "parquet"]), min_size=4, max_size=4))
    shards = [shuffled[a:b] for a, b in pairwise([0, *cuts, len(rows)])]
    files = list(zip(kinds, shards, strict=False))
    unit_bytes = data.draw(st.sampled_from([1, 100, 10_000]))
    assert regrouped(files, partitions, unit_bytes) == expected


identity = st.fixed_dictionaries({}, optional={"id": text.filter(bool) | st.integers(0, 2**40)})
context = st.fixed_dictionaries({}, optional={"context": st.none() | text.filter(is_context)})


def records_of(name):
    needed = st.fixed_dictionaries({"conversation_id": text.filter(bool) | st.integers(0, 2**40)})
    turn = st.fixed_dictionaries({"speaker": speaker, "text": text})
    arguments = st.dictionaries(text, text | st.integers() | st.none() | st.booleans(), max_size=3)
    call = st.fixed_dictionaries(
        {
            "id": text,
            "type": st.just("function"),
            "function": st.fixed_dictionaries(
                {"name": text, "arguments": arguments.map(partial(json.dumps, ensure_ascii=False))}
            ),
        }
    )
    part = st.fixed_dictionaries({"type": st.just("text"), "text": text})
    # A role that is none of the usual may be a name: it stands with a text that is looked at, or is refused.
    message = st.fixed_dictionaries(
        {"role": st.sampled_from(sorted(ROLES)), "content": text | st.lists(part, max_size=3)},
        optional={"tool_calls": st.lists(call, max_size=2)},
    ) | st.fixed_dictionaries({"role": text.filter(bool), "content": text})
    said = st.fixed_dictionaries({"from": speaker, "value": text})
    start = st.datetimes().map(datetime.isoformat) | st.floats(0, 1.9e7) | st.floats(1e9, 1.9e9) | st.none()
    dialog = st.fixed_dictionaries(
        {"type": st.just("text"), "start": start, "parties": st.just([0]), "body": text}
    )
    own = {
        "conversation": [needed, context, st.fixed_dictionaries({"turns": st.lists(turn, max_size=4)})],
        "sharegpt": [identity, context, st.fixed_dictionaries({"conversations": st.lists(said, max_size=4)})],
        "chat": [identity, context, st.fixed_dictionaries({"messages": st.lists(message, max_size=4)})],
        "document": [identity, context, st.fixed_dictionaries({"text": text})],
        "vcon": [
            st.fixed_dictionaries({"vcon": st.sampled_from(["0.0.1", "0.3.0"]), "uuid": text.filter(bool)}),
            st.fixed_dictionaries(
                {"parties": st.just([{"role": "agent"}]), "dialog": st.lists(dialog, max_size=3)}
            ),
        ],
    }[name]
    return st.tuples(*own).map(lambda parts: {key: value for part in parts for key, value in part.items()})


@QUICK
@given(data=st.data(), name=st.sampled_from(["conversation", "sharegpt", "chat", "document", "vcon"]))
def test_unchanged_texts_give_every_declared_field_back(data, name):
    records = data.draw(st.lists(records_of(name), max_size=4))
    noise = [{**record, "undeclared": "secret"} for record in records]
    shape = make_shape(name, ReadOptions())
    batch, rejections = shape.read_records(list(enumerate(noise)), "key")
    assert rejections == []
    assert shape.write_records(batch, batch.texts, batch.speakers) == records


@QUICK
@given(data=st.data(), name=st.sampled_from(["conversation", "sharegpt", "document"]))
def test_tables_and_records_are_read_and_written_alike(data, name):
    records = data.draw(st.lists(records_of(name), min_size=1, max_size=5))
    for record in records:
        for key in ("id", "conversation_id"):
            if key in record:
                record[key] = str(record[key])
    table = pa.Table.from_pylist(records)
    shape = make_shape(name, ReadOptions())
    batch, rejections = shape.read_table(table, 3, "key")
    expected, expected_rejections = shape.read_records(list(enumerate(table.to_pylist(), 3)), "key")
    assert (batch, rejections) == (expected, expected_rejections)
    schema = shape.output_schema(table.schema)
    written = shape.write_table(batch, batch.texts, batch.speakers, schema)
    again = pa.Table.from_pylist(shape.write_records(batch, batch.texts, batch.speakers), schema=schema)
    assert written.to_pylist() == again.to_pylist()


def _read(folder, conversations, **options):
    """Ids, texts and positions of a folder's conversations, and rejections."""
    found = plan_input(locate([folder]), ReadOptions(**options))
    got, lost = [], []
    for unit in units(found):
        for part, rejections in read_unit(unit, found.shape, batch_conversations=conversations):
            got.extend(zip(part.ids, part.texts, part.positions, strict=True))
            lost.extend(rejections)
    return got, lost


@QUICK
@given(
    records=st.lists(st.fixed_dictionaries({"text": text, "id": st.integers(0, 99)}), min_size=1, max_size=9),
    indent=st.none() | st.integers(0, 2),
    cut_off=st.integers(0, 2) | st.just(0),
    packed=st.booleans(),
    unit_bytes=st.integers(1, 300),
    batch=st.integers(1, 5),
)
def test_a_json_array_is_read_the_same_with_any_unit_size(
    records, indent, cut_off, packed, unit_bytes, batch
):
    data = json.dumps(records, indent=indent).encode()
    data = data[: len(data) - cut_off]

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / f"a.json{'.gz' * packed}").write_bytes(gzip.compress(data) if packed else data)
        whole, lost = _read(folder, 1000, shape="document")
        assert _read(folder, batch, shape="document", unit_bytes=unit_bytes) == (whole, lost)
    # Of an array that does not end, nobody knows what is missing.
    assert [place.error for place in lost] == ["TruncatedStream"] * bool(cut_off)
    expected = [(str(record["id"]), record["text"]) for record in records[: len(records) - bool(cut_off)]]
    assert [one[:2] for one in whole] == expected
    assert all(data[position : position + 1] == b"{" for _, _, position in whole)


@QUICK
@given(
    rows=st.lists(st.tuples(st.integers(0, 99), text.filter(str.strip)), min_size=1, max_size=9),
    packed=st.booleans(),
    unit_bytes=st.integers(1, 300),
    batch=st.integers(1, 5),
)
def test_tables_and_texts_are_read_the_same_with_any_unit_size(rows, packed, unit_bytes, batch):
    file = io.StringIO()
    csv.writer(file).writerows([("id", "text"), *rows, ("a", "b", "c")])
    files = {"a.csv": file.getvalue().encode(), **{f"{i}.txt": t.encode() for i, (_, t) in enumerate(rows)}}

    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            Path(folder, f"{name}{'.gz' * packed}").write_bytes(gzip.compress(data) if packed else data)
        whole, lost = _read(folder, 1000)
        assert _read(folder, batch, unit_bytes=unit_bytes) == (whole, lost)
    assert [place.error for place in lost] == ["WrongCells"]
    # By the names of the files.
    expected = [*(t.removeprefix("\ufeff") for _, t in rows), *(t for _, t in rows)]
    assert [one[1] for one in whole] == expected


@QUICK
@given(
    kinds=st.lists(st.sampled_from(["good", "broken", "null", "text"]), max_size=12),
    unit_bytes=st.integers(1, 400),
    batch=st.integers(1, 5),
)
def test_any_units_read_the_same_conversations_and_rejections(kinds, unit_bytes, batch):
    lines = {
        "good": '{"id": "%d", "turns": [{"text": "hej"}]}',
        "broken": '{"id": "%d", "turns": [',
        "null": '{"id": "%d", "turns": [{"text": null}]}',
        "text": '"%d"',
    }
    content = "".join(lines[kind] % number + "\n" for number, kind in enumerate(kinds)).encode()

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "a.jsonl").write_bytes(content)
        whole, lost = _read(folder, 1000, shape="conversation")
        assert _read(folder, batch, shape="conversation", unit_bytes=unit_bytes) == (whole, lost)
    assert len(whole) == kinds.count("good")
    assert len(lost) == len(kinds) - kinds.count("good")


@QUICK
@given(
    texts=st.lists(text, min_size=1, max_size=9),
    rows=st.integers(1, 4),
    unit_bytes=st.integers(1, 300),
    batch=st.integers(1, 5),
)
def test_an_arrow_file_is_read_the_same_with_any_unit_size(texts, rows, unit_bytes, batch):
    table = pa.table({"text": texts})

    with tempfile.TemporaryDirectory() as folder:
        with pa.ipc.new_stream(str(Path(folder) / "a.arrow"), table.schema) as writer:
            writer.write_table(table, max_chunksize=rows)
        whole, lost = _read(folder, 1000)
        assert _read(folder, batch, unit_bytes=unit_bytes) == (whole, lost) == (whole, [])
    assert [one[1:] for one in whole] == list(zip(texts, range(len(texts)), strict=True))
