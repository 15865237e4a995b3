"""The blocks for other pipelines, with the real packages, each in an environment of its own."""

import importlib
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "infra" / "blocks"
TEXTS = ["Write to ann.lee@mail.org", "nothing here", "x" * 1_000_001]
"""The last cannot be processed."""


def block(name, package):
    pytest.importorskip(package, reason=f"needs {package}: make blocks-test")
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(FOLDER))


def test_datatrove_documents_are_anonymised_in_order():
    made = block("datatrove_block", "datatrove").Anonymize(keep=("lang",))
    document = importlib.import_module("datatrove.data").Document
    given = [
        document(text, str(i), metadata={"lang": "en", "author": "Ann Lee"}) for i, text in enumerate(TEXTS)
    ]
    done = list(made.run(iter(given)))
    assert [one.id for one in done] == ["0", "1"]
    assert [one.text for one in done] == ["Write to [EMAIL_ADDRESS_1]", "nothing here"]
    assert [one.metadata for one in done] == [{"lang": "en"}] * 2
    assert [key for key in made.stats.stats if key.startswith("dropped")] == ["dropped_TurnTooLong"]


def test_datatrove_runs_it_in_a_pipeline(tmp_path):
    made = block("datatrove_block", "datatrove")
    executor = importlib.import_module("datatrove.executor").LocalPipelineExecutor
    document = importlib.import_module("datatrove.data").Document
    writer = importlib.import_module("datatrove.pipeline.writers.jsonl").JsonlWriter
    steps = [[document(TEXTS[0], "0")], made.Anonymize(), writer(str(tmp_path / "out"), compression=None)]
    executor(pipeline=steps, tasks=1, logging_dir=str(tmp_path / "logs")).run()
    (written,) = (tmp_path / "out").glob("*.jsonl")
    assert "ann.lee" not in written.read_text("utf-8")
    assert "[EMAIL_ADDRESS_1]" in written.read_text("utf-8")


def test_a_nemo_curator_batch_is_anonymised_in_order():
    made = block("nemo_curator_block", "nemo_curator").Anonymize(keep=("lang",))
    batch = importlib.import_module("nemo_curator.tasks").DocumentBatch
    pandas = importlib.import_module("pandas")
    data = pandas.DataFrame({"text": TEXTS[:2], "lang": ["en", "en"], "author": ["Ann Lee"] * 2})
    done = made.process(batch(dataset_name="calls", data=data))
    assert done.data.to_dict("list") == {
        "text": ["Write to [EMAIL_ADDRESS_1]", "nothing here"],
        "lang": ["en", "en"],
    }
    assert done._metadata["dropped"] == 0
    assert made.inputs() == (["data"], ["text", "lang"])


def test_rows_of_a_dataset_keep_their_shape():
    made = block("datasets_block", "datasets")
    dataset = importlib.import_module("datasets").Dataset
    rows = [{"messages": [{"role": "user", "content": text}], "author": "Ann Lee"} for text in TEXTS[:2]]
    rows.append({"messages": [{"role": None, "content": "x"}], "author": "Bo"})
    done, dropped = made.anonymize(dataset.from_list(rows))
    assert dropped == 1
    assert done.to_list() == [
        {"messages": [{"role": "user", "content": text}]}
        for text in ("Write to [EMAIL_ADDRESS_1]", "nothing here")
    ]
