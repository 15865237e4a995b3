"""The report says what the verdict rests on, in words that a lawyer uses, and shows nothing that is not so."""

import doctest
import hashlib
import re
import subprocess

import pyarrow as pa
import pytest

from tacenda.transforms.releasing import number_format
from tacenda.transforms.releasing.context_form import form, questions, read_answers
from tacenda.transforms.releasing.dataset_card import added_tokens, counted_tokens, features_of
from tacenda.transforms.releasing.duplicates import by_bucket, id_hash, id_hashes, repeated_in_later_units
from tacenda.transforms.releasing.manifest import (
    combine,
    corpus_hash,
    with_change,
    wrong_changes,
)
from tacenda.transforms.releasing.number_format import decimal, percent, whole
from tacenda.transforms.releasing.report import MOST_ROWS, render
from tacenda.transforms.releasing.verdict import judge
from tacenda.transforms.schema.errors import UserError
from tacenda.transforms.schema.receipt import Receipt
from tacenda.transforms.schema.work_unit import ordinal_name
from tacenda.transforms.scoring.statistics import RiskSketch
from tacenda.transforms.storage.yaml_text import parse_yaml
from tests.cases import tabled
from tests.unit.releasing.judged import REPLACEMENT, RISK, a_run, review_of

DETECTORS = {"names": ["rules", "model"], "models": [{"name": "kb-ner", "version": "3"}]}


def _folder(source="human", contexts=("sales", "meetings"), scores=(0, 0, 3), gate=None, **entries):
    sketch = RiskSketch()
    scores = scores if isinstance(scores, dict) else dict.fromkeys(contexts, scores)
    for context, several in scores.items():
        for score in several:
            sketch.add(source, context, score, score >= 5, score > 0, times=50)
    config = {"risk": {**RISK, "threshold": 5}, "detectors": DETECTORS, "replacement": {**REPLACEMENT}}
    count = 50 * sum(map(len, scores.values()))
    entries = {
        "tacenda": "1.0",
        "shape": "chat",
        "config_hash": "c" * 64,
        "score_table": {"preset": "appendix", "version": "1"},
        "inputs": {"files": 1, "bytes": 1000, "sha256": "i" * 64},
        "fields": {"kept": [], "opaque": {}, "dropped": []},
        "worst": {},
        "identifiability": {},
        "corpus": {"files": 1, "sha256": "a" * 64},
        "pseudonymised": False,
        **entries,
    }
    found = {"findings": {"PERSON_NAME": 7, "DATE": 2}, "entities": {"PERSON_NAME": 3}}
    found |= {"annotations": {"gold" if source == "gold" else "none": count}}
    missed = {"PERSON_NAME": 1, "PERSON_NAME_PARTIAL": 2}
    counts = {"conversations": count, "turns": 9 * count, "rows_in": count, "missed": missed}
    run = a_run(sketch, gate, config, entries, **counts, **found)
    told = {"date": None, "operator": None}
    run_entry = {**run.manifest["run"], **told}
    manifest = {**run.manifest, "run": run_entry, "verdict": judge(run)}
    return manifest, {**run.figures(), "languages": {"by_language": {}}}


def _words(page):
    return " ".join(re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.S).split())


def of_a_review(direct=1):
    review = review_of(300, direct, {"sales": 2500, "meetings": 2500}, named=27)
    return _folder(**review)


def test_the_first_page_says_in_plain_words_what_is_left():
    told = _words(render(*of_a_review()))
    assert "Released People read 300 of 5,000 conversations, drawn at random" in told
    assert "a name or a part of one is readable in 27 (about 1 in 11), and something that identifies" in told
    assert "(a direct identifier), in 1." in told
    assert "With 95 % confidence, a direct identifier is readable in at most 1.5" in told
    assert "Who read it: Pam Beesly (300)." in told
    assert "Date and signature" in told


def test_without_a_review_nothing_is_said_to_be_known():
    told = _words(render(*_folder("model", scores=(0, 9))))
    assert "Not yet read by people" in told
    assert "How much is left is not known" in told
    assert "a list of what to read first, and no measure" in told
    assert "criterion met" not in told.casefold()
    assert "μ" not in told


def test_too_many_direct_identifiers_hold_and_the_figure_is_marked():
    page = render(*of_a_review(direct=4))
    assert "so that up to 2.96% of the corpus may have one" in _words(page)
    assert '<tr class="failed"><th scope="row">Conversations with a readable direct identifier' in page


def test_the_points_are_those_of_the_context_with_most():
    page = render(*_folder("gold", scores={"sales": (0,) * 9, "meetings": (4, 4, 6)}))
    row = '<tr class="failed"><th scope="row">Points of what is left, in the context with most'
    assert re.search(f"{re.escape(row)}[^/]*</th><td>5.61</td>", page)


def test_a_release_without_a_review_is_called_so():
    unread = _folder("model", gate={"release_on": "no_review", "because": "it stays in this room"})
    told = _words(render(*unread))
    assert "Released without a review Nobody has to read this corpus" in told
    assert "Weakens it: risk.release_on: nobody has to read it" in told


def test_contexts_are_sorted_by_what_is_left_and_limited():
    names = [f"queue {i}" for i in range(MOST_ROWS + 5)]
    page = render(*_folder("gold", contexts=names, scores=(0,)))
    assert page.count("queue ") == MOST_ROWS
    assert "(none)" in render(*_folder("gold", contexts=("",), scores=(0,)))


@pytest.mark.parametrize("name", ["<b>x</b>", "\u202egnp.exe", "a" * 300])
def test_values_are_escaped_and_cut(name):
    page = render(*_folder("gold", contexts=(name, "b"), scores=(0,)))
    assert "<b>x" not in page
    assert "\u202e" not in page
    assert "a" * 100 not in page


def test_what_stays_readable_and_what_is_pseudonymised_is_told():
    manifest, figures = _folder("gold", scores=(0,), pseudonymised=True)
    manifest["config"]["replacement"]["keep"] = {"DATE": "needed for the model"}
    manifest["fields"]["opaque"] = {"raw": "no text"}
    manifest["not_looked_for"] = {
        "categories": [
            {"law": "GDPR", "name": name, "looked_for": state, "by": [], "section": ""}
            for name, state in (("religion", "no"), ("health", "in part"), ("names", "yes"))
        ],
        "kinds": [],
        "in_vain": [],
    }
    told = _words(render(manifest, figures))
    for words in (
        "Pseudonymised: whoever has a key",
        "DATE, by request: needed for the model",
        "the field raw, which nothing inspected: no text",
        "what was not looked for by default or by the config: religion",
        "what was looked for in part only: health Sign-off",
    ):
        assert words in told


def test_the_swap_test_names_what_is_held():
    manifest, figures = _folder("model")
    row = {"by": "kind of text", "name": "code", "swaps": 90, "found": 40, "share": 0.44, "held": True}
    figures["swap_test"] = {"groups": [{**row, "interval_95": [0.34, 0.55]}]}
    told = _words(render(manifest, figures)).replace("\u00a0", " ")
    assert "kind of text code 90 40 44.0 % 34.0 % to 55.0 %" in told


def test_examples():
    results = doctest.testmod(number_format)
    assert results.attempted == 4
    assert results.failed == 0


@tabled("figure", "text")
def test_a_figure_keeps_to_its_side_of_the_threshold(figure, text):
    assert decimal(figure, threshold=5.0) == text
    assert (float(text) < 5.0) == (figure < 5.0)


@tabled("share", "text")
def test_shares_never_round_to_none_or_all_and_what_is_no_number_is_a_dash(share, text):
    assert percent(share).replace("\u00a0", " ") == text
    assert text != "–" or decimal(share) == whole(None) == "–"


def _risk(*scores):
    sketch = RiskSketch()
    for score in scores:
        sketch.add("model", "sales", score)
    return sketch.to_json()


A = Receipt(
    "0",
    rows_in=5,
    rows_out=3,
    rows_quarantined=2,
    findings={"B": 1, "A": 2},
    quarantined={"read/X": 2},
    risk=_risk(1, 2),
)

B = Receipt("1", rows_in=1, rows_out=1, findings={"A": 3}, id_hashes=b"12345678", risk=_risk(2))
C = Receipt("2", rows_in=1, rows_out=1, files={"x": {"rows": 1}})


def test_sums_do_not_depend_on_order_or_grouping():
    whole = combine("", [A, B, C])
    assert whole == combine("", [C, B, A])
    assert whole == combine("", [combine("x", [A]), combine("y", [C, B])])
    assert (whole.units, whole.rows_in, whole.rows_out, whole.rows_quarantined) == (3, 7, 5, 2)
    assert list(whole.findings.items()) == [("A", 5), ("B", 1)]
    assert whole.risk == _risk(1, 2, 2)
    assert whole.balanced


TURNS = pa.list_(pa.struct([("text", pa.string()), ("tags", pa.list_(pa.string()))]))
SCHEMA = pa.schema(
    [
        *(("a", pa.string()), ("b", pa.large_string()), ("n", pa.int64()), ("x", pa.float64())),
        *(("y", pa.bool_()), ("t", pa.timestamp("us", "UTC")), ("turns", TURNS)),
        *(("who", pa.struct([("name", pa.string())])), ("deep", pa.list_(pa.list_(pa.string())))),
    ]
)


def test_columns_lists_and_structs():
    turns = [{"name": "text", "dtype": "string"}, {"name": "tags", "list": "string"}]
    assert features_of(SCHEMA)[6:] == [
        {"name": "turns", "list": turns},
        {"name": "who", "struct": [{"name": "name", "dtype": "string"}]},
        {"name": "deep", "list": {"list": "string"}},
    ]


@pytest.mark.slow
def test_they_are_what_the_hub_makes_of_the_schema():
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    assert features_of(SCHEMA) == datasets.Features.from_arrow_schema(SCHEMA)._to_yaml_list()


@pytest.mark.parametrize(
    ("receipts", "again"),
    [
        (["00002 c a", "00000 a b", "00001 b d"], {"00001": "b", "00002": "a"}),
        (["0 a", "1 b", "2"], {}),
        ([], {}),
        # However many digits the number of a unit has.
        *(
            ([f"{ordinal_name(n + 1)} a", f"{ordinal_name(n)} a"], {ordinal_name(n + 1): "a"})
            for n in (9, 99_999)
        ),
    ],
)
def test_the_first_unit_keeps_an_id_whatever_the_order_of_receipts(receipts, again):
    hashes = [(one.split()[0], id_hashes(one.split()[1:])) for one in receipts]
    assert repeated_in_later_units(hashes) == {unit: frozenset({id_hash(one)}) for unit, one in again.items()}


def test_buckets_lose_nothing_and_equal_ids_meet():
    hashes = id_hashes(map(str, range(1000)))
    dealt = dict(by_bucket(hashes, 7))
    assert len(dealt) == 7
    assert sorted(b for part in dealt.values() for b in _eights(part)) == sorted(_eights(hashes))
    ((bucket, five),) = by_bucket(id_hashes(["5"]), 7)
    assert five in _eights(dealt[bucket])
    assert list(by_bucket(b"", 7)) == []


def _eights(data):
    return [data[i : i + 8] for i in range(0, len(data), 8)]


def test_the_form_has_every_question_once_and_reads_back_as_no_answers():
    names = [one["id"] for one in questions()]
    assert len(names) == len(set(names)) > 10
    assert list(parse_yaml(form())) == names
    assert read_answers(parse_yaml(form()), "f.yaml") == {}
    assert all(one["question"] in form() and one["topic"] in form() for one in questions())


def test_answers_are_trimmed_and_empty_ones_left_out():
    filled = form().replace('purpose: ""', 'purpose: " An assistant. "').replace('harm: ""', "harm:")
    assert read_answers(parse_yaml(filled), "f.yaml") == {"purpose": "An assistant."}


@pytest.mark.parametrize(
    ("document", "told"),
    [
        (None, "not a form"),
        (["purpose"], "not a form"),
        ({"purpos": "x"}, "has no question 'purpos'"),
        ({"purpose": 3}, "put the answer in quotes"),
        ({"purpose": "x" * 2_001}, "shorten the answer"),
        ({"purpose": "\ud800"}, "half a character"),
    ],
)
def test_what_is_no_form_is_refused_in_one_line(document, told):
    with pytest.raises(UserError, match=f"^--context f.yaml: .*{told}[^\n]*$"):
        read_answers(document, "f.yaml")


ADDED = {"files": 1, "conversations": 3, "rows": 3}
ERASED = {"conversations": 1, "rows": 2, "digests": []}


def _changed():
    return with_change(with_change({"a": 1}, b"first", "added", ADDED), b"second", "erased", ERASED)


def test_what_is_wrong_is_told():
    manifest = _changed()
    signed = [one["manifest_before_sha256"] for one in manifest["changes"]]
    assert list(wrong_changes({}, 0)) == []
    assert list(wrong_changes(manifest, 2)) == []
    assert list(wrong_changes(manifest, 2, signed)) == []
    (rows,) = wrong_changes(manifest, 3)
    assert "erased rows" in rows
    (gap,) = wrong_changes({"changes": manifest["changes"][1:]}, 2)
    assert "gap" in gap
    (strange,) = wrong_changes(manifest, 2, signed[:1])
    assert strange.startswith("change 2 follows a manifest")


def test_the_hash_of_a_corpus_is_that_of_sha256sum(tmp_path):
    files = {"part-00001.jsonl.gz": b"two", "part-00000.jsonl.gz": b"one"}
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    printed = subprocess.run(
        "sha256sum part-* | sha256sum", shell=True, cwd=tmp_path, capture_output=True, check=True
    ).stdout.split()[0]
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    assert corpus_hash(hashes) == printed.decode()


def test_numbered_tokens_are_counted_and_sorted():
    values = {"[AGE_1]": 2, "Grace": 1, "[AGE_999]": 1, "[AGE_1000]": 1, "[age_1]": 1, "#####": 4}
    # Tokens that URLs escape are the same.
    assert counted_tokens({**values, "%5BAGE_1%5D": 1}) == {"[AGE_1]": 3, "[AGE_999]": 1}
    assert added_tokens(["[B_1]", "[A_10]", "[A_9]"]) == ["[A_9]", "[A_10]", "[B_1]"]
