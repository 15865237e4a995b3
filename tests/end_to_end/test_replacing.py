"""Replacement settings in whole runs: values, reasons, and keys that never appear in output."""

import base64
import gzip
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from tacenda.pipelines import cli
from tacenda.pipelines.cli import parser_of
from tacenda.pipelines.command_line.outcome import cli_main
from tacenda.pipelines.startup.launch import prepare
from tests.fakes.google_keys import WRAPPED, google_keys

Tacenda = Callable[..., Any]
Lines = Callable[..., Path]

KEY = bytes(range(100, 132))
WRITTEN = base64.b64encode(KEY).decode()
TEXTS = [
    "write to ann@example.com, born 25/06/1984, card 4111 1111 1111 1111",
    "again ann@example.com, and 10.1.2.3",
]

TEMPLATE = yaml.safe_load("""
name: projects/p/deidentifyTemplates/t
deidentifyConfig: {infoTypeTransformations: {transformations: [
  {infoTypes: [{name: EMAIL_ADDRESS}], primitiveTransformation: {cryptoDeterministicConfig:
    {cryptoKey: {transient: {name: mails}}, surrogateInfoType: {name: MAIL}}}},
  {infoTypes: [{name: CREDIT_CARD_NUMBER}], primitiveTransformation: {characterMaskConfig:
    {numberToMask: -4, charactersToIgnore: [{charactersToSkip: " "}]}}},
  {infoTypes: [{name: IP_ADDRESS}], primitiveTransformation: {replaceConfig:
    {newValue: {stringValue: some address}}}}]}}
replacement: {keys: {mails: "env:A_KEY"}}
""")


def _by_rules(source: Path, file: Path) -> list[Any]:
    return ["anonymize", "--input", source, "--detector", "rules", "--config", file]


def _deidentify(primitive: Any, info_type: str = "") -> dict[str, Any]:
    one = {"infoTypes": [{"name": info_type}] if info_type else [], "primitiveTransformation": primitive}
    return {"deidentify": {"infoTypeTransformations": {"transformations": [one]}}}


def _conversations() -> list[dict[str, Any]]:
    return [
        {"conversation_id": f"c{i}", "turns": [{"speaker": "agent", "text": text} for text in TEXTS]}
        for i in range(30)
    ]


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Any], Path]:
    """``config(data)``: writes a config file, with a key in the environment."""
    monkeypatch.setenv("A_KEY", WRITTEN)

    def write(data: Any) -> Path:
        path = tmp_path / "template.json"
        path.write_text(json.dumps(data))
        return path

    return write


def test_a_template_of_the_cloud_does_what_it_says(tacenda: Tacenda, lines: Lines, config: Any) -> None:
    run = tacenda(*_by_rules(lines(*_conversations()), config(TEMPLATE)))
    first, second = (turn["text"] for turn in run.corpus()[0]["turns"])
    assert "**** **** **** 1111" in first
    assert "born [DATE_OF_BIRTH_1]" in first
    surrogate = first.split(",")[0].removeprefix("write to ")
    assert surrogate.startswith("MAIL(")
    assert second == f"again {surrogate}, and some address"
    assert {turn["text"] for one in run.corpus() for turn in one["turns"]} == {first, second}
    manifest = run.json("manifest.json")
    assert manifest["pseudonymised"] is True
    grounds = " ".join(ground["what"] for ground in manifest["verdict"]["rests_on"])
    assert "EMAIL_ADDRESS: pseudonymised, not anonymised" in grounds
    assert "CREDIT_CARD_NUMBER: all but 4 of its characters are masked" in grounds
    assert "reversible with the key" in (run.folder / "report.html").read_text("utf-8")


def test_keys_appear_in_no_output(
    tacenda: Tacenda, lines: Lines, config: Any, tmp_path: Path, prepared: Any
) -> None:
    file, source = config(TEMPLATE), lines(*_conversations())
    run = tacenda("anonymize", "--input", source, "--detector", "rules", "--config", file, "--operator", "me")
    told = b"".join(run.files().values()) + run.out.encode() + run.err.encode()
    _, job = prepared(source, file)
    told += pickle.dumps(job) + repr(job).encode()
    assert b"env:A_KEY" in told
    for secret in (WRITTEN.encode(), KEY, KEY.hex().encode(), WRITTEN.rstrip("=").encode()):
        assert secret not in told


@pytest.fixture
def prepared() -> Callable[..., Any]:
    """``prepared(source, config)``: plan and settings of a run, as they go to workers."""

    def prepare_(source: Path, file: Path) -> Any:

        words = ["--input", str(source), "--output", str(source.parent / "o"), "--config", str(file)]
        return prepare("anonymize", parser_of("anonymize").parse_args([*words, "--detector", "rules"]))

    return prepare_


def test_another_key_is_another_run(
    tacenda: Tacenda, lines: Lines, config: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, file = lines(*_conversations()), config(TEMPLATE)
    words = _by_rules(source, file)
    one = tacenda(*words)
    monkeypatch.setenv("A_KEY", base64.b64encode(bytes(32)).decode())
    other = tacenda(*words, "--overwrite")
    prints = [run.json("manifest.json")["fingerprint"] for run in (one, other)]
    assert prints[0] != prints[1]


def test_a_key_that_stands_in_the_config_is_not_reported(tacenda: Tacenda, lines: Lines, config: Any) -> None:
    data = _deidentify({"cryptoHashConfig": {"cryptoKey": {"unwrapped": {"key": WRITTEN}}}})
    run = tacenda(*_by_rules(lines(*_conversations()), config(data)))
    assert "the config contains a key" in run.err
    told = b"".join(run.files().values()) + run.out.encode() + run.err.encode()
    assert WRITTEN.encode() not in told


def test_an_info_type_that_nothing_looks_for_is_reported(tacenda: Tacenda, lines: Lines, config: Any) -> None:
    data = _deidentify({"redactConfig": {}}, "EMAIL_ADRESS")
    run = tacenda(*_by_rules(lines(*_conversations()), config(data)))
    assert "deidentify: nothing looks for EMAIL_ADRESS; add it to inspect.info_types" in run.err
    assert "ann@" not in str(run.corpus())


def test_a_value_that_cannot_be_transformed(tacenda: Tacenda, lines: Lines, config: Any) -> None:
    data = _deidentify({"timePartConfig": {"partToExtract": "YEAR"}}, "IP_ADDRESS")
    words = ["anonymize", "--input", lines(*_conversations()), "--detector", "rules", "--config"]
    thrown = tacenda(*words, config(data))
    assert {(row["stage"], row["error"]) for row in thrown.quarantine()} == {("replace", "NotADate")}
    data["deidentify"]["transformationErrorHandling"] = {"leaveUntransformed": {}}
    left = tacenda(*words, config(data), "--overwrite")
    assert not left.quarantine()
    assert left.corpus()[0]["turns"][1]["text"].endswith("and [IP_ADDRESS_1]")
    assert "10.1.2.3" not in str(left.corpus())


def test_kept_findings_are_counted_and_reported(tacenda: Tacenda, lines: Lines, config: Any) -> None:
    kept = config({"replacement": {"keep": {"IP_ADDRESS": "addresses of our own machines"}}})
    run = tacenda(*_by_rules(lines(*_conversations()), kept))
    assert run.corpus()[0]["turns"][1]["text"] == "again [EMAIL_ADDRESS_1], and 10.1.2.3"
    manifest = run.json("manifest.json")
    assert manifest["totals"]["readable"] == {"keep/IP_ADDRESS": 30}
    assert manifest["totals"]["missed"]["IP_ADDRESS"] == 30
    grounds = [ground["what"] for ground in manifest["verdict"]["rests_on"] if ground["weakens"]]
    assert "IP_ADDRESS is kept: 30 findings stay readable (addresses of our own machines)" in grounds
    assert cli_main(cli.run, ["verify", str(run.folder)]) == 0


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_reidentify_restores_the_originals_with_the_key(
    tacenda: Tacenda, lines: Lines, config: Any, tmp_path: Path, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, source = config(TEMPLATE), lines(*_conversations())
    if form == "parquet":
        source = tmp_path / "in.parquet"
        pq.write_table(pa.Table.from_pylist(_conversations()), source)
    run = tacenda(*_by_rules(source, file))
    corpus = ["--input", str(run.folder / "corpus"), "--config", str(file)]
    back = tacenda("corpus", "reidentify", *corpus)
    assert back.code == 0, back.err
    assert "60 values of 1 file reversed" in back.out
    (part,) = back.folder.iterdir()
    assert part.stat().st_mode & 0o077 == 0
    text = (
        gzip.decompress(part.read_bytes()).decode()
        if form == "jsonl"
        else str(pq.read_table(part).to_pylist())
    )
    assert text.count("ann@example.com") == 60
    assert "MAIL(" not in text
    assert "4111" not in text, "what is masked stays masked"
    monkeypatch.setenv("A_KEY", base64.b64encode(bytes(32)).decode())
    wrong = tacenda("corpus", "reidentify", *corpus)
    assert wrong.code == 1
    assert "60 values stay as they are" in wrong.err
    assert "ann@" not in str([path.read_bytes() for path in wrong.folder.iterdir()])


def test_reidentify_keeps_the_spelling_of_numbers(tacenda: Tacenda, config: Any, tmp_path: Path) -> None:
    line = b'{"id":"c","text":"x","n":12345678901234567890123,"m":0.10}\n'
    for name, data in (("a.jsonl", line), ("b.jsonl.gz", gzip.compress(line))):
        source = tmp_path / name
        source.write_bytes(data)
        back = tacenda("corpus", "reidentify", "--input", source, "--config", config(TEMPLATE))
        assert back.code == 0, back.err
        written = (back.folder / name).read_bytes()
        assert (gzip.decompress(written) if name.endswith("gz") else written) == line
    source.write_bytes(gzip.compress(b'{"n":1,"n":2}\n'))
    twice = tacenda("corpus", "reidentify", "--input", source, "--config", config(TEMPLATE))
    assert "the line at byte 0 is no record of a corpus (RepeatedKey)" in twice.err


def test_what_cannot_be_reversed_is_refused(
    tacenda: Tacenda, lines: Lines, config: Any, tmp_path: Path
) -> None:
    source, file = lines(*_conversations()), config({"risk": {"threshold": 4}})
    assert (
        "nothing in it can be reversed"
        in tacenda("corpus", "reidentify", "--input", source, "--config", file).err
    )
    file = config(TEMPLATE)
    full = tacenda("corpus", "reidentify", "--input", source, "--config", file, output=tmp_path)
    assert full.code == 2
    assert "is not empty" in full.err
    bad = lines(b"{no json")
    assert (
        "the line at byte 0 is no JSON"
        in tacenda("corpus", "reidentify", "--input", bad, "--config", file).err
    )


def test_a_list_of_decisions_is_applied_and_never_reported(
    tacenda: Tacenda, lines: Lines, config: Any, tmp_path: Path
) -> None:
    decided = tmp_path / "decided.yaml"
    decided.write_text(
        "- {protect: 10.1.2.3}\n"
        "- {suppress: again, info_type: AGE}\n"
        "- {protect: {turn: 1, start: 6, end: 21}, conversation_id: c3}\n"
        "- {protect: Pepperland}\n"
    )
    source = lines(*_conversations())
    file = config({"replacement": {"lists": [str(decided)], "eponyms": True}})
    words = _by_rules(source, file)
    run = tacenda(*words)
    texts = {one["conversation_id"]: one["turns"][1]["text"] for one in run.corpus()}
    assert texts.pop("c3") == "[AGE_1] ann@example.com, and 10.1.2.3"
    assert {*texts.values()} == {"[AGE_1] [EMAIL_ADDRESS_1], and 10.1.2.3"}
    manifest = run.json("manifest.json")
    assert manifest["totals"]["readable"] == {"protect/EMAIL_ADDRESS": 1, "protect/IP_ADDRESS": 30}
    assert manifest["config"]["replacement"]["lists"] == [{"file": decided.name, "protect": 3, "suppress": 1}]
    assert manifest["lists"] == [{"file": decided.name, "entries": 4, "matched_nothing": [4]}]
    report = (run.folder / "report.html").read_text("utf-8")
    assert "A list of words: 1 of 4 entries matched nothing." in report
    assert "note           decided.yaml: 1 of 4 entries matched nothing: line 4\n" in run.out
    grounds = [ground["what"] for ground in manifest["verdict"]["rests_on"] if ground["weakens"]]
    assert "lists of words and places that stay: 31 findings are readable and not scored" in grounds
    for secret in ("10.1.2.3", "Pepperland"):
        assert secret not in json.dumps(manifest) + report + run.out + run.err
    decided.write_text("- {protect: 10.1.2.4}\n")
    other = tacenda(*words).json("manifest.json")
    assert other["config_hash"] != manifest["config_hash"]


def test_errors_in_a_list_are_one_line(tacenda: Tacenda, lines: Lines, config: Any, tmp_path: Path) -> None:
    decided = tmp_path / "decided.yaml"
    decided.write_text("- {suppress: Pepperland}\n")
    file = config({"replacement": {"lists": [str(decided)]}})
    run = tacenda("anonymize", "--input", lines(*_conversations()), "--config", file)
    assert run.code == 2
    assert "template.json:1: replacement.lists[0]: decided.yaml:1: needs info_type" in run.err
    assert "Pepperland" not in run.err
    decided.unlink()
    gone = tacenda("anonymize", "--input", lines(*_conversations()), "--config", file)
    assert "replacement.lists[0]: cannot be read" in gone.err


def test_a_template_of_the_cloud_with_a_wrapped_key_runs_as_it_is(
    tacenda: Tacenda, lines: Lines, config: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "projects/p/locations/eu/keyRings/r/cryptoKeys/k"
    key = {"kmsWrapped": {"cryptoKeyName": name, "wrappedKey": base64.b64encode(WRAPPED + KEY).decode()}}
    template = json.loads(json.dumps(TEMPLATE).replace('{"transient": {"name": "mails"}}', json.dumps(key)))
    wrapped, plain = config({**template, "replacement": {}}), lines(*_conversations())
    words = ["anonymize", "--input", plain, "--detector", "rules", "--config", wrapped]
    with google_keys() as service:
        monkeypatch.setenv("CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDKMS", service.endpoint)
        run = tacenda(*words)
        service.crypto_keys.clear()
        refused = tacenda(*words)
    by_kms = run.corpus()
    manifest = json.dumps(run.json("manifest.json"))
    assert f"unwrapped by {name}" in manifest
    assert WRITTEN not in manifest
    # The same as with the key itself, by which the originals come back.
    assert (
        tacenda("anonymize", "--input", plain, "--detector", "rules", "--config", config(TEMPLATE)).corpus()
        == by_kms
    )
    assert refused.code == 2
    assert (
        refused.err == f"tacenda: {name}: HTTP 404: does not exist, or is not visible to whoever runs this\n"
    )


def test_names_that_stand_out_among_surrogates_are_counted_only(
    tacenda: Tacenda, lines: Lines, config: Any
) -> None:
    """Whatever the units; the ids are told of conversations to look at."""
    people = "- {suppress: Ann Lee, info_type: PERSON_NAME}\n"
    settings = {"default": "hidden_in_plain_sight", "secret": "env:A_KEY"}
    file = config({"replacement": settings})
    decided = file.with_name("people.yaml")
    decided.write_text(people)
    file = config({"replacement": {**settings, "lists": [str(decided)]}})
    standing = {"speaker": "agent", "text": "Ann Lee is here. Garcia and Garcia"}
    talks = [{"conversation_id": f"c{i:02}", "turns": [standing]} for i in range(30)]
    talks += [
        {"conversation_id": f"d{i}", "turns": [{"speaker": "agent", "text": "Ann Lee"}]} for i in range(3)
    ]
    words = ["anonymize", "--input", lines(*talks), "--detector", "rules", "--config", file]
    one, many = (tacenda(*words, "--unit-bytes", size) for size in (1 << 20, 500))
    told = one.json("manifest.json")["hidden_in_plain_sight"]
    assert told == {
        "conversations": 33,
        "name_shown": 0,
        "name_suspected": 30,
        "look_at": [f"c{i:02}" for i in range(20)],
    }
    assert many.json("manifest.json")["hidden_in_plain_sight"] == told
    assert many.json("manifest.json")["units"]["rows"] > 1
    report = (one.folder / "report.html").read_text("utf-8")
    assert "Names are hidden among surrogates in 33 conversations" in report
    assert "c00, c01" in report
    for written in (report, json.dumps(one.json("manifest.json"))):
        assert "Garcia" not in written
