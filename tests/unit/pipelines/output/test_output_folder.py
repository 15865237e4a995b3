"""A folder is written only where nothing of anybody else's is lost, and where no two runs are mixed."""

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from tacenda.pipelines.executors.local import finish
from tacenda.pipelines.output import output_folder
from tacenda.pipelines.output.output_folder import check_output, prepare_output, refuse_inside
from tacenda.pipelines.work.receipts import FinishedPart, load_part, save_part
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Receipt
from tests.cases import tabled
from tests.unit.pipelines.output.conftest import RECORD


def _other(job):
    return replace(job, identity=replace(job.identity, fingerprint="f" * 64))


def _modify(source):
    source.write_text(RECORD.replace('"x"', '"y"'))
    os.utime(source, ns=(1, 1))


def _refused(job, told, overwrite=(False,), **more):
    for one in overwrite:
        with pytest.raises(UserError, match=told):
            prepare_output(job, one, **more)


BOTH = (False, True)


def test_a_new_output_folder_is_marked_with_its_run(job):
    prepare_output(job, overwrite=False)
    prepare_output(job, overwrite=False)
    _refused(_other(job), "unfinished run of other input")
    prepare_output(_other(job), overwrite=True)
    _refused(job, "a different run")


@pytest.mark.parametrize("ended", [False, True])
def test_an_unfinished_run_does_not_go_on_with_input_of_other_content(prepared, source, job, ended):
    prepare_output(job, overwrite=False)
    if ended:
        finish([], job)
        prepare_output(job, overwrite=False)
    _modify(source)
    now = prepared("anonymize", source)[1]
    assert now.identity == job.identity
    _refused(now, "unfinished run of the same input before it was modified")
    prepare_output(now, overwrite=True)


def test_a_finished_run_can_only_be_repeated_by_itself(prepared, source, job):
    prepare_output(job, overwrite=False)
    finish([], job)
    _refused(_other(job), r"manifest\.json names another input")
    assert (Path(job.output) / "_UNREVIEWED").exists()
    finished = (Path(job.output) / "manifest.json").stat().st_mtime
    source.write_text(RECORD.replace('"x"', '"y"'))
    for seconds, refused in ((-1, False), (1, True)):
        os.utime(source, (finished + seconds,) * 2)
        now = prepared("anonymize", source)[1]
        check_output(now, overwrite=True)
        if refused:
            _refused(now, r"a different run \(of the same input before it was modified\)")
        else:
            check_output(now, overwrite=False)
    os.utime(source, (finished - 1,) * 2)
    prepare_output(job, overwrite=False)
    assert not (Path(job.output) / "_UNREVIEWED").exists()


@tabled("name", "content", "told")
def test_files_of_somebody_else_are_refused(job, name, content, told):
    theirs = Path(job.output) / name
    theirs.parent.mkdir(parents=True)
    theirs.write_text(content)
    _refused(job, f"{told}, not written by a run of ours", BOTH)
    assert theirs.read_text() == content


def test_overwriting_removes_what_is_ours_and_nothing_else(job):
    check_output(job, overwrite=True)
    assert not Path(job.output).exists()
    prepare_output(job, overwrite=False)
    finish([], job)
    root = Path(job.output)
    (root / "corpus").mkdir()
    (root / "corpus" / "part-00009.jsonl.zst").touch()
    (root / "notes.txt").write_text("mine")
    (elsewhere := root.with_name("elsewhere")).mkdir()
    (elsewhere / "notes.txt").write_text("mine")
    (root / ".tacenda").symlink_to(elsewhere)
    prepare_output(job, overwrite=True)
    assert (elsewhere / "notes.txt").exists()
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


def test_a_file_is_no_folder(prepared, source):
    _refused(prepared("anonymize", source, output=source)[1], "is a file", BOTH)
    _refused(prepared("anonymize", source, output=source / "out")[1], "cannot be used", BOTH)
    assert source.read_text() == RECORD


def test_an_unwritable_output_folder_is_a_user_error(job, monkeypatch):
    def refuse(_):
        raise PermissionError(13, "secret")

    monkeypatch.setattr(output_folder, "announce", refuse)
    _refused(job, r"cannot be used \(PermissionError\); check the path and its permissions$")


def test_input_may_lie_beside_the_output_but_not_among_its_parts(prepared, tmp_path):
    beside, among = tmp_path / "calls.jsonl", tmp_path / "corpus" / "mine.jsonl"
    beside.write_text(RECORD)
    prepare_output(prepared("anonymize", beside, output=tmp_path)[1], overwrite=True)
    assert beside.read_text() == RECORD
    among.parent.mkdir()
    among.write_text(RECORD)
    for source in (among, among.parent):
        _refused(prepared("anonymize", source, output=tmp_path)[1], r"mine\.jsonl", BOTH)
    assert among.read_text() == RECORD


@pytest.mark.parametrize(
    "spelled",
    ["../{0}/out/corpus", "link/corpus", "out/../out/./corpus", "beside.jsonl", "out/corpus/link.jsonl"],
)
def test_input_among_the_parts_is_known_however_it_is_spelled(
    prepared, source, tmp_path, monkeypatch, spelled
):
    monkeypatch.chdir(tmp_path)
    among = tmp_path / "out" / "corpus" / "part.jsonl"
    among.parent.mkdir(parents=True)
    among.write_text(RECORD)
    (among.parent / "link.jsonl").symlink_to(source)
    (tmp_path / "link").symlink_to(tmp_path / "out")
    (tmp_path / "beside.jsonl").symlink_to(among)
    job = prepared("anonymize", spelled.format(tmp_path.name))[1]
    _refused(job, "which this run reads, is part of another run's output", [True])
    assert among.read_text() == RECORD


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
    scoring = prepared("score", source, "--spans", spans)[1]
    finding = prepared("anonymize", source, "--config", config)[1]
    _refused(scoring, "spans.jsonl, which this run reads", [True])
    _refused(finding, "names.txt, which this run reads", [True], config=str(config))
    _refused(job, "config.yaml, which this run reads", [True], config=str(folder / "config.yaml"))
    assert spans.exists()
    (tmp_path / "manifest.json").write_text(json.dumps({"conversation_id": "a", "turns": []}) + "\n")
    manifest = prepared("anonymize", tmp_path / "manifest.json", output=tmp_path)[1]
    _refused(manifest, r"manifest\.json", [True])


@pytest.mark.parametrize(
    ("folder", "output"),
    [
        *(("", inside) for inside in ("", "out", "a/out")),
        *(("in/.", "in/out"), ("in", "in/../in/out"), ("in", "link/out"), ("link", "in/out")),
    ],
)
def test_an_output_inside_an_input_folder_is_refused(tmp_path, folder, output):
    (tmp_path / "in").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "in")
    with pytest.raises(UserError, match="lies in the input folder"):
        refuse_inside("--output", f"{tmp_path}/{output}", [f"{tmp_path}/{folder}"])
    refuse_inside("--output", str(tmp_path / "in.out"), [str(tmp_path / "in"), f"{tmp_path}/*.jsonl"])
    refuse_inside("--output", "memory://out", ["memory://in"])
