"""The public Beam transforms: the command's files for any elements; nothing is lost silently."""

import gzip
import json
import pickle
from pathlib import Path
from typing import Any

import apache_beam as beam
import orjson
import pyarrow as pa
import pytest
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.util import assert_that, equal_to
from apache_beam.typehints.decorators import TypeCheckError

from tacenda import Anonymizer, Config, Conversations, Rejection, UserError
from tacenda.beam import Anonymize, Inspect, Read, Score, Statistics
from tacenda.pipelines import cli
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.ptransforms import ConversationsCoder
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


@pytest.mark.parametrize("hints", [pytest.param(None, marks=pytest.mark.slow), {"min_ram": "1GiB"}])
def test_a_users_pipeline_gives_what_the_command_writes(talks, tmp_path, hints):
    words = f"--detector rules --detector model --model {TINY} --keep-ids theirs".split()
    out = _command(talks, tmp_path / "command", *words)
    with _pipeline() as pipeline:
        done = pipeline | Read(str(talks)) | Anonymize(MODEL, model_hints=hints)
        # The tiny model misses most names.
        lines = b"".join(gzip.decompress(part.read_bytes()) for part in (out / ".held").iterdir())
        expected = [orjson.loads(line) for line in lines.splitlines()]
        assert_that(done.conversations | beam.FlatMap(Conversations.records), equal_to(expected))
        rejected = done.rejected | "ToPairs" >> beam.Map(
            lambda one: (one.stage, one.error, Path(one.file).name)
        )
        assert_that(rejected, equal_to([("read", "InvalidJson", "talks.jsonl")]), label="rejected")
        figures = done.conversations | Statistics() | beam.Map(lambda found: found["sources"])
        told = json.loads((out / "statistics.json").read_text())["sources"]
        assert_that(figures, equal_to([told]), label="figures")


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
