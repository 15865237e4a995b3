"""A run of one conversation, which is prepared and did not begin."""

import pytest

RECORD = '{"conversation_id": "a", "turns": [{"speaker": "agent", "text": "x"}]}\n'


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text(RECORD)
    return path


@pytest.fixture
def job(prepared, source):
    return prepared("anonymize", source)[1]
