"""The public Beam transforms: the command's files for any elements; nothing is lost silently."""

import gzip
import json
import pickle
from pathlib import Path
from typing import Any

import apache_beam as beam
import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.util import assert_that, equal_to
from apache_beam.typehints.decorators import TypeCheckError

from tacenda import Anonymizer, Config, Conversations, Rejection, UserError
from tacenda.beam import Anonymize, Inspect, Read, Score, Statistics, Write
from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.ptransforms import ConversationsCoder
from tests.folders import files_in
from tests.talks import talk, write_lines

TINY = str(Path(__file__).parents[2] / "golden" / "tiny_model")
RULES = Config.load(detectors=["rules"])
MODEL = Config.load(detectors=["rules", "model"], models=[TINY])

TALKS = [
    talk(f"c{i}", ("Pam", f"Hello Zzyzx, pam{i}@example.com here"), "mr zzyzx of Scranton", context="sales")
    for i in range(30)
]


@pytest.fixture
def talks(tmp_path):
    return write_lines(tmp_path / "talks.jsonl", [*TALKS, b"{oops"])


def _pipeline():
    return beam.Pipeline(runner=FnApiRunner())


def _command(source, out, *words):
    assert cli_main(cli.run, ["anonymize", "--input", str(source), "--output", str(out), *words]) in (0, 3)
    return out


def _lines(folder):
    return sorted(
        line for part in folder.iterdir() for line in gzip.decompress(part.read_bytes()).splitlines()
    )


@pytest.mark.parametrize("hints", [pytest.param(None, marks=pytest.mark.slow), {"min_ram": "1GiB"}])
def test_a_users_pipeline_writes_what_the_command_writes(talks, tmp_path, hints):
    words = f"--detector rules --detector model --model {TINY} --keep-ids theirs".split()
    out = _command(talks, tmp_path / "command", *words)
    with _pipeline() as pipeline:
        done = pipeline | Read(str(talks)) | Anonymize(MODEL, model_hints=hints)
        files = done.conversations | Write(str(tmp_path / "own"))
        assert_that(
            files | beam.Map(lambda url: Path(url).parent.name) | beam.transforms.util.Distinct(),
            equal_to(["corpus", "hashes", "quarantine", "risk"]),
        )
        rejected = done.rejected | "ToPairs" >> beam.Map(
            lambda one: (one.stage, one.error, Path(one.file).name)
        )
        assert_that(rejected, equal_to([("read", "InvalidJson", "talks.jsonl")]), label="rejected")
        figures = done.conversations | Statistics() | beam.Map(lambda found: found.to_json()["sources"])
        told = json.loads((out / "statistics.json").read_text())["sources"]
        assert_that(figures, equal_to([told]), label="figures")
    assert _lines(tmp_path / "own" / "corpus") == _lines(out / ".held")  # the tiny model misses most names
    assert pq.read_table(tmp_path / "own" / "risk").equals(pq.read_table(out / "risk"))
    (part,) = (tmp_path / "own" / "quarantine").iterdir()
    assert orjson.loads(part.read_bytes())["error"] == "InvalidJson"
    assert not (tmp_path / "own" / ".tacenda").exists()


def test_elements_may_be_records_tables_or_mixed(tmp_path):
    anonymizer = Anonymizer(RULES)
    expected = [anonymizer.anonymize(talk).conversation for talk in TALKS]
    for name, elements in {
        "records": TALKS,
        "tables": [pa.Table.from_pylist(TALKS[:9]), pa.Table.from_pylist(TALKS[9:])],
        "mixed": [*TALKS[:3], pa.Table.from_pylist(TALKS[3:])],
    }.items():
        with _pipeline() as pipeline:
            done = pipeline | beam.Create(elements, reshuffle=False) | Anonymize(RULES)
            records = done.conversations | beam.FlatMap(Conversations.records)
            assert_that(records, equal_to(expected), label=name)


def test_what_cannot_be_processed_comes_out_with_its_id():
    bad: list[Any] = [
        {"conversation_id": "x", "turns": [{"text": None}]},
        {"conversation_id": "y", "turns": 3},
        {"id": 7, "foo": 1},
    ]
    with _pipeline() as pipeline:
        done = pipeline | beam.Create([*bad, TALKS[0]]) | Anonymize(RULES)
        told = done.rejected | beam.Map(lambda one: (one.conversation_id, one.stage, one.error))
        assert_that(
            told,
            equal_to(
                [("x", "read", "NullText"), ("y", "read", "UnknownShape"), ("7", "read", "UnknownShape")]
            ),
        )
        assert_that(
            done.conversations | beam.Map(len) | beam.CombineGlobally(sum), equal_to([1]), label="left"
        )


def test_shards_do_not_depend_on_how_conversations_come(tmp_path):
    for name, talks in {"one": TALKS, "other": TALKS[::-1]}.items():
        with _pipeline() as pipeline:
            done = pipeline | beam.Create(talks) | Anonymize(RULES)
            done.conversations | Write(str(tmp_path / name), shards=3)
    assert files_in(tmp_path / "one") == files_in(tmp_path / "other")
    assert len(list((tmp_path / "one" / "corpus").iterdir())) == 3
    anonymizer = Anonymizer(RULES)
    expected = sorted(orjson.dumps(anonymizer.anonymize(talk).conversation) for talk in TALKS)
    assert _lines(tmp_path / "one" / "corpus") == expected


def test_tables_become_parquet_of_their_schema(tmp_path):
    table = pa.Table.from_pylist([*TALKS, {**TALKS[0], "conversation_id": "bad", "turns": None}])
    with _pipeline() as pipeline:
        done = pipeline | beam.Create([table]) | Anonymize(RULES)
        done.conversations | Write(str(tmp_path / "out"), shards=2)
    written = pq.read_table(tmp_path / "out" / "corpus")
    assert written.schema.equals(table.schema)
    assert written.num_rows == 30
    lost = b"".join(part.read_bytes() for part in (tmp_path / "out" / "quarantine").iterdir())
    assert [orjson.loads(line)["error"] for line in lost.splitlines()] == ["MissingField"]


def test_the_same_input_twice_is_no_silent_overwrite(talks, tmp_path):
    pipeline = _pipeline()
    twice = [pipeline | f"Read{i}" >> Read(str(talks)) for i in range(2)]
    twice | beam.Flatten() | Write(str(tmp_path / "out"))
    with pytest.raises(Exception, match="Write got the same input twice"):
        pipeline.run().wait_until_finish()


def test_inspect_and_score_leave_the_text(talks):
    with _pipeline() as pipeline:
        found = pipeline | Read([str(talks)]) | Inspect(RULES)
        records = found.conversations | beam.FlatMap(Conversations.records)
        assert_that(records, equal_to(TALKS))
        again = found.conversations | Anonymize(RULES)
        assert_that(
            again.conversations | beam.FlatMap(Conversations.results) | beam.Map(lambda r: r.risk.score),
            equal_to([0] * 30),
            label="risks",
        )
        # What was anonymised is inspected as it is now.
        left = again.conversations | "Left" >> Inspect(RULES)
        findings = left.conversations | "Findings" >> beam.Map(lambda c: c.findings().num_rows)
        assert_that(findings | beam.CombineGlobally(sum), equal_to([0]), label="left")
        marked = {"conversation_id": "a", "turns": [{"text": "I am (Ann Lee)[MISSED_PERSON_NAME]"}]}
        scored = pipeline | beam.Create([marked, TALKS[0]]) | Score(reviewed=True)
        assert_that(
            scored.conversations
            | "S" >> beam.FlatMap(Conversations.results)
            | "R" >> beam.Map(lambda r: r.risk.score),
            equal_to([5, 0]),
            label="scores",
        )


def test_transforms_are_typed(talks):
    pipeline = _pipeline()
    read = pipeline | Read(str(talks))
    done = read | Anonymize(RULES)
    assert read.element_type is done.conversations.element_type is Conversations
    assert done.rejected.element_type is Rejection
    with pytest.raises(TypeCheckError):
        pipeline | beam.Create([1, 2]) | "Numbers" >> Anonymize(RULES)
    with pytest.raises(TypeCheckError):
        done.rejected | Statistics()


def test_mistakes_are_reported_where_a_transform_is_made(tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(UserError, match="is not empty"):
        Write(str(tmp_path / "full"))
    with pytest.raises(UserError, match="nothing"):
        Read(str(tmp_path / "nothing*"))
    with pytest.raises(UserError, match="is not a setting"):
        Inspect({"inspect": {"foo": 1}})


def test_conversations_survive_encoding_and_their_size_is_estimated_without_it(talks):
    coder = ConversationsCoder()
    done = Anonymizer(RULES).anonymize(pa.Table.from_pylist(TALKS))
    assert coder.decode(coder.encode(done)).table().equals(done.table())
    size = coder.estimate_size(done)
    assert 0 < size < len(pickle.dumps(done))
