import hashlib
from pathlib import Path

import pyarrow as pa
import pytest

from tacenda.transforms.linking.linked import LabelEntity
from tacenda.transforms.schema.conversation import ConversationBatch
from tacenda.transforms.schema.finding import Finding
from tacenda.transforms.schema.likelihood import Likelihood
from tacenda.transforms.writing.part_files import hashed_file
from tacenda.transforms.writing.standoff import SCHEMA, standoff_table


def _finding(start: int, info_type: str = "URL") -> Finding:
    return Finding(start, start + 3, info_type, Likelihood.LIKELY, "rules")


def test_one_row_a_place_before_and_after() -> None:
    batch = ConversationBatch(
        ids=["a", "b"],
        first_cell=[0, 2, 3],
        texts=["…"] * 3,
        turns=[0, 1, 0],
        speakers=[None] * 3,
        parts=[None, None, "content.0.text"],
    )
    findings = [[_finding(5), _finding(9, "AGE")], [], [_finding(0)]]
    values = [["[URL_1]", ""], [], ["x"]]
    table = standoff_table(batch, findings, [[1, 2], [], [1]], values, [None] * 3, {})
    assert table.schema == SCHEMA
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        ("a", 0, None, "text", 5, 8, 5, 12, "URL", 1),
        ("a", 0, None, "text", 9, 12, 13, 13, "AGE", 2),
        ("b", 0, "content.0.text", "text", 0, 3, 0, 1, "URL", 1),
    ]


def test_nothing_replaced_is_a_table_without_rows() -> None:
    assert standoff_table(ConversationBatch(), [], [], [], [], {}).schema == SCHEMA


def test_the_label_of_a_turn_has_one_row_before_its_text() -> None:
    """Also where a turn has several cells; and labels that were not replaced have none."""
    batch = ConversationBatch(
        ids=["a", "b"],
        first_cell=[0, 4, 5],
        texts=["…"] * 5,
        turns=[0, 0, 1, 2, 0],
        parts=["content.0.text", "content.1.text", None, None, None],
        speakers=["Pam", "Pam", "agent", "Pam", "Pam"],
    )
    findings = [[], [_finding(5)], [], [], []]
    written = ["[PERSON_NAME_1]", "[PERSON_NAME_1]", "agent", "[PERSON_NAME_1]", "Pam"]
    labels = {"a": {"Pam": LabelEntity(1, "PERSON_NAME")}}
    table = standoff_table(
        batch, findings, [[], [2], [], [], []], [[], ["[URL_1]"], [], [], []], written, labels
    )
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        ("a", 0, None, "speaker", 0, 3, 0, 15, "PERSON_NAME", 1),
        ("a", 0, "content.1.text", "text", 5, 8, 5, 12, "URL", 2),
        ("a", 2, None, "speaker", 0, 3, 0, 15, "PERSON_NAME", 1),
    ]


def test_the_hash_is_that_of_the_published_bytes(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "part.bin"
    with hashed_file(str(path)) as sink:
        for data in (b"bytes", bytearray(b"more"), pa.py_buffer(b"arrow"), memoryview(b"abcdef")[::1]):
            assert sink.write(data) == memoryview(data).nbytes
        assert sink.tell() == 20
        assert sink.writable()
        assert not path.exists()
    assert path.read_bytes() == b"bytesmorearrowabcdef"
    assert sink.hexdigest() == hashlib.sha256(path.read_bytes()).hexdigest()


def test_closing_the_sink_does_not_publish(tmp_path: Path) -> None:
    path = tmp_path / "part.bin"
    with hashed_file(str(path)) as sink:
        sink.write(b"x")
        sink.close()
        assert not path.exists()
    assert path.read_bytes() == b"x"


def test_a_broken_write_publishes_nothing(tmp_path: Path) -> None:
    def write() -> None:
        with hashed_file(str(tmp_path / "part.bin")) as sink:
            sink.write(b"x")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write()
    assert not list(tmp_path.iterdir())
