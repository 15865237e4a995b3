"""Handmade batches, detectors and settings of runs."""

import argparse

import pytest

from tacenda.pipelines.cli import parser_of
from tacenda.pipelines.startup.launch import prepare
from tacenda.transforms.schema.conversation import ConversationBatch
from tests.fakes.words_detector import Words


def batch_of(*conversations, spans=None, annotations=None):
    """Conversations ``c0``, ``c1`` … of (speaker, text) turns; ``spans`` by (conversation, turn)."""
    batch = ConversationBatch.of_turns(conversations)
    batch.ids = [f"c{i}" for i in range(len(batch))]
    batch.positions = [100 * i for i in range(len(batch))]
    batch.annotations = list(annotations or batch.annotations)
    for (i, turn), marked in (spans or {}).items():
        batch.spans[batch.first_cell[i] + turn] = marked
    return batch


@pytest.fixture
def words():
    return Words


@pytest.fixture
def batch():
    return batch_of


@pytest.fixture
def prepared(tmp_path):
    """``prepared("anonymize", source, …)``: the plan and settings of a launch, before it runs."""

    def prepare_(command, source, *more, output=None):
        arguments: argparse.Namespace = parser_of(command).parse_args(
            ["--input", str(source), "--output", str(output or tmp_path / "out"), *map(str, more)]
        )
        return prepare(command, arguments)  # type: ignore[arg-type]

    return prepare_
