import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.startup import launch
from tacenda.pipelines.work.plan import Plan
from tacenda.transforms.schema.errors import UserError
from tests.talks import talk, write_lines

TINY = Path(__file__).parents[3] / "golden" / "tiny_model"
Prepared = Callable[..., tuple[Plan, JobSettings]]


@pytest.fixture
def source(tmp_path):
    return write_lines(tmp_path / "in.jsonl", [talk("a", "x", channel="a")])


def _identity(prepared, command, source, *more):
    identity = prepared(command, source, *more)[1].identity
    return identity.fingerprint, identity.config_hash


def test_the_fingerprint_is_of_what_changes_the_output(prepared, source, tmp_path):
    base = _identity(prepared, "anonymize", source)
    assert base == _identity(prepared, "anonymize", source, "--workers", "3", "--overwrite")
    others = [
        _identity(prepared, "anonymize", source, *more)
        for more in (
            ["--keep", "x"],
            ["--unit-bytes", "9"],
            ["--limit", "2"],
            ["--max-turn-chars", "9"],
            ["--field", "context=channel"],
        )
    ]
    others.append(_identity(prepared, "inspect", source))
    assert len({fingerprint for fingerprint, _ in [base, *others]}) == len(others) + 1
    # Folders of earlier programs can be resumed and added to.
    assert launch._hash([{"shape": "ä", "a": None}, 1]).startswith("3f4689432e75189c")


def _custom(**dictionary):
    return {"inspect": {"custom_info_types": [{"info_type": {"name": "PERSON_NAME"}, **dictionary}]}}


def test_another_content_of_a_file_is_another_run(prepared, source, tmp_path):
    named = tmp_path / "named.txt"
    config = _custom(dictionary={"cloud_storage_path": {"path": str(named)}})
    (tmp_path / "c.json").write_text(json.dumps(config))
    content, other = "Pam\n", "Jim\n"
    identities = []
    for text in (content, content, other):
        named.write_text(text)
        identities.append(_identity(prepared, "anonymize", source, "--config", tmp_path / "c.json"))
    same, again, changed = identities
    assert same == again
    assert same[0] != changed[0]
    assert same[1] != changed[1]


def test_other_reviews_in_the_same_file_are_another_run(prepared, source, tmp_path):
    fingerprints = set()
    for name in ("a", "b"):
        spans = write_lines(tmp_path / "spans.jsonl", [{"conversation_id": name, "label": None}])
        fingerprints.add(_identity(prepared, "score", source, "--spans", spans)[0])
    assert len(fingerprints) == 2


def test_word_lists_reach_neither_manifest_nor_report(prepared, source, tmp_path):
    config = tmp_path / "c.json"
    config.write_text(json.dumps(_custom(dictionary={"word_list": {"words": ["Zaphod"]}})))
    job = prepared("anonymize", source, "--config", config)[1]
    assert "Zaphod" not in json.dumps(job.identity.config)
    assert '"words": 1' in json.dumps(job.identity.config)


@pytest.mark.parametrize("more", [["--output", ""], ["--input", ""]])
def test_an_empty_path_is_not_the_current_folder(prepared, source, more):
    with pytest.raises(UserError, match="path is empty"):
        prepared("anonymize", source, *more)


def test_a_found_file_whose_name_is_no_text_is_refused(prepared, source, tmp_path):
    folder = tmp_path / "d"
    folder.mkdir()
    (folder / "in\udcff.jsonl").write_bytes(source.read_bytes())
    with pytest.raises(UserError, match="not UTF-8"):
        prepared("anonymize", folder)
