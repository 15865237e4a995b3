import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tacenda.pipelines.config.job_settings import JobSettings
from tacenda.pipelines.executors.local import finish
from tacenda.pipelines.output import output_folder
from tacenda.pipelines.output.output_folder import check_output, prepare_output, refuse_nested
from tacenda.pipelines.work.plan import Plan
from tacenda.pipelines.work.receipts import FinishedPart, load_part, save_part
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Receipt

Prepared = Callable[..., tuple[Plan, JobSettings]]
RECORD = '{"conversation_id": "a", "turns": [{"speaker": "agent", "text": "x"}]}\n'


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text(RECORD)
    return path


@pytest.fixture
def job(prepared, source):
    return prepared("anonymize", source)[1]


def _other(job):
    return replace(job, identity=replace(job.identity, fingerprint="f" * 64))


def test_a_new_output_folder_is_marked_with_its_run(job):
    prepare_output(job, overwrite=False)
    prepare_output(job, overwrite=False)
    with pytest.raises(UserError, match="unfinished run of other input"):
        prepare_output(_other(job), overwrite=False)
    prepare_output(_other(job), overwrite=True)
    with pytest.raises(UserError, match="a different run"):
        prepare_output(job, overwrite=False)


def test_an_unfinished_run_does_not_go_on_with_input_of_other_content(prepared, source, job):
    prepare_output(job, overwrite=False)
    source.write_text(RECORD.replace('"x"', '"y"'))
    os.utime(source, ns=(1, 1))
    _, now = prepared("anonymize", source)
    assert now.identity == job.identity
    with pytest.raises(UserError, match="unfinished run of the same input before it was modified"):
        prepare_output(now, overwrite=False)
    prepare_output(now, overwrite=True)


def test_an_unfinished_run_does_not_resume_beside_finished_output(prepared, source, job):
    prepare_output(job, overwrite=False)
    finish([], job)
    prepare_output(job, overwrite=False)
    prepare_output(job, overwrite=False)
    source.write_text(RECORD.replace('"x"', '"y"'))
    os.utime(source, ns=(1, 1))
    with pytest.raises(UserError, match="unfinished run of the same input before it was modified"):
        prepare_output(prepared("anonymize", source)[1], overwrite=False)


def test_a_finished_run_can_only_be_repeated_by_itself(job):
    prepare_output(job, overwrite=False)
    finish([], job)
    with pytest.raises(UserError, match=r"manifest\.json names another input"):
        prepare_output(_other(job), overwrite=False)
    assert (Path(job.output) / "_UNREVIEWED").exists()
    prepare_output(job, overwrite=False)
    assert not (Path(job.output) / "_UNREVIEWED").exists()


def test_a_finished_run_of_input_that_was_written_again_is_refused(prepared, source, job):
    prepare_output(job, overwrite=False)
    finish([], job)
    finished = (Path(job.output) / "manifest.json").stat().st_mtime
    source.write_text(RECORD.replace('"x"', '"y"'))
    for seconds, refused in ((-1, False), (1, True)):
        os.utime(source, (finished + seconds,) * 2)
        _, now = prepared("anonymize", source)
        if not refused:
            check_output(now, overwrite=False)
            continue
        with pytest.raises(UserError, match=r"a different run \(of the same input before it was modified\)"):
            check_output(now, overwrite=False)
        check_output(now, overwrite=True)


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("content", ["", "not json", "[]", "5", "{}", '{"name": "extension"}'])
def test_a_manifest_of_something_else_is_refused(job, content, overwrite):
    manifest = Path(job.output) / "manifest.json"
    manifest.parent.mkdir()
    manifest.write_text(content)
    with pytest.raises(UserError, match=r"manifest\.json is there, not written by a run of ours"):
        prepare_output(job, overwrite)
    assert manifest.read_text() == content


@pytest.mark.parametrize("overwrite", [False, True])
def test_folders_of_somebody_else_are_refused(job, overwrite):
    theirs = Path(job.output) / "corpus" / "letters.txt"
    theirs.parent.mkdir(parents=True)
    theirs.touch()
    with pytest.raises(UserError, match="corpus/ is not empty, not written by a run of ours"):
        prepare_output(job, overwrite)
    assert theirs.exists()


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("name", ["_SUCCESS", "_HELD", "report.html", "statistics.json"])
def test_files_of_somebody_else_are_refused(job, name, overwrite):
    theirs = Path(job.output) / name
    theirs.parent.mkdir()
    theirs.write_text("theirs")
    with pytest.raises(UserError, match=f"{name} is there, not written by a run of ours"):
        prepare_output(job, overwrite)
    assert theirs.read_text() == "theirs"


def test_overwriting_removes_what_is_ours_and_nothing_else(job):
    prepare_output(job, overwrite=False)
    finish([], job)
    root = Path(job.output)
    (root / "corpus").mkdir()
    (root / "corpus" / "part-00009.jsonl.zst").touch()
    (root / "notes.txt").write_text("mine")
    prepare_output(job, overwrite=True)
    assert {path.name for path in root.iterdir()} == {".tacenda", "notes.txt"}


def test_a_run_that_overwrote_another_goes_on_by_the_same_command(job):
    prepare_output(_other(job), overwrite=False)
    part = FinishedPart(Receipt("00000"), [Receipt("00000.00000")])
    save_part(_other(job), part)
    prepare_output(job, overwrite=True)
    assert load_part(_other(job), "00000") is None
    save_part(job, part)
    prepare_output(job, overwrite=True)
    assert load_part(job, "00000") == part


def test_checking_changes_nothing(job):
    check_output(job, overwrite=True)
    assert not Path(job.output).exists()


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_file_is_no_folder(prepared, source, overwrite):
    _, on_itself = prepared("anonymize", source, output=source)
    with pytest.raises(UserError, match="is a file"):
        prepare_output(on_itself, overwrite)
    _, below = prepared("anonymize", source, output=source / "out")
    with pytest.raises(UserError, match="cannot be used"):
        prepare_output(below, overwrite)
    assert source.read_text() == RECORD


def test_an_unwritable_output_folder_is_a_user_error(job, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "secret")

    monkeypatch.setattr(output_folder, "announce", refuse)
    with pytest.raises(UserError, match=r"cannot be used \(PermissionError\)") as caught:
        prepare_output(job, overwrite=False)
    assert "secret" not in str(caught.value)


def test_input_may_lie_beside_the_output_but_not_among_its_parts(prepared, tmp_path):
    beside = tmp_path / "calls.jsonl"
    beside.write_text(RECORD)
    _, job = prepared("anonymize", beside, output=tmp_path)
    prepare_output(job, overwrite=True)
    assert beside.read_text() == RECORD
    (tmp_path / "corpus").mkdir()
    among = tmp_path / "corpus" / "mine.jsonl"
    among.write_text(RECORD)
    for source in (among, tmp_path / "corpus"):
        _, job = prepared("anonymize", source, output=tmp_path)
        for overwrite in (False, True):
            with pytest.raises(UserError, match=r"mine\.jsonl"):
                prepare_output(job, overwrite)
    assert among.read_text() == RECORD


@pytest.mark.parametrize(
    "spelled", ["../{0}/out/corpus", "link/corpus", "out/../out/./corpus", "beside.jsonl"]
)
def test_input_among_the_parts_is_known_however_it_is_spelled(prepared, tmp_path, monkeypatch, spelled):
    monkeypatch.chdir(tmp_path)
    among = tmp_path / "out" / "corpus" / "part.jsonl"
    among.parent.mkdir(parents=True)
    among.write_text(RECORD)
    (tmp_path / "link").symlink_to(tmp_path / "out")
    (tmp_path / "beside.jsonl").symlink_to(among)
    _, job = prepared("anonymize", spelled.format(tmp_path.name))
    with pytest.raises(UserError, match="which this run reads, is part of another run's output"):
        prepare_output(job, overwrite=True)
    assert among.read_text() == RECORD


def test_a_link_to_input_among_the_parts_is_kept(prepared, source, tmp_path):
    link = tmp_path / "out" / "corpus" / "link.jsonl"
    link.parent.mkdir(parents=True)
    link.symlink_to(source)
    _, job = prepared("anonymize", link)
    with pytest.raises(UserError, match=r"link\.jsonl, which this run reads"):
        prepare_output(job, overwrite=True)


def test_no_file_that_the_run_reads_may_lie_among_the_parts(prepared, source, job, tmp_path):
    prepare_output(job, overwrite=False)
    finish([], job)
    folder = Path(job.output) / "findings"
    folder.mkdir()
    spans, names, config = folder / "spans.jsonl", folder / "names.txt", tmp_path / "c.json"
    spans.write_text('{"conversation_id": "a", "label": null}\n')
    names.write_text("Pam\n")
    dictionary = {"cloud_storage_path": {"path": str(names)}}
    custom = {"info_type": {"name": "PERSON_NAME"}, "dictionary": dictionary}
    config.write_text(json.dumps({"inspect": {"custom_info_types": [custom]}}))
    _, scoring = prepared("score", source, "--spans", spans)
    _, finding = prepared("anonymize", source, "--config", config)
    for reading, own, told in (
        (scoring, None, "spans.jsonl"),
        (finding, str(config), "names.txt"),
        (job, str(folder / "config.yaml"), "config.yaml"),
    ):
        with pytest.raises(UserError, match=f"{told}, which this run reads"):
            prepare_output(reading, overwrite=True, config=own)
    assert spans.exists()


def test_a_manifest_is_no_input_of_a_run_into_its_folder(prepared, tmp_path):
    (tmp_path / "manifest.json").write_text(json.dumps({"conversation_id": "a", "turns": []}) + "\n")
    _, job = prepared("anonymize", tmp_path / "manifest.json", output=tmp_path)
    with pytest.raises(UserError, match=r"manifest\.json"):
        prepare_output(job, overwrite=True)


@pytest.mark.parametrize("inside", ["", "out", "a/out"])
def test_an_output_inside_an_input_folder_is_refused(tmp_path, inside):
    with pytest.raises(UserError, match="lies in the input folder"):
        refuse_nested([str(tmp_path)], str(tmp_path / inside))


def test_an_output_inside_an_input_folder_is_known_however_it_is_spelled(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "in")
    for folder, output in (
        ("in/.", "in/out"),
        ("in", "in/../in/out"),
        ("in", "link/out"),
        ("link", "in/out"),
    ):
        with pytest.raises(UserError, match="lies in the input folder"):
            refuse_nested([f"{tmp_path}/{folder}"], f"{tmp_path}/{output}")


def test_an_output_beside_the_input_is_not_refused(tmp_path):
    (tmp_path / "in").mkdir()
    refuse_nested([str(tmp_path / "in"), f"{tmp_path}/*.jsonl"], str(tmp_path / "in.out"))
    refuse_nested(["memory://in"], "memory://out")


def test_what_a_run_of_the_former_name_left_behind_is_refused(job):
    left = Path(job.output) / ".tacet" / "0123456789abcdef"
    left.mkdir(parents=True)
    for overwrite in (False, True):
        with pytest.raises(UserError, match=r"unfinished run of an earlier version \(\.tacet\)"):
            prepare_output(job, overwrite=overwrite)
    left.rmdir()
    left.parent.rmdir()
    prepare_output(job, overwrite=False)
