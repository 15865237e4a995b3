"""Threads that start together in a new process, as in a Flink or Dataflow worker: same bytes as the loop."""

import json
import pickle
import subprocess
import sys

import pyarrow as pa
import pytest

from tacenda.pipelines.cli import parser_of
from tacenda.pipelines.executors.local import run_in_loop
from tacenda.pipelines.output.output_folder import prepare_output
from tacenda.pipelines.startup.launch import prepare
from tests.talks import talk, write_lines
from tests.waiting import PATIENCE_S

pytestmark = pytest.mark.slow
PROCESSES = 5
THREADS = 6
TALKS_A_THREAD = 12

WORKER = """
import json, pickle, sys, threading
from pathlib import Path

sys.setswitchinterval(1e-6)
from tacenda.pipelines.chain.build import build_chain
from tacenda.transforms.reading.units import read_unit

units, job = pickle.loads(Path(sys.argv[1]).read_bytes())
batches = [batch for unit in units for batch, _ in read_unit(unit, job.shape)]
start = threading.Barrier(len(batches))
outcomes = [None] * len(batches)

def work(i):
    start.wait()
    chain = build_chain(job.chain())
    outcomes[i] = chain.run(batches[i])

threads = [threading.Thread(target=work, args=[i]) for i in range(len(batches))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps({i: text for o in outcomes for i, text in zip(o.batch.ids, o.texts)}))
"""

CONFIG = """
inspect:
  # Not those of names: they take what no word is for one, and would hide what a dictionary does not find.
  info_types: [{{name: PHONE_NUMBER}}, {{name: CREDIT_CARD_NUMBER}}, {{name: STREET_ADDRESS}}, {{name: DATE}}]
  custom_info_types:
    - info_type: {{name: CODE_NAME}}
      likelihood: VERY_LIKELY
      dictionary: {{cloud_storage_path: {{path: "{}"}}}}
risk:
  labels: {{CODE_NAME: unscored}}
  because: The texts are written for this test, and hold what it looks for.
"""

SAID = (
    "so the {} came on Monday, and my name is Priya Raman, call 415-555-0132.",
    "we want a {} like the last, ring four one five five five five oh one three two.",
    "one {} more to 42 Maple Street, Springfield, paid by 4111 1111 1111 1111.",
)


def _code_name(number):
    """A word made of a letter that no other word has: folding has not seen it before."""
    return 2 * chr(0xAB70 + number)  # small letters of Cherokee, of which there are 80


def test_threads_that_start_at_once_give_the_results_of_a_loop(tmp_path):
    names = [_code_name(number) for number in range(THREADS * TALKS_A_THREAD)]
    (tmp_path / "names.txt").write_text("\n".join(names), encoding="utf-8")
    config = tmp_path / "config.yaml"
    config.write_text(CONFIG.format(tmp_path / "names.txt"), encoding="utf-8")
    source = tmp_path / "in"
    source.mkdir()
    for thread in range(THREADS):
        own = enumerate(names[thread * TALKS_A_THREAD :][:TALKS_A_THREAD])
        records = [talk(f"{thread}-{i}", SAID[i % len(SAID)].format(name)) for i, name in own]
        write_lines(source / f"{thread}.jsonl", records)
    a_file_a_unit = max(path.stat().st_size for path in source.iterdir())
    words = ["--unit-bytes", a_file_a_unit, "--input", source, "--config", config]
    words += ["--output", tmp_path / "loop", "--keep-ids", "numbers"]
    plan, job = prepare("anonymize", parser_of("anonymize").parse_args([*map(str, words)]))
    units = list(plan.units())
    assert [len(unit.ranges) for unit in units] == [1] * THREADS
    prepare_output(job, overwrite=False)
    run_in_loop(plan, job)  # it also leaves the dictionary compiled: no thread has to learn its letters
    expected = _corpus(tmp_path / "loop")
    assert all("[CODE_NAME_1]" in text for text in expected.values())
    different = {}
    for process in range(PROCESSES):
        task = tmp_path / f"task{process}"
        task.write_bytes(pickle.dumps((units, job)))
        # Not in this process: each is to be as cold as a worker that has just started.
        done = subprocess.run(
            [sys.executable, "-c", WORKER, task],
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        different[process] = [i for i, text in expected.items() if found.get(i) != text]
    assert not any(different.values()), different


def _corpus(folder):
    """The text of each conversation, which has a single turn."""
    held = [part for name in ("corpus", ".held") for part in sorted((folder / name).glob("*"))]
    lines = b"".join(pa.input_stream(part).read() for part in held).splitlines()
    return {one["conversation_id"]: one["turns"][0]["text"] for one in map(json.loads, lines)}
