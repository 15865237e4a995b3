"""Annotated gold, missing labels, and input that is not gold."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tacenda.models.training.corpora import IGNORED, LabelScheme, read_gold, silences
from tacenda.transforms.schema.errors import UserError

from .conftest import gold


def test_parts_of_a_corpus_have_the_settings_of_the_corpus() -> None:
    scheme = LabelScheme.load()
    assert scheme.corpus("multidogo/airline") is scheme.corpora["multidogo"]
    assert scheme.corpus("snips/PlayMusic").silence.sum() == len(scheme.classes) - 1


def test_unmarked_words_are_negative_only_for_annotated_classes() -> None:
    text = 'classes: ["O", "A", "B"]\ncorpora: {"half": {annotates: ["A"], weight: 2, silence: 0.5}}\n'
    scheme = LabelScheme.load(text)
    half, unknown = scheme.corpus("half"), scheme.corpus("another")
    assert (half.silence.tolist(), half.silence_weight, half.weight) == ([True, False, True], 0.5, 2.0)
    assert (unknown.silence.tolist(), unknown.silence_weight) == ([True, False, False], 1.0)


def test_gold_of_a_corpus_that_the_labels_do_not_describe_is_refused() -> None:
    named = 'classes: ["O", "A"]\ncorpora: {"half": {annotates: ["A"], weight: 1}'
    records = [{"source": "half/one"}, {"source": "calls"}, {"source": "calls"}]
    with pytest.raises(UserError, match="2 conversations are of the corpus calls, and the labels do not say"):
        LabelScheme.load(f"{named}}}\n").refuse_unknown_corpora(records)
    LabelScheme.load(f"{named}}}\n").refuse_unknown_corpora(records[:1])
    LabelScheme.load('classes: ["O", "A"]\n').refuse_unknown_corpora(records)
    others = LabelScheme.load(f'{named}, "*": {{annotates: [], weight: 3}}}}\n')
    others.refuse_unknown_corpora(records)
    assert (others.corpus("calls").weight, others.corpus("half").weight) == (3.0, 1.0)


def test_a_corpus_without_a_name_that_can_be_shown_is_refused_without_it() -> None:
    scheme = LabelScheme.load('classes: ["O"  , "A"]\ncorpora: {"half": {annotates: ["A"], weight: 1}}\n')
    with pytest.raises(UserError) as refused:
        scheme.refuse_unknown_corpora([{"source": "Ann Lee <ann@example.org>"}])
    assert "Ann" not in str(refused.value)


def test_labels_become_classes_by_their_raw_name_first() -> None:
    scheme = LabelScheme.load()
    named = [
        {"label": "CITY"},
        {"label": "MISC"},
        {"label": "MISC", "raw_label": "MEDICATION_NAME"},
        {"label": "NO_SUCH"},
    ]
    classes = [scheme.class_of(span) for span in named]
    assert [c if c == IGNORED else scheme.classes[c] for c in classes] == [
        "LOCATION", IGNORED, "MEDICAL_TERM", IGNORED,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("classes: [", "not a label scheme"),
        ("[]", "not a label scheme"),
        ('classes: ["A", "O"]', "must begin with"),
        ('classes: ["O", "A"]\nmerge: {"X": "B"}', "leads to B, which is not a class"),
        ('classes: ["O", "A"]\nunreported: ["B"]', "'unreported' names B, which is not a class"),
        (
            'classes: ["O", "A"]\ncorpora: {"x": {annotates: ["A"], weight: -1}}',
            "'weight' and 'silence' must",
        ),
        (
            'classes: ["O", "A"]\ncorpora: {"x": {annotates: ["A"], weight: .nan}}',
            "'weight' and 'silence' must",
        ),
        ('classes: ["O", "A"]\ncorpora: {"x": {annotates: ["B"], weight: 1}}', "annotates B: no class"),
    ],
)
def test_rejects_an_invalid_scheme(text: str, wrong: str) -> None:
    with pytest.raises(UserError, match=wrong) as raised:
        LabelScheme.load(text)
    assert "\n" not in str(raised.value)


def test_labels_outside_the_scheme_are_rejected_by_name(scheme: LabelScheme) -> None:
    records = gold(3)
    scheme.refuse_unknown(records)
    records[0]["turns"][0]["spans"] = [{"start": 0, "end": 1, "label": label} for label in ("TITLE", "IBAN")]
    with pytest.raises(UserError, match=r"1 labels without a class: IBAN \(1\); give --labels"):
        scheme.refuse_unknown(records)


def test_reads_plain_and_packed_and_names_source_and_id(tmp_path: Path) -> None:
    line = json.dumps({"turns": [{"text": "a\ud800b", "spans": [{"start": 0, "end": 3, "label": "X"}]}]})
    (tmp_path / "mine.train.jsonl").write_text(line + "\n\n")
    with gzip.open(tmp_path / "two.jsonl.gz", "wt") as file:
        file.write(line)
    first, second = read_gold([tmp_path / "mine.train.jsonl", tmp_path / "two.jsonl.gz"])
    assert (first["source"], first["id"]) == ("mine", "mine.train.jsonl/1")
    assert second["source"] == "two"
    assert first["turns"][0]["text"] == "a\ufffdb"


@pytest.mark.parametrize(
    "line",
    [
        "Zanzibar",
        "[]",
        '{"turns": [{"text": "Zanzibar"}]}',
        '{"turns": [{"text": "Zanzibar", "spans": [{"start": 0, "end": 9, "label": "X"}]}]}',
        '{"turns": [{"text": "Zanzibar", "spans": [{"start": 3, "end": 3, "label": "X"}]}]}',
        '{"turns": [{"text": "Zanzibar", "spans": [{"start": 0, "end": 3, "label": ["Zanzibar"]}]}]}',
        '{"turns": [{"text": "Zanzibar", "spans": [{"start": 0.0, "end": 3.0, "label": "X"}]}]}',
        '{"turns": 7}',
    ],
)
def test_an_invalid_gold_line_is_named_without_its_text(tmp_path: Path, line: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"turns": []}\n' + line + "\n")
    with pytest.raises(UserError, match=r"bad\.jsonl line 2: not a gold conversation; write") as raised:
        list(read_gold([path]))
    assert "Zanzibar" not in str(raised.value)


@pytest.mark.parametrize("name", ["none.jsonl", "no.jsonl.gz", "cut.jsonl.gz", "damaged.jsonl.gz"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    packed = gzip.compress(b'{"turns": []}\n' * 9)
    (tmp_path / "no.jsonl.gz").write_bytes(b"not packed")
    (tmp_path / "cut.jsonl.gz").write_bytes(packed[:-9])
    # A block of a kind that there is not.
    (tmp_path / "damaged.jsonl.gz").write_bytes(packed[:10] + b"\xff" + packed[11:])
    with pytest.raises(UserError, match=rf"{name}: cannot be read"):
        list(read_gold([tmp_path / name]))


def test_round_trip_of_the_shape(write: Callable[..., Path]) -> None:
    records = gold(4)
    assert [r["turns"] for r in read_gold([write(records)])] == [r["turns"] for r in records]


def test_classes_annotated_by_no_corpus_are_negative_where_unmarked() -> None:
    annotated = '{"a": {annotates: ["A"], weight: 1}, "b": {annotates: ["B"], weight: 1}}'
    text = f'classes: ["O", "A", "B", "C"]\ncorpora: {annotated}\n'
    scheme = LabelScheme.load(text)
    a, b = scheme.corpus("a"), scheme.corpus("b")
    assert silences([a, b]).tolist() == [[True, False, True, False], [True, True, False, False]]
    assert silences([a]).tolist() == [[True, False, False, False]]
    assert a.silence.tolist() == [True, False, True, True]
