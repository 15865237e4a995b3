"""Annotated gold, missing labels, and input that is not gold."""

import gzip
import json
import random
from collections import Counter
from typing import Any

import pytest
import yaml

from tacenda.models.token_classifier.loading import embedded_path
from tacenda.models.token_classifier.package import CURVE
from tacenda.models.training.augmenting import augmented
from tacenda.models.training.corpora import IGNORED, LabelScheme, read_gold, silences, split
from tacenda.models.training.gold_tokens import drawn, judged, score_gold
from tacenda.models.training.surrounding import ordinary_words, surrounded
from tacenda.transforms.schema.errors import UserError
from tests.cases import cases
from tests.tiny_bert import gold, tiny_scorer

HALF = 'classes: ["O", "A", "B"]\ncorpora: {"half": {annotates: ["A"], weight: 2, silence: 0.5}%s}\n'


def test_corpora_and_their_parts_have_their_settings_and_labels_become_classes():
    scheme = LabelScheme.load()
    assert scheme.corpus("multidogo/airline") is scheme.corpora["multidogo"]
    assert scheme.corpus("snips/PlayMusic").silence.sum() == len(scheme.classes) - 1
    named = [("CITY", ""), ("MISC", ""), ("MISC", "MEDICATION_NAME"), ("NO_SUCH", "")]
    classes = [scheme.class_of({"label": label, "raw_label": raw}) for label, raw in named]
    known = [c if c == IGNORED else scheme.classes[c] for c in classes]
    assert known == ["LOCATION", IGNORED, "MEDICAL_TERM", IGNORED]
    scheme = LabelScheme.load(HALF % "")
    half, unknown = scheme.corpus("half"), scheme.corpus("another")
    assert (half.silence.tolist(), half.silence_weight, half.weight) == ([True, False, True], 0.5, 2.0)
    assert (unknown.silence.tolist(), unknown.silence_weight) == ([True, False, False], 1.0)


def test_gold_of_a_corpus_that_the_labels_do_not_describe_is_refused():
    records = [{"source": "half/one"}, {"source": "calls"}, {"source": "calls"}]
    scheme = LabelScheme.load(HALF % "")
    with pytest.raises(UserError, match="2 conversations are of the corpus calls, and the labels do not say"):
        scheme.refuse_unknown_corpora(records)
    with pytest.raises(UserError) as refused:
        scheme.refuse_unknown_corpora([{"source": "Ann Lee <ann@example.org>"}])
    assert "Ann" not in str(refused.value)
    scheme.refuse_unknown_corpora(records[:1])
    LabelScheme.load('classes: ["O", "A"]\n').refuse_unknown_corpora(records)
    others = LabelScheme.load(HALF % ', "*": {annotates: [], weight: 3}')
    others.refuse_unknown_corpora(records)
    assert (others.corpus("calls").weight, others.corpus("half").weight) == (3.0, 2.0)


@pytest.mark.parametrize(("text", "wrong"), cases(__file__, "test_rejects_an_invalid_scheme"))
def test_rejects_an_invalid_scheme(text, wrong):
    with pytest.raises(UserError, match=wrong) as raised:
        LabelScheme.load(text)
    assert "\n" not in str(raised.value)


def test_labels_outside_the_scheme_are_rejected_by_name(scheme):
    records = gold(3)
    scheme.refuse_unknown(records)
    records[0]["turns"][0]["spans"] = [{"start": 0, "end": 1, "label": label} for label in ("TITLE", "IBAN")]
    with pytest.raises(UserError, match=r"1 labels without a class: IBAN \(1\); give --labels"):
        scheme.refuse_unknown(records)


def test_reads_plain_and_packed_and_names_source_and_id(tmp_path):
    line = json.dumps({"turns": [{"text": "a\ud800b", "spans": [{"start": 0, "end": 3, "label": "X"}]}]})
    (tmp_path / "mine.train.jsonl").write_text(line + "\n\n")
    with gzip.open(tmp_path / "two.jsonl.gz", "wt") as file:
        file.write(line)
    first, second = read_gold([tmp_path / "mine.train.jsonl", tmp_path / "two.jsonl.gz"])
    assert (first["source"], first["id"]) == ("mine", "mine.train.jsonl/1")
    assert second["source"] == "two"
    assert first["turns"][0]["text"] == "a\ufffdb"


@pytest.mark.parametrize("line", cases(__file__, "test_an_invalid_gold_line_is_named_without_its_text"))
def test_an_invalid_gold_line_is_named_without_its_text(tmp_path, line):
    path = tmp_path / "bad.jsonl"
    path.write_text('{"turns": []}\n' + line + "\n")
    with pytest.raises(UserError, match=r"bad\.jsonl line 2: not a gold conversation; write") as raised:
        list(read_gold([path]))
    assert "Zanzibar" not in str(raised.value)


@pytest.mark.parametrize("name", ["none.jsonl", "no.jsonl.gz", "cut.jsonl.gz", "damaged.jsonl.gz"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, name):
    packed = gzip.compress(b'{"turns": []}\n' * 9)
    (tmp_path / "no.jsonl.gz").write_bytes(b"not packed")
    (tmp_path / "cut.jsonl.gz").write_bytes(packed[:-9])
    # A block of a kind that there is not.
    (tmp_path / "damaged.jsonl.gz").write_bytes(packed[:10] + b"\xff" + packed[11:])
    with pytest.raises(UserError, match=rf"{name}: cannot be read"):
        list(read_gold([tmp_path / name]))


def test_classes_annotated_by_no_corpus_are_negative_where_unmarked():
    annotated = '{"a": {annotates: ["A"], weight: 1}, "b": {annotates: ["B"], weight: 1}}'
    text = f'classes: ["O", "A", "B", "C"]\ncorpora: {annotated}\n'
    scheme = LabelScheme.load(text)
    a, b = scheme.corpus("a"), scheme.corpus("b")
    assert silences([a, b]).tolist() == [[True, False, True, False], [True, True, False, False]]
    assert silences([a]).tolist() == [[True, False, False, False]]
    assert a.silence.tolist() == [True, False, True, True]


OURS = {"everyday", "synthetic"}
USES = {"training", "text", "calibration", "thresholds", "measuring"}
SOURCES = yaml.safe_load((embedded_path().parent / "training" / "sources.yaml").read_text("utf-8"))["files"]
"""The files from which the embedded model may be made: their licences, and what each may be used for."""


def recorded():
    """Use and name of every file that the package records."""
    curve = json.loads((embedded_path() / CURVE).read_text("utf-8"))
    parts: dict[str, list[Any]] = {
        "training": curve["data"]["train"],
        "thresholds": curve["data"]["dev"],
        "calibration": curve["calibration"]["files"],
    }
    for use, part in parts.items():
        assert part, use
        yield from ((use, one["file"]) for one in part)


def test_the_embedded_package_was_made_from_listed_files_alone():
    assert [one for one in recorded() if one[0] not in SOURCES.get(one[1], {"uses": ()})["uses"]] == []


def test_each_file_has_a_licence_and_known_uses_and_evaluation_files_are_not_trained_on():
    for name, source in SOURCES.items():
        assert source["licence"], name
        assert {*source["uses"]} <= USES, name
        assert source["uses"], name
        if any(word in source["licence"] for word in ("NC", "evaluation only", "development only")):
            assert source["uses"] == ["measuring"], name
        assert ".dev." not in name or not {"training", "calibration"} & {*source["uses"]}, name


def test_each_corpus_for_training_has_described_labels():
    scheme = LabelScheme.load()
    corpora = {name.split(".")[0] for name, source in SOURCES.items() if "training" in source["uses"]}
    # xsid-de is part of the corpus xsid, as its records say; propn-de is of ud.
    plain = {name for name in corpora if name not in scheme.corpora}
    assert {name.partition("-")[0] for name in plain} <= {"xsid", "europeana", "nerkor", "ronec", "propn"}


def test_the_notice_names_each_licence_of_what_was_trained_on():
    notice = (embedded_path() / "NOTICE.md").read_text("utf-8")
    used = {name for use, name in recorded() if name.split(".")[0] not in OURS}
    assert [n for n in used if SOURCES[n]["licence"].split(";")[0].split(",")[0] not in notice] == []


CLASSES = ("O", "PERSON_NAME", "STREET_ADDRESS", "LOCATION", "PASSWORD")


@pytest.mark.parametrize(
    ("record", "expected"), cases(__file__, "test_a_finding_is_wrong_only_where_gold_is_complete_for_it")
)
def test_a_finding_is_wrong_only_where_gold_is_complete_for_it(record, expected):
    assert judged(record, CLASSES) == expected


def test_spans_are_mapped_to_the_joined_text(scheme):
    records = gold(30)
    names = ["O", "PERSON_NAME", "LOCATION"]
    scored = score_gold(records, scheme, tiny_scorer())
    found = [
        (scored.column.text[start:end], names[c])
        for start, end, c in zip(scored.spans.starts, scored.spans.ends, scored.spans.classes, strict=True)
    ]
    assert found == [
        (turn["text"][s["start"] : s["end"]], s["label"])
        for record in records
        for turn in record["turns"]
        for s in turn["spans"]
    ]


@pytest.mark.parametrize("field", [None, "subject_id"])
def test_no_group_is_on_both_sides_and_none_is_lost(field):
    records = gold(400)
    train, dev, _ = split(records, 0.2, field)
    key = field or "id"
    assert not {r[key] for r in train} & {r[key] for r in dev}
    assert sorted(r["id"] for r in (*train, *dev)) == sorted(r["id"] for r in records)
    assert 0.1 < len(dev) / len(records) < 0.3


def test_copies_stay_together():
    records = [
        {"source": "x", "id": name, "turns": [{"text": text}]} for name, text in ("a1", "b1", "c1", "d2")
    ]
    for share in (0.1, 0.5, 0.9):
        assert sorted(map(len, split(records, share)[:2])) == [1, 3]


def test_sides_depend_on_the_group_and_not_on_the_others():
    records = gold(400)
    _, dev, _ = split(records, 0.2)
    _, again, _ = split(records[::-1], 0.2)
    _, of_half, _ = split(records[:200], 0.2)
    assert {r["id"] for r in dev} == {r["id"] for r in again}
    assert {r["id"] for r in of_half} == {r["id"] for r in dev} & {r["id"] for r in records[:200]}


def test_a_field_may_be_of_the_metadata_and_must_be_there():
    records = [{**r, "metadata": {"caller": r["subject_id"]}} for r in gold(40)]
    assert split(records, 0.3, "caller") == split(records, 0.3, "subject_id")
    with pytest.raises(UserError, match="gold has 1 conversations"):
        split(gold(1), 0.1)
    with pytest.raises(UserError, match="--split-by caller: a gold conversation has no such field"):
        split(gold(9), 0.1, "caller")


def records(source, count, length):
    return [{"id": f"{source}{i}", "source": source, "turns": [{"text": "x" * length}]} for i in range(count)]


def test_a_sample_has_as_much_of_each_corpus_and_is_the_same_every_time():
    several = records("letters", 100, 5_000) + records("chat/a", 2_000, 50) + records("notes", 3, 10)
    taken = drawn(several, 60_000)
    characters = Counter()
    for record in taken:
        characters[record["source"]] += len(record["turns"][0]["text"])
    assert characters["notes"] == 30
    assert abs(characters["letters"] - characters["chat/a"]) <= 5_000
    assert 59_000 <= sum(characters.values()) < 65_000
    ids = [record["id"] for record in taken]
    assert ids == [record["id"] for record in drawn(several, 60_000)]
    assert len(set(ids)) == len(ids)
    assert sorted(r["id"] for r in drawn(several[:5])) == sorted(r["id"] for r in several[:5])
    assert drawn([]) == []


TEXT = "write to ann.lee@example.org or call Pam Beesly at 555-0100 today"


def _span(value, label):
    start = TEXT.index(value)
    return {"start": start, "end": start + len(value), "label": label}


def _varied(spans, seed):
    record = {"turns": [{"speaker": "a", "text": TEXT, "spans": spans}]}
    (turn,) = augmented(record, random.Random(seed))
    return turn


def _outside(text, spans):
    """The letters and digits outside of spans, in lower case."""
    inside = {place for span in spans for place in range(span["start"], span["end"])}
    return "".join(c for i, c in enumerate(text) if i not in inside and c.isalnum()).lower()


def test_nested_spans_are_unchanged_and_reported_once():
    nested = [
        _span("ann.lee@example.org", "EMAIL_ADDRESS"),
        _span("ann", "PERSON_NAME"),
        _span("lee", "PERSON_NAME"),
    ]
    crossing = [_span("Pam Beesly", "PERSON_NAME"), _span("Beesly at 555", "STREET_ADDRESS")]
    spans = [*nested, *crossing]
    for seed in range(40):
        turn = _varied(spans, seed)
        assert _outside(turn["text"], turn["spans"]) == _outside(TEXT, spans)
        for before, after in zip(spans, turn["spans"], strict=True):
            value = TEXT[before["start"] : before["end"]]
            now = turn["text"][after["start"] : after["end"]]
            assert list(filter(str.isalnum, now.lower())) == list(filter(str.isalnum, value.lower()))


def test_lines_beside_a_turn_move_its_spans_and_change_nothing_of_it():
    turn = {"text": "I am Ann, as you know", "spans": [{"start": 5, "end": 8, "label": "PERSON_NAME"}]}
    words = ordinary_words(["red green blue then"] * 3)
    assert words == ["blue", "green", "red", "then"]
    changed = [
        one for seed in range(300) for one in surrounded([turn], words, random.Random(seed)) if one != turn
    ]
    assert 30 < len({one["text"] for one in changed}) < 200
    for one in changed:
        assert one["text"][slice(*one["own"])] == turn["text"]
        assert [one["text"][s["start"] : s["end"]] for s in one["spans"]] == ["Ann"]
