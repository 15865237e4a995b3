"""Replacement settings in whole runs: values, reasons, positions, and keys that never appear in output."""

import base64
import gzip
import json
import pickle
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml

from tacenda.pipelines.cli import parser_of
from tacenda.pipelines.startup.launch import prepare
from tests.fakes.google_keys import WRAPPED, google_keys
from tests.talks import talk

KEY = bytes(range(100, 132))
WRITTEN = base64.b64encode(KEY).decode()
TEXTS = [
    "write to ann@example.com, born 25/06/1984, card 4111 1111 1111 1111",
    "again ann@example.com, and 10.1.2.3",
]
CALLS = [talk(f"c{i}", *TEXTS) for i in range(30)]

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


@pytest.fixture(autouse=True)
def _a_key(monkeypatch):
    monkeypatch.setenv("A_KEY", WRITTEN)


@pytest.fixture
def another_key(monkeypatch):
    return lambda: monkeypatch.setenv("A_KEY", base64.b64encode(bytes(32)).decode())


def _deidentify(primitive, info_type=""):
    one = {"infoTypes": [{"name": info_type}] if info_type else [], "primitiveTransformation": primitive}
    return {"deidentify": {"infoTypeTransformations": {"transformations": [one]}}}


def _all_of(run):
    return b"".join(run.files().values()) + run.out.encode() + run.err.encode()


def test_a_template_of_the_cloud_does_what_it_says(anonymize, another_key):
    """And its keys appear in no output."""
    run = anonymize(CALLS, "--operator", "me", config=TEMPLATE)
    first, second = run.texts()[:2]
    assert "**** **** **** 1111" in first
    assert "born [DATE_OF_BIRTH_1]" in first
    surrogate = first.split(",")[0].removeprefix("write to ")
    assert surrogate.startswith("MAIL(")
    assert second == f"again {surrogate}, and some address"
    assert {*run.texts()} == {first, second}
    assert run.manifest["pseudonymised"] is True
    grounds = " ".join(run.grounds())
    assert "EMAIL_ADDRESS: pseudonymised, not anonymised" in grounds
    assert "CREDIT_CARD_NUMBER: all but 4 of its characters are masked" in grounds
    assert "reversible with the key" in run.report
    assert "<bdi>me</bdi>" in run.report
    source = run.folder.parent
    words = ["--input", str(source / "in0.jsonl"), "--output", str(source / "o"), "--detector", "rules"]
    config = ["--config", str(source / "config.yaml")]
    _, job = prepare("anonymize", parser_of("anonymize").parse_args([*words, *config]))
    told = _all_of(run) + pickle.dumps(job) + repr(job).encode()
    assert b"env:A_KEY" in told
    for secret in (WRITTEN.encode(), KEY, KEY.hex().encode(), WRITTEN.rstrip("=").encode()):
        assert secret not in told
    another_key()
    other = anonymize(CALLS, config=TEMPLATE)
    assert other.manifest["fingerprint"] != run.manifest["fingerprint"]


def test_a_key_that_stands_in_the_config_is_not_reported(anonymize):
    hashed = {"cryptoHashConfig": {"cryptoKey": {"unwrapped": {"key": WRITTEN}}}}
    run = anonymize(CALLS, config=_deidentify(hashed))
    assert "the config contains a key" in run.err
    assert WRITTEN.encode() not in _all_of(run)


def test_an_info_type_that_nothing_looks_for_is_reported(anonymize):
    run = anonymize(CALLS, config=_deidentify({"redactConfig": {}}, "EMAIL_ADRESS"))
    assert "deidentify: nothing looks for EMAIL_ADRESS; add it to inspect.info_types" in run.err
    assert "ann@" not in str(run.corpus())


def test_a_value_that_cannot_be_transformed(anonymize):
    data = _deidentify({"timePartConfig": {"partToExtract": "YEAR"}}, "IP_ADDRESS")
    thrown = anonymize(CALLS, config=data)
    assert {(row["stage"], row["error"]) for row in thrown.quarantine()} == {("replace", "NotADate")}
    data["deidentify"]["transformationErrorHandling"] = {"leaveUntransformed": {}}
    left = anonymize(CALLS, config=data)
    assert not left.quarantine()
    assert left.texts()[1].endswith("and [IP_ADDRESS_1]")
    assert "10.1.2.3" not in str(left.corpus())


def test_kept_findings_are_counted_and_reported(anonymize, call):
    keep = {"replacement": {"keep": {"IP_ADDRESS": "addresses of our own machines"}}}
    run = anonymize(CALLS, config=keep)
    assert run.texts()[1] == "again [EMAIL_ADDRESS_1], and 10.1.2.3"
    totals = run.manifest["totals"]
    assert (totals["readable"], totals["missed"]["IP_ADDRESS"]) == ({"keep/IP_ADDRESS": 30}, 30)
    told = "IP_ADDRESS is kept: 30 findings stay readable (addresses of our own machines)"
    assert told in run.grounds(weakening=True)
    assert call("verify", run.folder) == 0


def test_a_number_is_kept_if_its_kind_is(anonymize):
    said = [talk("1", "My zip code is 53512. Call 415-555-0199.")]
    run = anonymize(said, config={"replacement": {"keep": {"ZIP_CODE": "regions"}}})
    assert run.texts() == ["My zip code is 53512. Call [PHONE_NUMBER_1]."]


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_reidentify_restores_the_originals_with_the_key(tacenda, anonymize, tmp_path, form, another_key):
    source = CALLS
    if form == "parquet":
        pq.write_table(pa.Table.from_pylist(CALLS), source := tmp_path / "in.parquet")
    run = anonymize(source, config=TEMPLATE)
    corpus = ("--input", run.folder / "corpus", "--config", tmp_path / "config.yaml")
    back = tacenda("corpus", "reidentify", *corpus)
    assert back.code == 0, back.err
    assert "60 values of 1 file reversed" in back.out
    (part,) = back.folder.iterdir()
    assert part.stat().st_mode & 0o077 == 0
    of_lines = form == "jsonl"
    text = gzip.decompress(part.read_bytes()).decode() if of_lines else str(pq.read_table(part).to_pylist())
    assert text.count("ann@example.com") == 60
    assert "MAIL(" not in text
    assert "4111" not in text, "what is masked stays masked"
    another_key()
    wrong = tacenda("corpus", "reidentify", *corpus)
    assert wrong.code == 1
    assert "60 values stay as they are" in wrong.err
    assert "ann@" not in str([path.read_bytes() for path in wrong.folder.iterdir()])


def test_reidentify_keeps_the_spelling_of_numbers_and_refuses_what_it_cannot_reverse(
    tacenda, lines, tmp_path
):
    (config := tmp_path / "c.json").write_text(json.dumps(TEMPLATE))

    def reversed_of(name, data, **options):
        (tmp_path / name).write_bytes(data)
        words = ("--input", tmp_path / name, "--config", config)
        return tacenda("corpus", "reidentify", *words, **options)

    line = b'{"id":"c","text":"x","n":12345678901234567890123,"m":0.10}\n'
    back = reversed_of("a.jsonl", line)
    assert (back.folder / "a.jsonl").read_bytes() == line
    back = reversed_of("b.jsonl.gz", gzip.compress(line))
    assert gzip.decompress((back.folder / "b.jsonl.gz").read_bytes()) == line
    twice = reversed_of("b.jsonl.gz", gzip.compress(b'{"n":1,"n":2}\n'))
    assert "the line at byte 0 is no record of a corpus (RepeatedKey)" in twice.err
    assert "the line at byte 0 is no JSON" in reversed_of("a.jsonl", b"{no json\n").err
    reversed_of("a.jsonl", line, output=tmp_path).refused("is not empty")
    config.write_text("{}")
    assert "nothing in it can be reversed" in reversed_of("a.jsonl", line).err


def test_a_list_of_decisions_is_applied_and_never_reported(anonymize, tmp_path):
    decided = tmp_path / "decided.yaml"
    decided.write_text(
        "- {protect: 10.1.2.3}\n"
        "- {suppress: again, info_type: AGE}\n"
        "- {protect: {turn: 1, start: 6, end: 21}, conversation_id: c3}\n"
        "- {protect: Pepperland}\n"
    )
    config = {"replacement": {"lists": [str(decided)], "eponyms": True}}
    run = anonymize(CALLS, config=config)
    texts = {one["conversation_id"]: one["turns"][1]["text"] for one in run.corpus()}
    assert texts.pop("c3") == "[AGE_1] ann@example.com, and 10.1.2.3"
    assert {*texts.values()} == {"[AGE_1] [EMAIL_ADDRESS_1], and 10.1.2.3"}
    manifest = run.manifest
    assert manifest["totals"]["readable"] == {"protect/EMAIL_ADDRESS": 1, "protect/IP_ADDRESS": 30}
    assert manifest["config"]["replacement"]["lists"] == [{"file": decided.name, "protect": 3, "suppress": 1}]
    assert manifest["lists"] == [{"file": decided.name, "entries": 4, "matched_nothing": [4]}]
    assert "A list of words: 1 of 4 entries matched nothing." in run.report
    assert "note           decided.yaml: 1 of 4 entries matched nothing: line 4\n" in run.out
    told = "lists of words and places that stay: 31 findings are readable and not scored"
    assert told in run.grounds(weakening=True)
    assert run.holds("10.1.2.3", "Pepperland") == []
    decided.write_text("- {protect: 10.1.2.4}\n")
    assert anonymize(CALLS, config=config).manifest["config_hash"] != manifest["config_hash"]
    decided.write_text("- {suppress: Pepperland}\n")
    wrong = anonymize(CALLS, config=config)
    wrong.refused("config.yaml:1: replacement.lists[0]: decided.yaml:1: needs info_type")
    assert "Pepperland" not in wrong.err
    decided.unlink()
    anonymize(CALLS, config=config).refused("replacement.lists[0]: cannot be read")


def test_a_template_of_the_cloud_with_a_wrapped_key_runs_as_it_is(anonymize, monkeypatch):
    name = "projects/p/locations/eu/keyRings/r/cryptoKeys/k"
    key = {"kmsWrapped": {"cryptoKeyName": name, "wrappedKey": base64.b64encode(WRAPPED + KEY).decode()}}
    template = json.loads(json.dumps(TEMPLATE).replace('{"transient": {"name": "mails"}}', json.dumps(key)))
    wrapped = {**template, "replacement": {}}
    with google_keys(monkeypatch) as service:
        run = anonymize(CALLS, config=wrapped)
        service.crypto_keys.clear()
        refused = anonymize(CALLS, config=wrapped)
    assert f"unwrapped by {name}" in json.dumps(run.manifest)
    assert WRITTEN not in json.dumps(run.manifest)
    # The same as with the key itself, by which the originals come back.
    assert anonymize(CALLS, config=TEMPLATE).corpus() == run.corpus()
    refused.refused(f"tacenda: {name}: HTTP 404: does not exist, or is not visible to whoever runs this\n")


# Surrogates, and tokens that are the same in the whole corpus.

TINY = Path(__file__).parents[1] / "golden" / "tiny_masked_lm"


def _pam(name):
    said = [
        ("Pam Beesly", "This is Pam Beesly, write to pam.beesly@dunder.com or call 570-867-5309."),
        ("agent", "Thanks, Pam. Is 4111 1111 1111 1111 still your card, Ms Beesly?"),
    ]
    return {"conversation_id": name, "turns": [{"speaker": who, "text": text} for who, text in said]}


def test_a_person_has_one_surrogate_in_a_conversation(tacenda, lines, tmp_path):
    """Manifest and report say that it is invented."""
    (config := tmp_path / "c.yaml").write_text("replacement: {default: surrogates, secret: env:A_KEY}\n")
    run = tacenda("anonymize", "--input", lines(_pam("a")), "--config", config)
    assert run.code == 0, run.err
    first, second = run.corpus()[0]["turns"]
    said = re.fullmatch(
        r"This is (\w+) (\w+), write to (\w+)\.(\w+)@\w+\.example\.com or call \d{3}-555-01\d\d\.",
        first["text"],
    )
    assert said, first
    given, family = said[1], said[2]
    assert first["speaker"] == f"{given} {family}"
    assert (said[3], said[4]) == (given.lower(), family.lower())
    answer = rf"Thanks, {given}\. Is 4\d{{3}} \d{{4}} \d{{4}} \d{{4}} still your card, Ms {family}\?"
    assert re.fullmatch(answer, second["text"])
    assert not re.search("Pam|Beesly", json.dumps(run.corpus()))
    assert run.manifest["pseudonymised"] is True
    assert run.manifest["config"]["replacement"]["drawn"] == ["surrogates"]
    assert "values in the corpus are invented (surrogates)" in run.report
    assert "pseudonymised, not anonymised, as long as the secret exists" in run.report
    assert WRITTEN.encode() not in _all_of(run)


@pytest.mark.parametrize(
    "default",
    ["surrogates", *(pytest.param(name, marks=pytest.mark.slow) for name in ("random", "masked_lm"))],
)
def test_drawn_values_do_not_depend_on_workers(tacenda, lines, tmp_path, default):
    of = {"default": default, "secret": "env:A_KEY", "masked_lm": {"path": str(TINY)}}
    (config := tmp_path / "c.yaml").write_text(json.dumps({"replacement": of}))
    given = "anonymize", "--input", lines(*(_pam(str(n)) for n in range(6))), "--config", config
    run = tacenda(*given, "--unit-bytes", "1000000", "--workers", "1")
    assert run.corpus() == tacenda(*given, "--unit-bytes", "600", "--workers", "2").corpus()
    assert not re.search("Pam|[Bb]eesly|5309|4111", json.dumps(run.corpus()))
    assert "pseudonymised" in run.report


def test_a_person_has_the_same_token_in_all_conversations_only_on_request(tacenda, lines, tmp_path):
    source = lines(
        talk("a", "Hello, my name is Sarah Whitaker."),
        talk("b", "I spoke to Sarah Whitaker, not to Sarah Long."),
    )
    plain = tacenda("anonymize", "--input", source)
    assert "[PERSON_NAME_1], not to [PERSON_NAME_2]" in plain.texts()[1]
    assert plain.manifest["pseudonymised"] is False
    sections = {"entities": {"scope": "corpus"}, "replacement": {"secret": "env:A_KEY"}}
    (config := tmp_path / "c.json").write_text(json.dumps(sections))
    run = tacenda("anonymize", "--input", source, "--config", config)
    first, second = run.texts()
    token = first.removeprefix("Hello, my name is ").removesuffix(".")
    assert token.startswith("[PERSON_NAME_")
    assert second.startswith(f"I spoke to {token}, not to [PERSON_NAME_")
    assert second.count(token) == 1
    assert run.manifest["pseudonymised"] is True
    assert run.manifest["config"]["replacement"]["scope"] == "corpus"
    assert "pseudonymised, not anonymised" in run.report
    assert WRITTEN.encode() not in _all_of(run)


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ({"replacement": {"default": "surrogates"}}, "surrogates need a secret; add secret: env:NAME"),
        ({"entities": {"scope": "corpus"}}, "replacement.secret"),
    ],
)
def test_what_needs_a_secret_says_so(anonymize, config, told):
    anonymize(CALLS, config=config).refused(told)


# Positions of replacements: written to a restricted folder, and nowhere else.

MAILS = ["ann.smith@example.com", "bo@example.com"]
TALK = {
    "conversation_id": "c1",
    "turns": [
        {"speaker": "agent", "text": f"Write to {MAILS[0]} or {MAILS[1]}, please 😀."},
        {"speaker": "customer", "text": "No."},
        {"speaker": MAILS[1], "text": f"{MAILS[0]}?"},
    ],
}


def test_positions_before_and_after_lead_to_the_same_place(anonymize, tmp_path):
    secret = tmp_path / "secret"
    plain, run = anonymize([TALK]), anonymize([TALK], config={"output": {"standoff": str(secret)}})
    assert run.code == 0, run.err
    files = sorted(secret.rglob("*.parquet"))
    rows = [row for path in files for row in pq.read_table(path).to_pylist()]
    (written,) = run.corpus()
    told = []
    for row in rows:
        before, after = (record["turns"][row["turn"]][row["field"]] for record in (TALK, written))
        told.append((before[row["start"] : row["end"]], after[row["output_start"] : row["output_end"]]))
    ann, bo = zip(MAILS, ["[EMAIL_ADDRESS_1]", "[EMAIL_ADDRESS_2]"], strict=True)
    assert told == [ann, bo, bo, ann]
    assert [row["field"] for row in rows] == ["text", "text", "speaker", "text"]
    assert [row["entity"] for row in rows] == [1, 2, 2, 1]
    assert {(row["conversation_id"], row["info_type"]) for row in rows} == {("c1", "EMAIL_ADDRESS")}
    standoff = run.manifest["standoff"]
    assert standoff["rows"] == 4
    assert Path(standoff["folder"]) == secret / run.manifest["fingerprint"][:16]
    for path in files:
        assert path.stat().st_mode & 0o077 == 0
        assert not [mail for mail in MAILS if mail.encode() in path.read_bytes()]
    assert run.corpus() == plain.corpus()
    assert "standoff" not in plain.manifest
    assert not [name for name in run.files() if "standoff" in name]


@pytest.mark.parametrize("place", ["out", "out/standoff", "in/secret"])
def test_the_stand_off_folder_must_be_outside_input_and_output(anonymize, tmp_path, place):
    (folder := tmp_path / "in").mkdir()
    (folder / "a.jsonl").write_text(json.dumps(TALK))
    anonymize(folder, "--standoff", tmp_path / place, output=tmp_path / "out").refused("tacenda: --standoff")
    assert not (tmp_path / place).exists()
