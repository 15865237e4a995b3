"""Every executor writes the same bytes: Beam in this process, a plain loop, a process pool."""

import contextlib
import io
import random

import pyarrow as pa
import pytest

from tacenda.pipelines import cli
from tacenda.pipelines.cli import parser_of
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.executors.local import run_in_loop, run_in_pool
from tacenda.pipelines.output.output_folder import prepare_output
from tacenda.pipelines.startup.launch import prepare
from tests.folders import files_in
from tests.talks import talk, write_lines


def _rows(count):
    return [
        {
            "conversation_id": f"c{i % 13}",
            "turn_index": i,
            "speaker": "Pam",
            "text": f"Pam: u{i % 4}@example.com of Bu\u0308low und sohne",
        }
        for i in range(count)
    ]


def _talks(count):
    # The last ids stand in an earlier unit, too: the repair must be the same everywhere.
    return [
        talk(f"c{i % (count - 5)}", ("Pam", f"Pam: u{i}@example.com of BULOW UND SÖHNE"))
        for i in range(count)
    ]


def _twins(count):
    """Pairs of equal texts, and conversations of one customer."""
    draw = random.Random(2)
    words = ["move", "the", "old", "blue", "box", "to", "her", "room"]
    said = [" ".join(draw.choices(words, k=60)) for _ in range(count)]
    return [
        talk(
            f"c{i}",
            ("Pam", f"u{i}@example.com {said[i % (count - 9)]} of BULOW UND SÖHNE"),
            customer=f"P-{i % 11}" if i % 4 == 0 else None,
        )
        for i in range(count)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("records", [_talks, _rows, _twins])
def test_beam_loop_and_pool_agree(tmp_path, records, monkeypatch):
    source = write_lines(tmp_path / "in.jsonl", [*records(60), b"{oops"])
    config = tmp_path / "c.yaml"
    (tmp_path / "firms.txt").write_text("Bülow und Söhne\n")
    config.write_text(_CONFIG.format(tmp_path / "firms.txt"))
    split = ["--split", "train=.5,validation=.5", "--split-by", "customer"] if records is _twins else []
    words = ["--input", str(source), "--unit-bytes", "1000", "--config", str(config), *split, "--output"]
    with contextlib.redirect_stdout(io.StringIO()):
        assert cli_main(cli.run, ["anonymize", *words, str(tmp_path / "beam"), "--runner=FnApiRunner"]) == 0
    executors = {"loop": run_in_loop, "pool": lambda plan, job: run_in_pool(plan, job, 2)}
    for name, executor in executors.items():
        plan, job = prepare("anonymize", parser_of("anonymize").parse_args([*words, str(tmp_path / name)]))
        assert len(plan.partitions or list(plan.units())) > 3
        # Workers elsewhere have not what the driver compiled.
        monkeypatch.setenv("TACENDA_CACHE", str(tmp_path / f"cache-{name}"))
        prepare_output(job, overwrite=False)
        assert executor(plan, job)
        assert files_in(tmp_path / name) == files_in(tmp_path / "beam")
    assert records is _rows or any((tmp_path / "cache-pool").rglob("terms-*"))
    parts = sorted((tmp_path / "beam" / "corpus").rglob("part-*"))
    assert len({part.parent for part in parts}) == (2 if records is _twins else 1)
    corpus = b"".join(pa.input_stream(part).read() for part in parts)
    # The dictionary's firm bears a family's name, and some of its mentions count as a person's; none is left.
    assert b"LOW UND" not in corpus
    assert corpus.count(b"[ORGANIZATION_NAME_1]") > 20
    assert b"hne" not in corpus.lower()


_CONFIG = """
inspect:
  custom_info_types:
    - info_type: {{name: ORGANIZATION_NAME}}
      dictionary: {{cloud_storage_path: {{path: "{}"}}}}
languages:
  accepted: {{de: the name of a firm and nothing else}}
risk:
  largest_quarantined_share: .2
  because: some of the short talks are in no covered language
"""
